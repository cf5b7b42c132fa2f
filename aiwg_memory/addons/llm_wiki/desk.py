"""Where one plan about the wiki is put together: pages found, judged and placed, over the desk that all share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aiwg_memory.addons.llm_wiki.layout import MAX_PAGE, look, page_handle, page_path
from aiwg_memory.addons.llm_wiki.state import scope_problem
from aiwg_memory.core import desk
from aiwg_memory.core.canonical import digest
from aiwg_memory.core.document import normalise, parse_document, title_of
from aiwg_memory.core.operations import Request
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.schema import cheap, explain
from aiwg_memory.core.screening import redact, screen
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import AiwgError


class Desk(desk.Desk):
    """Arguments are of the schema ``wiki_request.v1``; the rest is as at every desk."""

    def __init__(self, tree: Tree, request: Request, *, needs: tuple[str, ...], takes: tuple[str, ...] = ()) -> None:
        super().__init__(tree, request, "wiki_request.v1", needs=needs, takes=takes)

    def screen_bytes(self, data: bytes, path: str) -> None:
        """Refuse what the screen refuses in bytes that are kept as they are, and warn of nothing."""
        found = screen(data.decode("utf-8", "replace"), path=path, line=1, exceptions=self._exceptions)
        self.judge(finding for finding in found if finding.severity == "error")

    def redacted(self, text: str, path: str) -> str:
        """``text`` without its secrets where the request asks for that; each one is said."""
        if not self.arguments.get("redact"):
            return text
        clean, findings = redact(text, path=path, exceptions=self._exceptions)
        self.warnings += findings
        return clean

    def page(self, target: Mapping[str, Any]) -> tuple[RepoPath, bytes] | None:
        """The page a target names and its bytes, after its expected digest was compared; None after noting why not."""
        try:
            path = page_path(target["handle"])
        except AiwgError as error:
            self.wrong(error.code, error.message, error.hint)
            return None
        data = self.read(path)
        if data is None:
            self.wrong(
                "not-found", f"there is no page {page_handle(path)}", "`wiki list` shows the pages there are", path
            )
        elif digest(data) != target["expected"]:
            message = f"{page_handle(path)} is not what was shown: it has the digest {digest(data)[:15]}…"
            self.wrong("wrong-version", message, "look at it again, then decide", path)
        else:
            return path, data
        return None

    def read(self, path: RepoPath) -> bytes | None:
        entry = look(self.tree, path)
        return self.tree.read(path, limit=MAX_PAGE) if entry is not None and entry.kind == "file" else None

    def accept(self, path: RepoPath, data: bytes) -> None:
        """A page as somebody wants it to stand: readable, by the schema, and what the screen lets through."""
        document, problems = parse_document(path, data)
        stated = {key: value for key, value in document.front.items() if value is not None}
        self._wrong += [finding for finding in problems if finding.severity == "error"]
        if cheap("page.v1", stated) is not None:
            self._wrong += explain("page.v1", stated, path=path, line=1)
        if (problem := scope_problem(document.front)) is not None:
            self.wrong("scope", problem, "leave the scope out for a page that applies everywhere", path)
        self.screen(title_of(document), path, line=1, strict=True)
        for key in ("aliases", "tags", "superseded_by", "supersedes", "epoch"):
            value = stated.get(key)
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, str):
                    self.screen(each, path, line=1, strict=True)
        self.screen(path, path, strict=True)
        self.screen(data.decode("utf-8", "replace"), path, line=1)

    def place(self, path: RepoPath, data: bytes) -> None:
        data = normalise(data)
        if len(data) > MAX_PAGE:
            self.wrong("too-large", f"{path} would have {len(data)} bytes; at most {MAX_PAGE}", "part it in two", path)
        self.subjects[page_handle(path)] = None
        self.draft.write(path, data)
