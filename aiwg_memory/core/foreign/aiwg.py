"""An AIWG project's own stores: line memory with its metadata, canonical context, output registrations, wiki pages.

The forms are those of its contracts ``aiwg.line-memory.v1``, ``aiwg.canonical-context.v1`` and
``aiwg.output-registration.v1``: one JSON object a file, camelCase.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from aiwg_memory.core.canonical import DIGEST, digest
from aiwg_memory.core.counting import counted
from aiwg_memory.core.foreign import Fact, File, Found, Output, Value
from aiwg_memory.core.foreign.pages import page
from aiwg_memory.core.records import read_line

TOOL = "aiwg"
LINES = "memory/line-memory.txt"
META = "memory/line-memory.meta.json"
CONTEXT = "context/compound-memory/context.json"
OUTPUTS = "memory/output-registration/"
WIKI = "wiki/"
_SCHEMAS = {
    META: "aiwg.line-memory.v1",
    CONTEXT: "aiwg.canonical-context.v1",
    OUTPUTS: "aiwg.output-registration.v1",
}
_STATES = ("active", "archived", "removed", "superseded", "merged", "revoked", "expired")
_VALUE_STATES = ("active", "superseded", "revoked", "archived", "expired")
_SCOPES = {"": "global", "project": "global", "workspace": "global", "global": "global"}
_SCOPE = re.compile(r"(?:path:\S.*|(?:project|session):[A-Za-z0-9._-]{1,128})\Z")
_TIME = re.compile(r"([0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9])(?:\.[0-9]+)?Z\Z")

Object = Mapping[str, Any]


def read(files: Mapping[str, File]) -> Found:
    """``files`` by their names below ``.aiwg/``."""
    found = Found()
    _facts(files, found)
    _values(files, found)
    kept = sorted(name for name in files if "/receipts/" in name)
    if kept:
        found.remark(kept[0], f"{counted(len(kept), 'receipt')} of that tool left alone: here they prove nothing")
    for name in sorted(files):
        if name.startswith(OUTPUTS) and name.endswith(".json"):
            _output(name, files[name], found)
        elif name.startswith(WIKI) and name.endswith(".md") and not name.startswith("wiki/raw/"):
            page(name.removeprefix(WIKI), name, files[name], TOOL, found, keep=("status", "review_at", "expires_at"))
    return found


def _facts(files: Mapping[str, File], found: Found) -> None:
    lines = _lines(files, found)
    waiting = dict.fromkeys(lines)
    for name, entry in _entries(files, META, found):
        text, status = entry.get("value"), entry.get("status", "active")
        if not isinstance(text, str) or status not in _STATES:
            found.remark(name, f"is left out: its status {status!r} is not known here, or it has no text")
            continue
        plain = " ".join(text.split())
        stands = plain in waiting
        if status == "active" and not stands:
            found.remark(name, f"is left out: its line is not in {LINES} any more")
            continue
        if entry.get("digest") not in (None, digest(text.encode()), digest(text.encode() + b"\n")):
            found.remark(name, "its digest is not that of its text, so nothing else it says of itself is kept")
            continue
        if status != "active" and stands:
            found.remark(name, f"is {status} there, and its line is still there: taken in as a line without an entry")
            continue
        scope = _scope(name, entry, found)
        if scope is None:
            continue
        waiting.pop(plain, None)
        found.facts.append(_fact(name, text, status, scope, entry))
    for text in waiting:
        place = f"{LINES}:{lines[text]}"
        found.facts.append(Fact(text, place, origin={"tool": TOOL, "place": place}))


def _lines(files: Mapping[str, File], found: Found) -> dict[str, int]:
    """Each line that is a fact, with white space made single, and where it stands."""
    if LINES not in files:
        return {}
    lines: dict[str, int] = {}
    for number, line in enumerate(files[LINES].data.decode("utf-8", "replace").split("\n"), 1):
        text = " ".join(line.removeprefix("\ufeff").split())
        if text and not text.startswith("#"):
            lines.setdefault(text, number)
            if "\ufffd" in text:
                found.remark(f"{LINES}:{number}", "is not UTF-8")
    return lines


def _fact(name: str, text: str, status: str, scope: str, entry: Object) -> Fact:
    told = entry.get("disposition")
    disposition = told if isinstance(told, dict) else {}
    origin: dict[str, Any] = {"tool": TOOL, "place": f"{META}#{name}", "created_at": _time(entry.get("createdAt"))}
    origin |= {"disposition": _disposition(disposition)} if disposition else {}
    several = entry.get("sources")
    sources = [one for one in several if isinstance(one, dict)] if isinstance(several, list) else []
    reviewers = sorted({one["reviewer"] for one in sources if isinstance(one.get("reviewer"), str)})
    origin |= {"reviewers": reviewers} if reviewers else {}
    return Fact(
        text=text,
        place=f"{META}#{name}",
        id=name,
        status=status,
        scope=scope,
        sources=tuple(_source(one) for one in sources if isinstance(one.get("ref"), str) and one["ref"]),
        expires_at=_time(entry.get("expiresAt")),
        review_at=_time(entry.get("reviewAt")),
        replacement=_text(disposition.get("replacement")),
        origin={key: value for key, value in origin.items() if value},
    )


def _source(one: Object) -> dict[str, Any]:
    stated = one.get("digest")
    return {"ref": one["ref"], "digest": stated if isinstance(stated, str) and DIGEST.match(stated) else None}


def _disposition(told: Object) -> dict[str, str]:
    kept = {"by": told.get("reviewer"), "reason": told.get("reason"), "replacement": told.get("replacement")}
    kept["at"] = _time(told.get("recordedAt"))
    return {key: value for key, value in kept.items() if isinstance(value, str) and value}


def _values(files: Mapping[str, File], found: Found) -> None:
    values = []
    for name, entry in _entries(files, CONTEXT, found):
        told = [entry.get(key) for key in ("target", "key", "value")]
        status = entry.get("status", "active")
        if not all(isinstance(one, str) and one for one in told) or status not in _VALUE_STATES:
            found.remark(name, "is left out: target, key and value are no texts, or its status is not known here")
            continue
        scope = _scope(name, entry, found)
        if scope is not None:
            values.append((_time(entry.get("createdAt")), _value(name, status, scope, entry)))
    found.values = [
        value for _, value in sorted(values, key=lambda one: (one[0], one[1].status == "active", one[1].id))
    ]


def _value(name: str, status: str, scope: str, entry: Object) -> Value:
    told = entry.get("disposition")
    origin: dict[str, Any] = {
        "tool": TOOL, "place": f"{CONTEXT}#{name}", "created_at": _time(entry.get("createdAt")),
        "reviewer": _text(entry.get("reviewer")), "reason": _text(entry.get("reason")),
        "disposition": _disposition(told) if isinstance(told, dict) else {},
    }  # fmt: skip
    ref = entry.get("sourceRef")
    sources = (_source({"ref": ref, "digest": entry.get("sourceDigest")}),) if isinstance(ref, str) and ref else ()
    return Value(
        target=entry["target"],
        key=entry["key"],
        value=entry["value"],
        place=f"{CONTEXT}#{name}",
        id=name,
        status=status,
        scope=scope,
        classification=_text(entry.get("classification")) or "internal",
        sources=sources,
        expires_at=_time(entry.get("expiresAt")),
        review_at=_time(entry.get("reviewAt")),
        origin={key: value for key, value in origin.items() if value},
    )


def _output(name: str, file: File, found: Found) -> None:
    value = _document(name, file, _SCHEMAS[OUTPUTS], found)
    output, pack = (value.get(key) for key in ("output", "contextPack")) if value else (None, None)
    if not isinstance(output, dict) or not isinstance(pack, dict):
        return
    texts = (output.get("locator"), output.get("digest"), pack.get("id"), pack.get("digest"))
    if not all(isinstance(one, str) for one in texts) or not all(DIGEST.match(str(one)) for one in texts[1:]):
        found.remark(name, "is left out: it lacks the locator, or a digest of output or pack")
        return
    several = pack.get("sources")
    sources = [one for one in several if isinstance(one, dict)] if isinstance(several, list) else []
    found.outputs.append(
        Output(
            path=output["locator"],
            digest=output["digest"],
            media_type=_text(output.get("mediaType")),
            pack={"id": pack["id"], "digest": pack["digest"]},
            sources=tuple(_source(one) for one in sources if isinstance(one.get("ref"), str) and one["ref"]),
            place=name,
            id=_text(value.get("registrationId")),
            supersedes=tuple(one for one in value.get("supersedes") or () if isinstance(one, str)),
            conflicts_with=tuple(one for one in value.get("conflictsWith") or () if isinstance(one, str)),
        )
    )


def _entries(files: Mapping[str, File], name: str, found: Found) -> Iterator[tuple[str, Object]]:
    if name not in files:
        return
    value = _document(name, files[name], _SCHEMAS[name], found)
    entries = value.get("entries")
    for key, entry in entries.items() if isinstance(entries, dict) else ():
        if isinstance(entry, dict):
            yield key, entry
        else:
            found.remark(key, f"is left out: it is no object in {name}")


def _document(name: str, file: File, schema: str, found: Found) -> Object:
    value, wrong = read_line(file.data.removeprefix(b"\xef\xbb\xbf"))
    if wrong or not isinstance(value, dict):
        found.remark(name, f"is left out: it is {wrong or 'no JSON object'}")
        return {}
    if value.get("schemaVersion") != schema:
        found.remark(name, f"is left out: its schemaVersion {value.get('schemaVersion')!r} is not {schema}")
        return {}
    return value


def _scope(name: str, entry: Object, found: Found) -> str | None:
    """The scope here; None, after a remark, for one that would be wider here or that nobody here knows."""
    stated = _text(entry.get("scope"))
    if stated in _SCOPES:
        return _SCOPES[stated]
    if _SCOPE.match(stated):
        return stated
    found.remark(name, f"is left out: its scope {stated!r} has no like here")
    return None


def _time(stated: Any) -> str:
    """To the second; "" for what is no time in UTC."""
    match = _TIME.match(stated) if isinstance(stated, str) else None
    return match[1] + "Z" if match else ""


def _text(stated: Any) -> str:
    return stated if isinstance(stated, str) else ""
