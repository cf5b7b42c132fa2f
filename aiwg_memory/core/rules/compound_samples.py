"""Small stores of candidates, outputs and what is owed, with the ids that follow from what they say."""

from __future__ import annotations

import base64
import json
from typing import Any

from aiwg_memory.core.candidates import assertion_path, fingerprint, record_id, text_digest
from aiwg_memory.core.canonical import digest, digest_json, short
from aiwg_memory.core.operations import Change, receipt_path
from aiwg_memory.core.outbox import SCHEMA, outbox_path
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.rules.samples import ADA, AT, LUNCH, SEG, fact, lines, receipt, segment

OUTPUT = "reports/lunch.md"
SINK = "line-memory"


def candidate(text: str = LUNCH, **said: Any) -> dict[str, Any]:
    """The record of a candidate, with the handle and the fingerprint of what it says."""
    value = {
        "schema": "aiwg.candidate_record.v1", "version": 1, "previous": None, "status": "pending", "seg": SEG,
        "at": AT, "type": "fix", "digest": text_digest(text), "evidence": [], "confidence": None, "warnings": [],
        "dependencies": {"state": "known", "leaves": []}, "proposed_by": "codex", "scope": "global",
        "provenance": "extracted", "classification": "internal", "reviewer": ADA, **said,
    }  # fmt: skip
    value["handle"] = record_id(value)
    return {**value, "fingerprint": fingerprint(value)}


def proposed(text: str = LUNCH, **said: Any) -> dict[str, str]:
    """A candidate's record and its text."""
    value = candidate(text, **said)
    return {assertion_path(value["handle"]): f"{text}\n", segment(store="memory/candidates.d"): lines(value)}


def output(text: str = "# Report\n", **said: Any) -> dict[str, str]:
    """A file of the project and its registration."""
    pack = {"id": f"pack_{'5' * 64}", "text_digest": f"sha256:{'6' * 64}", "tree": "memory", "format": "markdown"}
    whole = digest(text.encode())
    value = {
        "schema": "aiwg.output_record.v1", "handle": "out_" + short(digest_json([OUTPUT, whole, pack["id"]])),
        "version": 1, "previous": None, "status": "active", "seg": SEG, "at": AT, "path": OUTPUT, "digest": whole,
        "media_type": "text/markdown", "pack": {**pack, "request": {}}, "sources": [], "supersedes": [],
        "conflicts_with": [], "classification": "derived", "provenance": "operator", "reviewer": ADA, **said,
    }  # fmt: skip
    return {OUTPUT: text, segment(store="memory/outputs.d"): lines(value)}


def owed() -> dict[str, str]:
    """An outbox that owes a fact to one sink."""
    changes = [Change(RepoPath(path), None, str(text).encode()) for path, text in sorted(fact().items())]
    line = {
        "schema": SCHEMA, "operation_id": "op_" + "1" * 64, "seg": SEG, "sink": SINK, "handle": candidate()["handle"],
        "evidence": [], "receipt": _promised(),
        "changes": [
            {**one.to_json(), "base64": base64.b64encode(one.after or b"").decode(), "read_only": False}
            for one in changes
        ],
    }  # fmt: skip
    return {outbox_path(SEG): lines(line)}


def paid() -> dict[str, str]:
    """The same delivered: the outbox, the fact and the receipt of it."""
    return {**owed(), **{path: str(text) for path, text in fact().items()}, receipt_path(SEG, SINK): lines(_promised())}


def _promised() -> dict[str, Any]:
    (text,) = receipt({}, fact(), kind="candidate.promote", sink=SINK).values()
    promised: dict[str, Any] = json.loads(str(text))
    return promised
