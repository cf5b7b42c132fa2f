"""Both judges of a value say the same, and a schema that one of them cannot judge is refused."""

from __future__ import annotations

import copy
import json
import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, FormatChecker

from aiwg_memory.core.findings import Finding
from aiwg_memory.core.schema import cheap, explain, kinds, schema
from aiwg_memory.core.schema.formats import is_date, is_date_time
from aiwg_memory.core.schema.keywords import KEYWORDS, Resolve, compile_schema

NOTHING: Resolve = lambda _: lambda _: None  # noqa: E731
SCHEMAS = Path(__file__).parents[2] / "schemas"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def agree(kind: str, value: Any) -> None:
    first, everything = cheap(kind, value), explain(kind, value)
    assert (first is None) == (not everything), (first, everything)
    if first is not None:
        assert first.startswith("/")


class Sample:
    """Values near a schema: what it asks for, with choices drawn from hypothesis."""

    def __init__(self, draw: st.DrawFn, kind: str) -> None:
        self.draw, self.kind = draw, kind

    def of(self, part: Any, root: str = "") -> Any:
        root = root or self.kind
        if isinstance(part, bool):
            return self.draw(JSON)
        if "$ref" in part:
            return self.reference(part["$ref"], root)
        for keyword in ("anyOf", "oneOf"):
            if keyword in part:
                base = self.of({key: rule for key, rule in part.items() if key != keyword}, root)
                chosen = self.of(self.draw(st.sampled_from(part[keyword])), root)
                return {**base, **chosen} if isinstance(base, dict) and isinstance(chosen, dict) else chosen
        if "const" in part:
            return part["const"]
        if "enum" in part:
            return self.draw(st.sampled_from(part["enum"]))
        return self.typed(part, root)

    def reference(self, target: str, root: str) -> Any:
        file, _, inner = target.partition("#")
        root = file.removesuffix(".json") or root
        part = schema(root)
        for key in filter(None, inner.split("/")):
            part = part[key]
        return self.of(part, root)

    def typed(self, part: Any, root: str) -> Any:
        kind = part.get("type", "object" if "properties" in part else None)
        kind = self.draw(st.sampled_from(kind)) if isinstance(kind, list) else kind
        if kind == "object":
            return self.object(part, root)
        if kind == "array":
            count = self.draw(
                st.integers(part.get("minItems", 0), min(part.get("maxItems", 3), part.get("minItems", 0) + 2))
            )
            return [self.of(part.get("items", True), root) for _ in range(count)]
        if kind == "string":
            return self.string(part)
        if kind in ("integer", "number"):
            low = part.get("minimum", 0)
            return self.draw(st.sampled_from([low, part.get("maximum", low + 9), float(low), low + 1]))
        return {"boolean": True, "null": None}.get(kind, self.draw(JSON))

    def object(self, part: Any, root: str) -> Any:
        rules = part.get("properties", {})
        required = set(part.get("required", ()))
        chosen = {key for key in rules if key in required or self.draw(st.booleans())}
        return {key: self.of(rules.get(key, True), root) for key in sorted(required | chosen)}

    def string(self, part: Any) -> str:
        if "format" in part:
            choices = ["2024-02-29", "2023-02-29"] if part["format"] == "date" else ["2024-02-29T23:59:59Z", "2024"]
            return self.draw(st.sampled_from(choices))
        if "pattern" in part:
            return str(self.draw(st.from_regex(part["pattern"])))
        return self.draw(st.text(min_size=part.get("minLength", 0), max_size=part.get("minLength", 0) + 8))


def mutate(draw: st.DrawFn, value: Any) -> Any:
    """One thing changed somewhere: a key or entry gone, added, or replaced by any JSON value."""
    if isinstance(value, dict | list) and value and draw(st.integers(0, 3)):
        key = draw(st.sampled_from(sorted(value) if isinstance(value, dict) else range(len(value))))
        changed = copy.deepcopy(value)
        if draw(st.booleans()):
            changed[key] = mutate(draw, changed[key])
        elif draw(st.booleans()):
            del changed[key]
        elif isinstance(changed, list):
            changed.append(changed[key])
        else:
            changed[draw(st.text(max_size=6))] = changed[key]
        return changed
    return draw(JSON)


@pytest.mark.parametrize("kind", kinds())
@given(data=st.data())
@settings(max_examples=20)
def test_the_cheap_judge_and_jsonschema_agree(kind: str, data: st.DataObject) -> None:
    value = data.draw(st.composite(lambda draw: Sample(draw, kind).of(schema(kind)))())
    agree(kind, value)
    agree(kind, data.draw(st.composite(lambda draw: mutate(draw, value))()))
    agree(kind, data.draw(JSON))


@pytest.mark.parametrize("kind", kinds())
def test_every_schema_is_one_and_names_itself(kind: str) -> None:
    Draft202012Validator.check_schema(schema(kind))
    assert schema(kind)["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema(kind)["$id"] == f"{kind}.json"
    cheap(kind, {})


def test_every_file_in_the_folder_of_schemas_is_a_kind() -> None:
    assert sorted(path.name for path in SCHEMAS.iterdir()) == [f"{kind}.json" for kind in kinds()]


@pytest.mark.parametrize(
    "part", [{"contains": {}}, {"properties": {"a": {"unevaluatedItems": False}}}, {"format": "uri"}]
)
def test_a_schema_that_the_cheap_judge_cannot_judge_is_refused(part: Any) -> None:
    with pytest.raises(ValueError, match="unknown"):
        compile_schema(part, NOTHING)


@pytest.mark.parametrize("kind", ["config", "../config.v1", "config.v0", "nothing.v1"])
def test_a_kind_without_a_schema_is_an_error_not_a_pass(kind: str) -> None:
    with pytest.raises(ValueError, match="schema"):
        cheap(kind, {})


CASES: list[tuple[Any, Any]] = [
    ({"type": "integer"}, [1, 1.0, 1.5, True, "1", None]),
    ({"type": ["string", "null"]}, ["", None, 0]),
    ({"enum": [1, "a", [1]]}, [1, 1.0, True, "a", [1], [True]]),
    ({"const": {"a": 0}}, [{"a": 0}, {"a": False}, {}]),
    ({"uniqueItems": True}, [[1, 1.0], [1, True], [{"a": 1}, {"a": 1.0}], ["a", "a"], []]),
    ({"minLength": 1, "maxLength": 2}, ["", "é", "ééé", 5]),
    ({"pattern": "^a"}, ["ab", "ba", 1]),
    ({"exclusiveMinimum": 0, "exclusiveMaximum": 2}, [0, 1, 2, "x"]),
    ({"minItems": 1, "maxItems": 1, "items": {"type": "null"}}, [[], [None], [1], [None, None]]),
    ({"minProperties": 1, "maxProperties": 1}, [{}, {"a": 1}, {"a": 1, "b": 2}]),
    (
        {"patternProperties": {"^x": {"type": "null"}}, "additionalProperties": False},
        [{"x1": None}, {"x": 1}, {"y": 1}],
    ),
    ({"properties": {"a": True, "b": False}, "additionalProperties": {"type": "null"}}, [{"a": 1}, {"b": 1}, {"c": 1}]),
    ({"propertyNames": {"maxLength": 1}}, [{"a": 1}, {"ab": 1}]),
    ({"required": ["a"], "additionalProperties": True}, [{}, {"a": None}, []]),
    ({"allOf": [{"minimum": 1}, {"maximum": 2}]}, [0, 1, 3]),
    ({"anyOf": [{"type": "null"}, {"minimum": 1}]}, [None, 0, 1, "s"]),
    ({"oneOf": [{"type": "integer"}, {"minimum": 2}]}, [1, 2, 2.5, 1.5]),
    ({"not": {"type": "null"}}, [None, 1]),
    ({"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"required": ["c"]}}, [{"a": 1}, {"c": 1}, {}]),
    ({"$ref": "#/$defs/x", "$defs": {"x": {"type": "null"}}}, [None, 1]),
    ({"format": "date"}, ["2024-02-29", "2023-02-29", "20240229", "2024-W01-1", 5]),
]


@pytest.mark.parametrize(("part", "values"), CASES, ids=lambda part: json.dumps(part)[:30])
def test_each_keyword_means_what_jsonschema_says(part: Any, values: list[Any]) -> None:
    formats = FormatChecker(formats=())
    formats.checks("date")(lambda value: not isinstance(value, str) or is_date(value))
    validator = Draft202012Validator(part, format_checker=formats)
    check = compile_schema(part, lambda target: compile_schema(part["$defs"][target.rpartition("/")[2]], NOTHING))
    for value in values:
        assert (check(value) is None) == validator.is_valid(value), value


def test_the_table_of_keywords_covers_every_keyword() -> None:
    assert set().union(*(part for part, _ in CASES)) | {"minimum", "maximum", "$defs"} >= KEYWORDS - {"properties"}


@given(st.dates())
def test_every_day_of_the_calendar_is_a_date(day: Any) -> None:
    assert is_date(day.isoformat())
    assert is_date_time(f"{day.isoformat()}T00:00:00Z")


@pytest.mark.parametrize("text", ["2024-02-30", "1900-02-29", "0000-01-01", "2024-1-1", "2024-01-01\n", "２024-01-01"])
def test_what_no_calendar_has_is_no_date(text: str) -> None:
    assert not is_date(text)
    assert not is_date_time(text + "T00:00:00Z")


def test_a_schema_may_lean_on_another_one() -> None:
    finding = Finding("a.txt", 1, "r", "m").to_json()
    agree("check.v1", {"findings": [finding]})
    agree("check.v1", {"findings": [finding, {**finding, "line": -1}]})
    assert cheap("check.v1", {"findings": [{**finding, "line": -1}]}) == (
        "/findings/0/line: -1 is not allowed; legal is at least 0"
    )


def test_explaining_never_touches_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    assert explain("check.v1", {"findings": [{}]})


def test_what_was_judged_before_does_not_change_what_is_judged_now() -> None:
    rule = {"type": "object", "properties": {"version": {"type": "integer"}, "name": {"enum": ["a"]}}}
    check = compile_schema(rule, lambda _: lambda _: None)
    for good, bad in (
        ({"version": 1}, {"version": True}),
        ({"version": 0}, {"version": False}),
        ({"name": "a"}, {"name": "b"}),
    ):
        for _ in range(2):
            assert (check(good), check(bad) is None) == (None, False)
