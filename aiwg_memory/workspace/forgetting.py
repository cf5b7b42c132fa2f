"""Forgetting beyond the stores: previews, undo copies, index and captured packs of this machine, and what is left."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from aiwg_memory.core.adapters import ADAPTERS
from aiwg_memory.core.counting import counted
from aiwg_memory.core.operations import Change, Plan, Request
from aiwg_memory.core.paths import RepoPath, join
from aiwg_memory.core.stored import MAX_FILE
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError, UsageError
from aiwg_memory.workspace.requests import request
from aiwg_memory.worktree.local import PREVIEWS, UNDO

if TYPE_CHECKING:
    from aiwg_memory.workspace import Workspace

CAPTURES = RepoPath(".aiwg/.local/captures")
INBOX = RepoPath(".aiwg/.local/inbox")
SHEETS = RepoPath(".aiwg/.local/review")
INDEX = "index"
_OWED = re.compile(rb'"base64":"([A-Za-z0-9+/=]+)"')
LOCAL = RepoPath(".aiwg/.local")
MAX_COMMITS = 1000
MAX_PREVIEW = 64 * 1024 * 1024


def forget_request(workspace: Workspace, handles: Sequence[str], reason: str, reviewer: str) -> Request:
    """Facts (``lm_…``), candidates (``cand_…``), pages and raw copies (``wiki:…``, ``raw_…``), or one canonical value
    (``ctx:…``). Raises UsageError while the outbox holds a text of theirs."""
    _not_owed(workspace, handles)
    candidates = [handle for handle in handles if handle.startswith("cand_")]
    if candidates:
        if len(candidates) < len(handles):
            raise UsageError("candidates are forgotten by themselves", hint="forget them, then the rest")
        from aiwg_memory.workspace.candidates import decision_arguments as decided

        return request(workspace, "candidate.forget", decided(workspace, "forget", handles, reason), reviewer)
    if any(handle.startswith("ctx:") for handle in handles):
        if len(handles) > 1:
            raise UsageError("a canonical value is forgotten by itself", hint="forget one, then the other")
        return _canonical(workspace, handles[0], reason, reviewer)
    facts = [handle for handle in handles if handle.startswith("lm_")]
    if facts and len(facts) < len(handles):
        raise UsageError("facts and pages cannot be forgotten together", hint="forget the facts, then the pages")
    if facts:
        from aiwg_memory.workspace.facts import decision_arguments

        arguments = decision_arguments(workspace, "forget", handles, reason)
        return request(workspace, "line-memory.forget", arguments, reviewer)
    from aiwg_memory.workspace.pages import page_target, raw_target

    raw = [raw_target(workspace, handle) for handle in handles if handle.startswith("raw_")]
    pages = [page_target(workspace, handle)[0] for handle in handles if not handle.startswith("raw_")]
    arguments = {key: value for key, value in (("targets", pages), ("raw", raw)) if value}
    return request(workspace, "wiki.forget", arguments, reviewer)


def _not_owed(workspace: Workspace, handles: Sequence[str]) -> None:
    """An outbox is frozen: nothing is erased out of one, it is delivered or dropped first."""
    from aiwg_memory.core.outbox import read_outbox

    for line in read_outbox(workspace.tree).lines:
        subjects = [line.handle, *(one for one in line.receipt.get("subjects", ()) if isinstance(one, str))]
        held = [handle for handle in handles if any(subject.startswith(handle) for subject in subjects)]
        if held:
            hint = "`aiwg-memory recover` delivers what is owed, `aiwg-memory recover --drop SINK` closes it"
            raise UsageError(f"{line.path} still holds the text of {held[0]}", hint=hint, code="still-owed")


def _canonical(workspace: Workspace, handle: str, reason: str, reviewer: str) -> Request:
    from aiwg_memory.workspace.canon import change_arguments, one_key

    _, version = one_key(workspace, handle, None)
    arguments = change_arguments(workspace, handle, None, {"reason": reason, "version": version})
    return request(workspace, "canonical-context.forget", arguments, reviewer)


def forgotten_texts(tree: Tree, plan: Plan) -> tuple[bytes, ...]:
    """What the files that a forgetting removes hold; nothing for another operation."""
    if not plan.request.kind.endswith(".forget"):
        return ()
    if plan.request.kind == "canonical-context.forget":
        return tuple(text.encode() for change in plan.changes for text in _forgotten_values(tree, change))
    gone = (change.path for change in plan.changes if change.after is None and change.before is not None)
    return tuple(text for path in gone if (text := tree.read(path, limit=MAX_FILE).strip()))


def _forgotten_values(tree: Tree, change: Change) -> Iterator[str]:
    from aiwg_memory.addons.canonical_context.file import read_file
    from aiwg_memory.addons.canonical_context.forgetting import forgotten_texts as taken_out

    before, _ = read_file(change.path, tree.read(change.path, limit=MAX_FILE))
    after, _ = read_file(change.path, change.after or b"")
    return taken_out(before, after) if before and after else iter(())


def erase_local(workspace: Workspace, plan: Plan, texts: Sequence[bytes]) -> None:
    """Remove every file of this machine's own that holds one of ``texts``, and the copies of what the plan replaced."""
    disk = workspace.journal.disk
    replaced = {change.before.rpartition(":")[2] for change in plan.changes if change.before}
    forms = {form for text in texts for form in _spelled(text)}
    for folder in (UNDO, PREVIEWS, CAPTURES, INBOX, SHEETS):
        for name in disk.names(folder):
            path = join(folder, name)
            if (folder == UNDO and name in replaced) or _holds(workspace, path, texts, forms):
                disk.unlink(path)
    for name in disk.names(LOCAL):
        if name.startswith(INDEX):
            disk.unlink(join(LOCAL, name))


def _holds(workspace: Workspace, path: RepoPath, texts: Sequence[bytes], forms: Collection[bytes]) -> bool:
    import base64
    import json

    try:
        data = workspace.journal.disk.read(path, limit=MAX_PREVIEW)
    except AiwgError:
        return False
    if any(form in data for form in forms):
        return True
    if path.under(UNDO):
        # The outbox of a delivered operation is kept like everything that vanished, with its bytes in base64.
        return any(text in base64.b64decode(found[1]) for found in _OWED.finditer(data) for text in texts)
    if not path.under(PREVIEWS):
        return False
    try:
        inputs = json.loads(data).get("inputs", {})
        return any(text in base64.b64decode(value) for value in inputs.values() for text in texts)
    except (ValueError, AttributeError):
        return False


def _spelled(text: bytes) -> Iterator[bytes]:
    """As it is, as JSON spells it, and as the summary of a preview quotes the beginning of a long fact."""
    import json

    from aiwg_memory.addons.line_memory.first import quote

    yield text
    plain = text.decode("utf-8", "replace")
    for said in (plain, quote(plain)[1:-1]):
        for plainly in (False, True):
            yield json.dumps(said, ensure_ascii=plainly)[1:-1].encode()


def still_held(workspace: Workspace, asked: Request) -> tuple[str, ...]:
    """What a forgetting cannot reach, a line each: the commits that hold what it would remove."""
    if workspace.repository is None:
        return ()
    notes: list[str] = []
    shown = [each.path for each in ADAPTERS.values() if workspace.tree.stat(each.path)]
    for handle, path in _places(workspace, asked):
        notes += _kept(handle, path, workspace.repository.commits_touching(path, limit=MAX_COMMITS))
        if shown and handle.startswith("lm_"):
            commits = workspace.repository.commits_naming(f"`{handle}`", shown, limit=MAX_COMMITS)
            notes += _kept(handle, "it in a block of an agent's file", commits)
    return tuple(notes)


def _kept(handle: str, what: str, commits: Sequence[str]) -> Iterator[str]:
    if commits:
        yield f"  git keeps {handle}: {counted(len(commits), 'commit')} with {what}, the first {commits[0][:12]}"


def _places(workspace: Workspace, asked: Request) -> list[tuple[str, str]]:
    from aiwg_memory.addons.llm_wiki.layout import RAW, page_path
    from aiwg_memory.addons.llm_wiki.sources import read_evidence
    from aiwg_memory.core.candidates import assertion_path

    found: list[tuple[str, str]] = []
    if "key" in asked.arguments:
        from aiwg_memory.addons.canonical_context.layout import Place

        place = Place(asked.arguments["target"], asked.arguments["key"], asked.arguments.get("scope", "global"))
        return [(place.handle, place.path)]
    for target in asked.arguments.get("targets", ()):
        handle = target["handle"]
        if handle.startswith("cand_"):
            found.append((handle, assertion_path(handle)))
            continue
        fact = handle.startswith("lm_")
        found.append((handle, f".aiwg/memory/facts/{handle[3:]}.txt" if fact else page_path(handle)))
    for target in asked.arguments.get("raw", ()):
        head = read_evidence(workspace.tree).heads[target["handle"]]
        found.append((target["handle"], f"{RAW}/{head.current.text('file')}"))
    return found
