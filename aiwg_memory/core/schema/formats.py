"""The two formats our schemas name. jsonschema is given these same functions, so that both say the same."""

from __future__ import annotations

import re

_DATE = r"([0-9]{4})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_TIME = r"[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_date(value: str) -> bool:
    """An RFC 3339 full-date that the calendar has."""
    match = re.fullmatch(_DATE, value)
    return match is not None and _in_calendar(match)


def is_date_time(value: str) -> bool:
    """An RFC 3339 date-time without leap seconds; a schema that wants Z alone says so with a pattern."""
    return is_date(value[:10]) and re.fullmatch(_TIME, value[10:]) is not None


def _in_calendar(match: re.Match[str]) -> bool:
    year, month, day = (int(group) for group in match.groups())
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return year > 0 and day <= _DAYS[month - 1] and (month != 2 or day < 29 or leap)


FORMATS = {"date": is_date, "date-time": is_date_time}
