"""The part of YAML that means one thing to everybody: plain trees of strings, numbers, booleans and null.

Values are built from the parser's events, so that nothing is expanded, resolved or constructed that was not asked for.
Scalars follow the YAML 1.2 core schema: ``on``, ``off``, ``yes``, ``no`` and dates are strings. So are numbers that
would not survive a round trip: leading zeros, other bases, more than 15 digits, infinities.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from aiwg_memory.core.findings import Finding
from aiwg_memory.core.paths import display
from aiwg_memory.core.patterns import pattern
from aiwg_memory.errors import Damaged

if TYPE_CHECKING:
    import yaml

MAX_BYTES = 64 * 1024
MAX_DEPTH = 16
MAX_PROBLEMS = 20

_NULL = ("", "~", "null", "Null", "NULL")
_BOOLEAN = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INTEGER = pattern(r"-?(?:0|[1-9][0-9]{0,14})\Z")
_FLOAT = pattern(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?(?:[eE][-+]?[0-9]{1,2})?\Z")


def load(data: bytes | str, *, path: str, first_line: int = 1, limit: int = MAX_BYTES) -> Any:
    """The one document in ``data`` (UTF-8, at most ``limit`` bytes); an empty one is None.

    ``path`` and ``first_line`` only place the findings. Raises Damaged with every finding: syntax, duplicate or
    non-string keys, anchors, aliases, tags, more than 16 levels, a second document.
    """
    text = _text(data, path, first_line, limit)
    plain = flat(text)
    if plain is not None:
        return plain
    builder = _Builder(path, first_line)
    take = builder.takers()
    for event in _events(text, path, first_line):
        taker = take.get(event.__class__)
        if taker is not None:
            taker(event)
            if builder.lost or len(builder.findings) >= MAX_PROBLEMS:
                break
    if builder.findings:
        raise _damaged(path, builder.findings)
    return builder.value


# An indent, then an item, or a key, or neither; then words that no reader could take for anything else.
_FLAT = pattern(
    r"( *)(- )?(?:([A-Za-z_][A-Za-z0-9_-]{0,63}):(?: +|\Z))?"
    r"([A-Za-z0-9_](?:[A-Za-z0-9_.,()/@<>+=~-]|[ :](?=[A-Za-z0-9_.()/@<>+=~-]))*)?\Z"
)


def flat(text: str) -> dict[str, Any] | None:
    """What ``load`` gives for ``key: words`` lines, and for lists and mappings of words, or lists of those mappings.

    None for anything else.

    Most settings and most front matter are that, and the parser costs two starts of the interpreter. What is in doubt
    is left to it, errors above all.
    """
    document: dict[str, Any] = {}
    key, below = "", None
    for line in text.split("\n"):
        if line.lstrip(" ")[:1] in ("", "#"):
            if not line.isprintable():
                return None
            continue
        found = _FLAT.match(line)
        if found is None:
            return None
        indent, item, name, value = found.groups()
        if name and not indent and not item:
            if not _put(document, name, resolve(value or "")):
                return None
            key, below = ("", None) if value else (name, None)
            continue
        if not key or not value:
            return None
        form = (indent, item, bool(name))
        if below is None:
            below, document[key] = form, [] if item else {}
        inner = document[key]
        if form != below:
            # The second key of a mapping in a list stands below the first one.
            if not (name and not item and below[1:] == ("- ", True) and indent == below[0] + "  "):
                return None
            inner = inner[-1]
        elif item and name:
            inner.append({})
            inner = inner[-1]
        if name:
            if not _put(inner, name, resolve(value)):
                return None
        elif item:
            inner.append(resolve(value))
        else:
            return None
    return document or None


def _put(mapping: dict[str, Any], name: str, value: Any) -> bool:
    """Whether the key is text, and was not there before."""
    if name in mapping or not isinstance(resolve(name), str):
        return False
    mapping[name] = value
    return True


def resolve(plain: str) -> Any:
    """What an unquoted scalar means."""
    if plain in _NULL:
        return None
    if plain in _BOOLEAN:
        return _BOOLEAN[plain]
    if plain[0] in "-0123456789":
        if _INTEGER.match(plain) and plain != "-0":
            return int(plain)
        if _FLOAT.match(plain):
            return float(plain)
    return plain


class KeySpan(NamedTuple):
    """Where one top-level key stands: lines count from 0 within the text, columns in characters.

    ``end_line`` and ``end_column`` are where a scalar or flow value ends; None for a block value, whose end only the
    next key tells.
    """

    key: str
    line: int
    end_line: int | None
    end_column: int


def outline(text: str, *, path: str) -> tuple[KeySpan, ...] | None:
    """The top-level keys of a block mapping in order; None when the text is no block mapping. For sound text only."""
    import yaml

    spans: list[KeySpan] = []
    depth, key, flow_end = 0, None, False
    for event in _events(text, path, 1):
        if depth == 1 and isinstance(event, yaml.ScalarEvent):
            if key is None:
                key = event
            else:
                block = event.style in ("|", ">")
                spans.append(_span(key, None if block else event))
                key = None
        elif isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth == 1 and not (isinstance(event, yaml.MappingStartEvent) and not event.flow_style):
                return None
            if depth == 2:
                flow_end = bool(event.flow_style)
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
            if depth == 1 and key is not None:
                spans.append(_span(key, event if flow_end else None))
                key = None
    return tuple(spans) if spans else None


def _span(key: Any, value: Any) -> KeySpan:
    if value is None:
        return KeySpan(key.value, key.start_mark.line, None, 0)
    return KeySpan(key.value, key.start_mark.line, value.end_mark.line, value.end_mark.column)


class _Builder:
    """Values from events, with a stack of open collections. ``lost``: reading on makes no sense."""

    def __init__(self, path: str, first_line: int) -> None:
        self.path, self.first_line = path, first_line
        self.value: Any = None
        self.lost = False
        self.findings: list[Finding] = []
        self._open: list[Any] = []
        self._keys: list[str | None] = []
        self._documents = 0

    def takers(self) -> dict[type, Callable[[Any], None]]:
        """What to do with an event of each class; the others say nothing."""
        import yaml

        return {
            yaml.ScalarEvent: self._scalar,
            yaml.MappingStartEvent: lambda event: self._collection(event, {}),
            yaml.SequenceStartEvent: lambda event: self._collection(event, []),
            yaml.MappingEndEvent: self._close,
            yaml.SequenceEndEvent: self._close,
            yaml.AliasEvent: self._alias,
            yaml.DocumentStartEvent: self._document,
        }

    def _close(self, _: Any) -> None:
        self._open.pop()
        self._keys.pop()

    def _alias(self, event: Any) -> None:
        self._report(event, "yaml-alias", "an alias; write the value out")
        self._place(event, None, plain_key=None)

    def _document(self, event: Any) -> None:
        self._documents += 1
        if self._documents > 1:
            self._report(event, "yaml-documents", "a second document; only one is read")
            self.lost = True

    def _scalar(self, event: Any) -> None:
        self._refuse_names(event)
        value = event.value if event.style else resolve(event.value)
        self._place(event, value, plain_key=value if isinstance(value, str) else None)

    def _collection(self, event: Any, value: Any) -> None:
        self._refuse_names(event)
        if len(self._open) >= MAX_DEPTH:
            self._report(event, "yaml-depth", f"more than {MAX_DEPTH} levels")
            self.lost = True
            return
        if self._open and isinstance(self._open[-1], dict) and self._keys[-1] is None:
            self._report(event, "yaml-key", "a key that is not text")
            self.lost = True
            return
        self._place(event, value, plain_key=None)
        self._open.append(value)
        self._keys.append(None)

    def _refuse_names(self, event: Any) -> None:
        if event.anchor is not None:
            self._report(event, "yaml-anchor", "an anchor; write the value out")
        if event.tag is not None:
            self._report(event, "yaml-tag", "a tag; values say what they are themselves")

    def _place(self, event: Any, value: Any, *, plain_key: str | None) -> None:
        if not self._open:
            self.value = value
            return
        parent = self._open[-1]
        if isinstance(parent, list):
            parent.append(value)
            return
        key = self._keys[-1]
        if key is not None:
            parent[key] = value
            self._keys[-1] = None
            return
        if plain_key is None:
            self._report(event, "yaml-key", "a key that is not text; put quotes around it")
            plain_key = f"\0{len(parent)}"
        elif plain_key in parent:
            self._report(event, "yaml-duplicate-key", f"the key {display(plain_key)} twice; keep one of them")
        self._keys[-1] = plain_key

    def _report(self, event: Any, rule: str, problem: str) -> None:
        line = event.start_mark.line + self.first_line
        self.findings.append(Finding(self.path, line, rule, f"the YAML holds {problem}"))


def _text(data: bytes | str, path: str, first_line: int, limit: int) -> str:
    size = len(data) if isinstance(data, bytes) else len(data.encode("utf-8", "surrogatepass"))
    if size > limit:
        raise _damaged(path, [Finding(path, first_line, "yaml-size", f"the YAML has {size} bytes, at most {limit}")])
    try:
        text = data.decode() if isinstance(data, bytes) else data
        text.encode()
    except UnicodeError as error:
        raise _damaged(path, [Finding(path, first_line, "encoding", "the YAML is not UTF-8")]) from error
    return text.removeprefix("\ufeff")


def _events(text: str, path: str, first_line: int) -> Iterator[yaml.Event]:
    import yaml

    try:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
        while (event := loader.get_event()) is not None:
            yield event
            if event.__class__ is yaml.StreamEndEvent:
                return
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = first_line + (mark.line if mark is not None else 0)
        problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "it cannot be parsed"
        raise _damaged(path, [Finding(path, line, "yaml-syntax", f"the YAML is broken: {problem}")]) from error


def _damaged(path: str, findings: list[Finding]) -> Damaged:
    first = findings[0]
    more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
    return Damaged(
        f"{path} line {first.line}: {first.message}{more}",
        hint="correct the lines named; the file is not read until then",
        findings=findings,
    )
