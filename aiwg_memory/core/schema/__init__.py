"""Judge a value by one of the packaged JSON Schemas (draft 2020-12), which are the source of truth of every format.

A kind is a schema's file name without ``.json``: ``config.v1``. ``cheap`` decides, at the cost of a few function calls;
``explain`` says everything that is wrong, with jsonschema, and is for when something is.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING, Any

from aiwg_memory.core.findings import Finding
from aiwg_memory.core.schema.keywords import Check, Problem, compile_schema
from aiwg_memory.core.schema.sentences import Pointer, missing_key, sentence, unknown_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jsonschema import Draft202012Validator, ValidationError

_KIND = re.compile(r"[a-z][a-z0-9_]*\.v[1-9][0-9]*\Z")
_HERE = __file__.replace("\\", "/").rpartition("/core/schema/")[0]


def cheap(kind: str, value: Any) -> str | None:
    """The first problem as a sentence that begins with a JSON pointer, or None. ``value`` is made of JSON types alone.

    Raises ValueError when ``kind`` has no schema.
    """
    problem = _check(kind, ())(value)
    return None if problem is None else problem[2](problem[0])


def explain(
    kind: str, value: Any, *, path: str = "", line: int = 0, locate: Callable[[Pointer], int] | None = None
) -> list[Finding]:
    """Every problem, in the order of the places in ``value``; ``path`` and ``line`` say where the value was read.

    ``locate`` tells the line of a place in ``value``, where the value was spread over several.
    """
    errors = sorted(_validator(kind).iter_errors(value), key=lambda error: [str(part) for part in error.absolute_path])
    return [
        Finding(path, locate(at) if locate else line, "schema", message, hint=hint)
        for error in errors
        for at, message, hint in _told(error)
    ]


def kinds() -> tuple[str, ...]:
    """Every kind there is a schema for, sorted."""
    from importlib.resources import files

    package = files("aiwg_memory")
    for folder in (package / "schemas", package.joinpath("../schemas")):
        if folder.is_dir():
            return tuple(sorted(each.name.removesuffix(".json") for each in folder.iterdir() if _is_schema(each.name)))
    return ()


def _is_schema(name: str) -> bool:
    return name.endswith(".json") and _KIND.match(name.removesuffix(".json")) is not None


@cache
def schema(kind: str) -> Any:
    """The schema itself. Raises ValueError when there is none; it is shared, so do not change it."""
    if not _KIND.match(kind):
        raise ValueError(f"{kind!r} is no kind of schema; kinds are named like config.v1")
    loader = __spec__.loader
    for folder in (f"{_HERE}/schemas", f"{_HERE.rpartition('/')[0]}/schemas"):
        try:
            return json.loads(loader.get_data(f"{folder}/{kind}.json"))  # type: ignore[union-attr]
        except OSError:
            continue
    raise ValueError(f"there is no schema {kind}")


@cache
def _check(kind: str, place: tuple[str, ...]) -> Check:
    """The compiled part of a schema at ``place``, so that every reference to it shares one compilation."""
    part = schema(kind)
    for key in place:
        part = part[key]

    def resolve(reference: str) -> Check:
        file, _, inner = reference.partition("#")
        target = (file.removesuffix(".json") or kind, tuple(inner.strip("/").split("/")) if inner.strip("/") else ())

        def check(value: Any) -> Problem | None:
            return _check(*target)(value)

        return check

    return compile_schema(part, resolve)


@cache
def _validator(kind: str) -> Draft202012Validator:
    from jsonschema import Draft202012Validator, FormatChecker
    from referencing import Registry, Resource

    from aiwg_memory.core.schema.formats import FORMATS

    formats = FormatChecker(formats=())
    for name, passes in FORMATS.items():
        formats.checks(name)(lambda value, passes=passes: not isinstance(value, str) or passes(value))

    def packaged(uri: str) -> Resource[Any]:
        return Resource.from_contents(schema(uri.removesuffix(".json")))

    registry: Any = Registry
    # The default registry fetches what it does not know over the network; this one knows our files alone.
    return Draft202012Validator(schema(kind), registry=registry(retrieve=packaged), format_checker=formats)


def _told(error: ValidationError) -> Iterable[tuple[Pointer, str, str]]:
    """jsonschema reports the unknown keys of an object together; we name each, with what may have been meant."""
    at, keyword = tuple(error.absolute_path), str(error.validator)
    value: Any = error.instance
    rules: Any = error.schema
    if keyword == "additionalProperties" and error.validator_value is False:
        known, patterns = rules.get("properties", {}), rules.get("patternProperties", {})
        for key in sorted(set(value) - set(known)):
            if not any(re.search(pattern, key) for pattern in patterns):
                yield (*at, key), unknown_key(at, key), _nearest(key, known)
    elif keyword == "required":
        yield at, missing_key(at, _missing(error)), ""
    else:
        yield at, sentence(at, keyword, rules, value), ""


def _missing(error: ValidationError) -> str:
    # There is one error for each missing key, which is named in its message alone.
    required: Any = error.validator_value
    return next(str(key) for key in required if error.message.startswith(f"{key!r} "))


def _nearest(key: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(key, known, n=1)
    return f"did you mean {close[0]}?" if close else f"known here: {', '.join(sorted(known)) or 'none'}"
