"""One more line of ``.aiwg/instructions.ignore``, and what is lost by it."""

from __future__ import annotations

from collections.abc import Iterator

from aiwg_memory.addons.instructions.asking import arguments
from aiwg_memory.core.findings import Finding
from aiwg_memory.core.instructions.ignoring import MAX_BYTES, IgnoreFile, parse_ignore, pattern_problem
from aiwg_memory.core.instructions.names import IGNORE_FILE, is_instruction
from aiwg_memory.core.instructions.settled import inside, link_target
from aiwg_memory.core.operations import Draft, Note, Plan, Request
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import NotFound, Refused, UsageError


def ignore(tree: Tree, request: Request) -> Plan:
    """Arguments: ``patterns``, and ``files``, the instruction files there are. Raises UsageError for a bad pattern."""
    asked = arguments(request)
    patterns = list(dict.fromkeys(asked["patterns"]))
    wrong = [f"{each!r} {problem}" for each in patterns if (problem := pattern_problem(each))]
    if wrong:
        raise UsageError("; ".join(wrong), hint="write a path, or a gitignore-style pattern relative to the root")
    old = _old(tree)
    have = {line.strip() for line in old.decode("utf-8", "replace").split("\n")}
    missing = [each for each in patterns if each not in have]
    if not missing:
        return Plan(request, f"{', '.join(patterns)}: ignored already")
    lead = old if not old or old.endswith(b"\n") else old + b"\n"
    data = lead + "".join(f"{each}\n" for each in missing).encode()
    problems: list[Finding] = []
    before, after = parse_ignore(old, []), parse_ignore(data, problems)
    if len(data) > MAX_BYTES:
        problems.append(Finding(IGNORE_FILE, 0, "ignore-too-large", f"would have more than {MAX_BYTES} bytes"))
    if problems:
        raise Refused(f"{IGNORE_FILE} would not be valid", code="bad-ignore", findings=problems)
    draft = Draft(tree)
    draft.write(IGNORE_FILE, data)
    files = [RepoPath(each) for each in asked.get("files", ())]
    hidden = [path for path in files if after.matches(path) and not before.matches(path)]
    return Plan(
        request,
        f"Ignore {', '.join(missing)}: {len(hidden)} instruction file{'s' if len(hidden) != 1 else ''}",
        draft.changes,
        conflicts=tuple(_lost(tree, hidden, files, after)),
    )


def _old(tree: Tree) -> bytes:
    try:
        return tree.read(IGNORE_FILE, limit=MAX_BYTES)
    except NotFound:
        return b""


def _lost(tree: Tree, hidden: list[RepoPath], files: list[RepoPath], after: IgnoreFile) -> Iterator[Note]:
    """A link whose target is delivered itself loses nothing; a regular file, and another link, lose their text."""
    left = {path for path in files if not after.matches(path) and _kind(tree, path) == "file"}
    for path in hidden:
        kind = _kind(tree, path)
        if kind == "file":
            yield Note(path, "is a regular file: its text is delivered to nobody by this tool any more")
        elif kind == "link":
            target = link_target(tree, path)
            where = inside(path, target) if target is not None else None
            if where is not None and where in left and is_instruction(where):
                continue
            said = where or "outside the workspace" if target is not None else "somewhere"
            yield Note(path, f"leads to {said}, which is no instruction file of its own: that text is not delivered")


def _kind(tree: Tree, path: RepoPath) -> str:
    entry = tree.stat(path)
    return entry.kind if entry else ""
