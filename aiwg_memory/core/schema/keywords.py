"""A schema compiled to nested functions: the keywords of draft 2020-12 that our schemas use, and no others.

jsonschema costs ten interpreter starts to import; this costs the compilation of the one schema that is used.
A schema with a keyword that is not here is refused when it is compiled, so that nothing is silently unchecked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from aiwg_memory.core.patterns import pattern as regex
from aiwg_memory.core.schema.formats import FORMATS
from aiwg_memory.core.schema.sentences import Pointer, missing_key, sentence, unknown_key

Problem = tuple[Pointer, str, Callable[[Pointer], str]]
"""Where below the value at hand, the keyword, and the sentence for the full pointer."""

Check = Callable[[Any], Problem | None]
Resolve = Callable[[str], Check]

ANNOTATIONS = {"$schema", "$id", "$comment", "$defs", "title", "description", "default", "examples"}
REMEMBERED = 64
MOST_REMEMBERED = 1024
"""How long the strings are that an object's rule remembers as passed, and how many of them."""

TYPES: dict[str, Callable[[Any], bool]] = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "integer": lambda value: (
        (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, float) and value.is_integer())
    ),
}

_PLAIN = frozenset((str, int, float, bool, type(None)))

# keyword -> (the type it judges, whether a value of that type passes)
_SIMPLE: dict[str, tuple[str, Callable[[Any, Any], bool]]] = {
    "minimum": ("number", lambda value, limit: value >= limit),
    "maximum": ("number", lambda value, limit: value <= limit),
    "exclusiveMinimum": ("number", lambda value, limit: value > limit),
    "exclusiveMaximum": ("number", lambda value, limit: value < limit),
    "minLength": ("string", lambda value, limit: len(value) >= limit),
    "maxLength": ("string", lambda value, limit: len(value) <= limit),
    "pattern": ("string", lambda value, limit: limit.search(value) is not None),
    "format": ("string", lambda value, limit: limit(value)),
    "minItems": ("array", lambda value, limit: len(value) >= limit),
    "maxItems": ("array", lambda value, limit: len(value) <= limit),
    "uniqueItems": ("array", lambda value, limit: not limit or _unique(value)),
    "minProperties": ("object", lambda value, limit: len(value) >= limit),
    "maxProperties": ("object", lambda value, limit: len(value) <= limit),
}
_OBJECT = {"properties", "required", "additionalProperties", "patternProperties", "propertyNames"}
_BRANCHES = {"allOf", "anyOf", "oneOf", "not", "if", "then", "else"}
KEYWORDS = {*_SIMPLE, *_OBJECT, *_BRANCHES, "type", "enum", "const", "items", "$ref"}


def compile_schema(schema: Any, resolve: Resolve) -> Check:
    """The function that judges a value. Raises ValueError for a keyword, type or format it does not know."""
    if isinstance(schema, bool):
        return _leaf("false", schema, lambda _: schema)
    strange = set(schema) - KEYWORDS - ANNOTATIONS
    if strange:
        raise ValueError(f"unknown schema keyword {', '.join(sorted(strange))}")
    checks = [check for keyword in schema if (check := _keyword(keyword, schema, resolve)) is not None]
    if _OBJECT & set(schema):
        checks.append(_object(schema, resolve))
    return _all(checks)


def _keyword(keyword: str, schema: Mapping[str, Any], resolve: Resolve) -> Check | None:
    limit = schema[keyword]
    if keyword in _SIMPLE:
        return _simple(keyword, schema)
    if keyword == "type":
        tests = [TYPES[name] for name in ([limit] if isinstance(limit, str) else limit)]
        return _leaf(keyword, schema, tests[0] if len(tests) == 1 else lambda value: any(test(value) for test in tests))
    if keyword == "enum":
        return _leaf(keyword, schema, lambda value: any(same(value, choice) for choice in limit))
    if keyword == "const":
        return _leaf(keyword, schema, lambda value: same(value, limit))
    if keyword == "$ref":
        return resolve(limit)
    if keyword == "items":
        return _items(compile_schema(limit, resolve))
    if keyword in _BRANCHES:
        return _branch(keyword, schema, resolve)
    return None


def _leaf(keyword: str, schema: Mapping[str, Any] | bool, passes: Callable[[Any], bool]) -> Check:
    def check(value: Any) -> Problem | None:
        if passes(value):
            return None
        return (), keyword, lambda at: sentence(at, keyword, schema, value)

    return check


def _simple(keyword: str, schema: Mapping[str, Any]) -> Check:
    limit: Any = schema[keyword]
    if keyword == "pattern":
        limit = regex(limit)
    elif keyword == "format":
        if limit not in FORMATS:
            raise ValueError(f"unknown format {limit}")
        limit = FORMATS[limit]
    kind, passes = _SIMPLE[keyword]
    applies = TYPES[kind]
    return _leaf(keyword, schema, lambda value: not applies(value) or passes(value, limit))


def _all(checks: list[Check]) -> Check:
    if len(checks) == 1:
        return checks[0]

    def check(value: Any) -> Problem | None:
        for each in checks:
            problem = each(value)
            if problem is not None:
                return problem
        return None

    return check


def _below(part: str | int, problem: Problem) -> Problem:
    return (part, *problem[0]), problem[1], problem[2]


def _items(each: Check) -> Check:
    def check(value: Any) -> Problem | None:
        if isinstance(value, list):
            for index, entry in enumerate(value):
                problem = each(entry)
                if problem is not None:
                    return _below(index, problem)
        return None

    return check


def _object(schema: Mapping[str, Any], resolve: Resolve) -> Check:
    known = {key: compile_schema(rule, resolve) for key, rule in schema.get("properties", {}).items()}
    patterns = [
        (regex(pattern), compile_schema(rule, resolve)) for pattern, rule in schema.get("patternProperties", {}).items()
    ]
    names = compile_schema(schema["propertyNames"], resolve) if "propertyNames" in schema else None
    extra: Any = schema.get("additionalProperties", True)
    others = None if isinstance(extra, bool) else compile_schema(extra, resolve)
    required = schema.get("required", ())
    # Records repeat their short values by the thousand; what passed once passes again. 1, 1.0 and true are three.
    passed: set[tuple[str, type, object]] = set()

    def member(key: str, value: Any) -> Problem | None:
        rules = [known[key]] if key in known else []
        rules += [rule for pattern, rule in patterns if pattern.search(key)]
        if not rules:
            if extra is False:
                return (), "additionalProperties", lambda at: unknown_key(at, key)
            rules = [others] if others is not None else []
        for rule in rules:
            problem = rule(value)
            if problem is not None:
                return _below(key, problem)
        return names(key) if names else None

    def check(value: Any) -> Problem | None:
        if not isinstance(value, dict):
            return None
        for key in required:
            if key not in value:
                return (), "required", lambda at, key=key: missing_key(at, key)
        for key, entry in value.items():
            kind = type(entry)
            plain = kind in _PLAIN and (kind is not str or len(entry) <= REMEMBERED)
            if plain and (key, kind, entry) in passed:
                continue
            problem = member(key, entry)
            if problem is not None:
                return problem
            if plain and len(passed) < MOST_REMEMBERED:
                passed.add((key, kind, entry))
        return None

    return check


def _branch(keyword: str, schema: Mapping[str, Any], resolve: Resolve) -> Check | None:
    limit = schema[keyword]
    if keyword == "if":
        return _condition(schema, resolve)
    if keyword in ("then", "else"):
        return None
    if keyword == "not":
        ruled_out = compile_schema(limit, resolve)
        return _leaf(keyword, schema, lambda value: ruled_out(value) is not None)
    branches = [compile_schema(branch, resolve) for branch in limit]
    if keyword == "allOf":
        return _all(branches)
    if keyword == "anyOf":
        return _leaf(keyword, schema, lambda value: any(branch(value) is None for branch in branches))
    return _leaf(keyword, schema, lambda value: sum(branch(value) is None for branch in branches) == 1)


def _condition(schema: Mapping[str, Any], resolve: Resolve) -> Check:
    condition = compile_schema(schema["if"], resolve)
    yes = compile_schema(schema.get("then", True), resolve)
    no = compile_schema(schema.get("else", True), resolve)
    return lambda value: (yes if condition(value) is None else no)(value)


def same(one: Any, other: Any) -> bool:
    """JSON equality: 1 and 1.0 are one number, true is no number."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other, strict=True))
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def _unique(values: list[Any]) -> bool:
    if all(isinstance(value, str) for value in values):
        return len(set(values)) == len(values)
    return not any(same(value, other) for at, value in enumerate(values) for other in values[:at])
