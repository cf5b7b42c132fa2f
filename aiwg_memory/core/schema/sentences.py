"""What is said about a broken rule: the value, the rule and the legal range, in one sentence."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

_FORMS = ("pattern", "format", "anyOf", "oneOf")
Pointer = tuple[str | int, ...]

_BETWEEN = {
    "minimum": ("minimum", "maximum", ""),
    "maximum": ("minimum", "maximum", ""),
    "minLength": ("minLength", "maxLength", " characters"),
    "maxLength": ("minLength", "maxLength", " characters"),
    "minItems": ("minItems", "maxItems", " entries"),
    "maxItems": ("minItems", "maxItems", " entries"),
    "minProperties": ("minProperties", "maxProperties", " keys"),
    "maxProperties": ("minProperties", "maxProperties", " keys"),
}


def pointer(parts: Pointer) -> str:
    """A JSON pointer (RFC 6901); the whole value is ``/``, which reads better than nothing."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts) or "/"


def sentence(parts: Pointer, keyword: str, schema: Mapping[str, Any] | bool, value: Any) -> str:
    """``/context/total: 99999 is not allowed; legal is 256 to 65536``."""
    return f"{pointer(parts)}: {shown(value)} {_rule(keyword, schema)}"


def shown(value: Any) -> str:
    """A value on one line, at most 60 characters, so that a message stays a sentence."""
    if isinstance(value, Mapping):
        return "an object" if value else "an empty object"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"a list of {len(value)}" if value else "an empty list"
    text = json.dumps(value, ensure_ascii=True, default=repr)
    return text if len(text) <= 60 else text[:59] + "…"


def _rule(keyword: str, schema: Mapping[str, Any] | bool) -> str:
    if isinstance(schema, bool):
        return "is not allowed here"
    limit = schema.get(keyword)
    if keyword in _FORMS and schema.get("examples"):
        return f"is not written like {_listed([str(one) for one in schema['examples']])}"
    if keyword in _BETWEEN:
        return "is not allowed; legal is " + _range(schema, *_BETWEEN[keyword])
    if keyword == "type":
        return f"has the wrong type; legal is {' or '.join([limit] if isinstance(limit, str) else limit or ())}"
    if keyword == "enum":
        return f"is not allowed; legal is {', '.join(shown(choice) for choice in limit or ())}"
    if keyword == "const":
        return f"is not allowed; legal is {shown(limit)} alone"
    if keyword == "pattern":
        return f"does not have the form {limit}"
    if keyword == "format":
        return f"is not a {limit} of RFC 3339"
    if keyword == "uniqueItems":
        return "holds an entry twice; each may stand once"
    if keyword in ("exclusiveMinimum", "exclusiveMaximum"):
        return f"is not allowed; legal is {'over' if keyword.endswith('Minimum') else 'under'} {limit}"
    return {"not": "has a form that is ruled out", "oneOf": "matches not exactly one of the legal forms"}.get(
        keyword, "matches none of the legal forms"
    )


def _listed(words: Sequence[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _range(schema: Mapping[str, Any], low: str, high: str, unit: str) -> str:
    if low in schema and high in schema:
        return f"{schema[low]} to {schema[high]}{unit}"
    return f"at least {schema[low]}{unit}" if low in schema else f"at most {schema[high]}{unit}"


def unknown_key(parts: Pointer, key: str) -> str:
    return f"{pointer(parts)}: unknown key {shown(key)}"


def missing_key(parts: Pointer, key: str) -> str:
    return f"{pointer(parts)}: the key {shown(key)} is missing"
