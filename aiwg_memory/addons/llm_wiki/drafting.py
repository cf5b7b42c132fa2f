"""A page to be: the skeleton of a source's own headings, for a person or an agent to fill. No model is asked."""

from __future__ import annotations

from aiwg_memory.addons.llm_wiki.layout import RAW
from aiwg_memory.addons.llm_wiki.sources import HELD, read_evidence
from aiwg_memory.core.document import edit_front, parse_document
from aiwg_memory.core.document.blocks import scan
from aiwg_memory.core.document.passages import page_title
from aiwg_memory.core.paths import RepoPath, display
from aiwg_memory.core.records import Version
from aiwg_memory.core.stored import MAX_FILE
from aiwg_memory.core.tree import Tree
from aiwg_memory.errors import NotFound


def draft(tree: Tree, raw: str) -> str:
    """The skeleton of the raw copy that ``raw`` names: its handle, digest, path or source locator. Raises NotFound."""
    version = read_evidence(tree).find(raw)
    if version is None or version.status not in HELD:
        raise NotFound(f"there is no raw copy of {display(raw)}", hint="`ingest` it first")
    data = tree.read(RepoPath(f"{RAW}/{version.text('file')}"), limit=MAX_FILE)
    return skeleton(version, data)


def skeleton(version: Version, data: bytes) -> str:
    """Title, source and headings; under each heading the lines of the source it stands for, as a comment."""
    document, _ = parse_document(version.text("name"), data)
    lines = document.body.split("\n")
    headings = scan(lines).headings
    title = page_title(document, headings) or version.text("name").rpartition("/")[2].rpartition(".")[0] or "Untitled"
    source = next((each["ref"] for each in version.list("sources") if isinstance(each.get("ref"), str)), version.handle)
    out = [f"# {title}"]
    rest = headings[1:] if headings and headings[0].level == 1 and headings[0].text == title else headings
    if not rest:
        out += ["", f"<!-- from L{document.first_line}-L{document.first_line + max(len(lines) - 2, 0)} -->"]
    for heading in rest:
        end = next((other.first for other in headings if other.first > heading.first), len(lines))
        span = f"L{document.first_line + heading.last + 1}-L{document.first_line + max(end - 1, heading.last + 1)}"
        out += ["", f"{'#' * max(heading.level, 2)} {heading.text}".rstrip(), "", f"<!-- from {span} -->"]
    front = {
        "title": title,
        "sources": [{"ref": source, "digest": version.text("digest")}],
        "classification": version.text("classification", "internal"),
    }
    return edit_front(("\n" + "\n".join(out) + "\n").encode(), front).decode()
