"""Rules about instruction files and their pins."""

from __future__ import annotations

import json

from aiwg_memory.core.adapters import ADAPTERS, inner_text, placed
from aiwg_memory.core.canonical import slug
from aiwg_memory.core.instructions.discover import discover
from aiwg_memory.core.instructions.gather import MAX_ENTRIES
from aiwg_memory.core.instructions.snapshot import PROTOCOL
from aiwg_memory.core.rules.rule import Example, Files, Rule
from aiwg_memory.core.rules.samples import AT
from aiwg_memory.core.tree import MemoryTree

_TEXT = "Run the tests before you say that it works.\n"
_OTHER = "Run the tests and the linter.\n"
_GOOD = Example({"AGENTS.md": _TEXT}, {})
_IGNORE = ".aiwg/instructions.ignore"
_BEGIN, _END = "<!-- aiwg-memory:begin 0123456789abcdef -->", "<!-- aiwg-memory:end -->"


def _limits(name: str, value: int) -> dict[str, str]:
    return {".aiwg/config.yaml": f"schema: aiwg.config.v1\ninstructions:\n  limits: {{{name}: {value}}}\n"}


def pinned(files: Files, target: str = ".") -> dict[str, str | None]:
    """The first revision of the pin of ``target``, as it is confirmed, and its texts."""
    tree = MemoryTree({path: None if text is None else text.encode() for path, text in files.items()})
    found = discover(tree, target, loaded_at=AT)
    kept = ("ordinal", "path", "kind", "scope", "depth", "precedence", "content_sha256", "redacted")
    sources = [
        {**{name: each.identity()[name] for name in kept}, "plain_sha256": each.plain_sha256, "size": each.size,
         "why_effective": each.why_effective}
        for each in found.sources
    ]  # fmt: skip
    value = {
        "schema": "aiwg.pin.v1", "handle": f"pin:{found.target}:1", "target": found.target, "revision": 1,
        "previous": [], "status": "pinned", "protocol_version": PROTOCOL, "fingerprint": found.fingerprint,
        "limits": dict(found.limits), "screening": found.screening, "sources": sources, "ignored": [],
        "conflicts": [], "delivery": [], "reason": "",
    }  # fmt: skip
    manifest = f".aiwg/pins/{slug(found.target)}/0001-{found.fingerprint[:12]}.json"
    texts = {f".aiwg/pins/objects/{each.content_sha256}": each.content for each in found.sources}
    return {manifest: json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1) + "\n", **texts}


_PINNED: dict[str, str | None] = {"AGENTS.md": _TEXT, **pinned({"AGENTS.md": _TEXT})}
_MANIFEST = next(path for path in _PINNED if path.endswith(".json"))
_OBJECT = next(path for path in _PINNED if "/objects/" in path)
_CONFIRMED = Example(_PINNED, {})


def _block(text: str) -> str:
    """As it is written for an agent that reads AGENTS.md."""
    (adapter,) = (one for one in ADAPTERS.values() if one.path == "AGENTS.md")
    return placed(adapter, None, text).decode()


def _without(path: str) -> dict[str, str | None]:
    return {name: text for name, text in _PINNED.items() if name != path}


_REFUSED = (
    Rule(
        "symlink",
        "error",
        "A link lies where an instruction file or its directory is looked for",
        "Nobody reads through it; a line of `.aiwg/instructions.ignore` is how to live with one. Below the root it is "
        "a warning until something there is pinned, as with all that is refused.",
        Example({"AGENTS.md": _TEXT, "CLAUDE.md": None}, {}),
        Example({"AGENTS.md": _TEXT, "CLAUDE.md": None, _IGNORE: "./CLAUDE.md\n"}, {}),
    ),
    Rule(
        "special-file",
        "error",
        "A directory, pipe or device lies where an instruction file is looked for",
        "What is no regular file cannot be read whole.",
        Example({"CLAUDE.md/notes.txt": _TEXT}, {"CLAUDE.md": _TEXT}),
        _GOOD,
    ),
    Rule(
        "invalid-utf8",
        "error",
        "An instruction file is not UTF-8",
        "An agent would see other characters than the person who wrote it.",
        Example({"AGENTS.md": "Caf\udce9 first.\n"}, {}),
        _GOOD,
    ),
    Rule(
        "nul-byte",
        "error",
        "An instruction file holds a NUL byte",
        "Such a file is binary, or cut short by whoever reads it as text.",
        Example({"AGENTS.md": "Run\0the tests.\n"}, {}),
        _GOOD,
    ),
    Rule(
        "empty",
        "error",
        "An instruction file is blank",
        "A reader would see nothing; only an override may be blank, which says that there is none.",
        Example({"AGENTS.md": "\n"}, {}),
        _GOOD,
    ),
    Rule(
        "bad-name",
        "error",
        "A rule has a name that no path may have",
        "Line breaks, other control characters, backslashes and names of devices mean other things elsewhere.",
        Example({".aiwg/rules/two\nlines.md": _TEXT}, disk=True),
        Example({".aiwg/rules/two-lines.md": _TEXT}, disk=True),
    ),
    Rule(
        "too-many-entries",
        "error",
        "More lies below the rules folder of one level than is looked through",
        f"At most {MAX_ENTRIES:,} names: whoever looks a target up looks at all of them.",
        Example({f".aiwg/rules/notes/{number}.txt": "" for number in range(MAX_ENTRIES)}, disk=True),
        Example({f".aiwg/rules/notes/{number}.txt": "" for number in range(3)}, disk=True),
    ),
    Rule(
        "too-deep",
        "error",
        "A rule lies deeper below its folder than is followed",
        "At most 32 levels, or as many as the settings allow.",
        Example({**_limits("depth", 1), ".aiwg/rules/a/b/style.md": _TEXT}, {}),
        Example({**_limits("depth", 1), ".aiwg/rules/style.md": _TEXT}, {}),
    ),
    Rule(
        "source-too-large",
        "error",
        "An instruction file is larger than is delivered",
        "At most 64 KiB, or what the settings allow; nothing is cut.",
        Example({**_limits("source_bytes", 20), "AGENTS.md": _TEXT}, {}),
        _GOOD,
    ),
    Rule(
        "total-too-large",
        "error",
        "The instruction files of one chain are larger together than is delivered",
        "At most 256 KiB, or what the settings allow; nothing is dropped to make room.",
        Example({**_limits("total_bytes", 60), "AGENTS.md": _TEXT, "CLAUDE.md": _OTHER}, {}),
        Example({"AGENTS.md": _TEXT, "CLAUDE.md": _OTHER}, {}),
    ),
    Rule(
        "too-many-sources",
        "error",
        "More instruction files apply to one target than are delivered",
        "At most 64, or as many as the settings allow; none is left out to make room.",
        Example({**_limits("sources", 1), "AGENTS.md": _TEXT, "CLAUDE.md": _OTHER}, {}),
        Example({"AGENTS.md": _TEXT, "CLAUDE.md": _OTHER}, {}),
    ),
    Rule(
        "bad-ignore",
        "error",
        "A line of the ignore file is no pattern",
        "Absolute patterns, `..`, backslashes, negation and what ignores everything mean other things elsewhere.",
        Example({"AGENTS.md": _TEXT, _IGNORE: "!CLAUDE.md\n"}, {}),
        Example({"AGENTS.md": _TEXT, _IGNORE: "./CLAUDE.md\n"}, {}),
    ),
    Rule(
        "ignore-too-large",
        "error",
        "The ignore file is too large",
        "At most 16 KiB: a folder needs one line.",
        Example({_IGNORE: "# linked\n" * 2000}, {}),
        Example({_IGNORE: "# linked\n"}, {}),
    ),
    Rule(
        "ignore-too-many",
        "error",
        "The ignore file has too many patterns",
        "At most 128: every name is held against each.",
        Example({_IGNORE: "".join(f"part{number}/\n" for number in range(129))}, {}),
        Example({_IGNORE: "parts/\n"}, {}),
    ),
)

_SAID = (
    Rule(
        "near-miss-name",
        "warning",
        "A file is nearly called like an instruction file",
        "Nobody reads it: names are compared letter by letter.",
        Example({"agents.md": _TEXT}, {}),
        _GOOD,
    ),
    Rule(
        "override-names-sibling",
        "warning",
        "An override speaks of the file that it replaces",
        "`AGENTS.override.md` replaces `AGENTS.md` as a whole; nothing of it is read beside it.",
        Example({"AGENTS.md": _TEXT, "AGENTS.override.md": "As in AGENTS.md, and be quick.\n"}, {}),
        Example({"AGENTS.md": _TEXT, "AGENTS.override.md": _OTHER}, {}),
    ),
    Rule(
        "link-as-text",
        "warning",
        "A file looks like a link that was checked out as text",
        "Systems without links write the name it leads to into a file, and that is then all the text there is.",
        Example({"AGENTS.md": _TEXT, "CLAUDE.md": "AGENTS.md"}, {}),
        _GOOD,
    ),
    Rule(
        "hard-link",
        "warning",
        "An instruction file has a second name on the disk",
        "Whoever writes to the other name changes it, without anybody who looks at this one.",
        Example({"AGENTS.md": _TEXT}, disk=True, links={"notes.md": "AGENTS.md"}),
        Example({"AGENTS.md": _TEXT, "notes.md": _TEXT}, disk=True),
    ),
    Rule(
        "adapter-stale",
        "warning",
        "A generated block is not what it would be now",
        "An agent reads what is no longer so: `aiwg-memory adapters refresh`.",
        Example({"AGENTS.md": _block("Ask somebody else.\n")}, disk=True),
        Example({"AGENTS.md": _block(inner_text(None))}, disk=True),
    ),
    Rule(
        "edited-fence",
        "warning",
        "A block that this tool generated was edited by hand",
        "It is left out all the same: memory does not come back as policy. Write beside the block.",
        Example({"AGENTS.md": f"{_BEGIN}\nUse tabs.\n{_END}\n"}, {}),
        _GOOD,
    ),
    Rule(
        "broken-fence",
        "warning",
        "A generated block begins and never ends, or ends and never begins",
        "It is left out as far as its digest reaches; where that tells nothing, so is all that follows.",
        Example({"AGENTS.md": f"{_TEXT}\n{_BEGIN}\nUse tabs.\n"}, {}),
        _GOOD,
    ),
    Rule(
        "rule-front-matter",
        "warning",
        "A rule's front matter is read by nobody, or cannot be read",
        "Each agent knows a few keys; any other is a wish that nobody hears.",
        Example({".aiwg/rules/style.md": f"---\npaths: src/**\n---\n{_TEXT}"}, {}),
        Example({".claude/rules/style.md": f"---\npaths: src/**\n---\n{_TEXT}"}, {}),
    ),
    Rule(
        "import-broken",
        "warning",
        "An `@path` leads nowhere",
        "Claude Code and Gemini CLI open what `CLAUDE.md` and `GEMINI.md` name so, and go on without a word.",
        Example({"CLAUDE.md": "Style: @docs/style.md\n"}, {}),
        Example({"CLAUDE.md": "Style: @docs/style.md\n", "docs/style.md": "Tabs.\n"}, {}),
    ),
    Rule(
        "import-outside",
        "warning",
        "An `@path` leads out of the workspace",
        "Nobody else has that file.",
        Example({"CLAUDE.md": "Style: @~/style.md\n"}, {}),
        _GOOD,
    ),
    Rule(
        "agent-overflow",
        "warning",
        "An agent does not see a file, or not whole, for want of room",
        "Codex reads 32 KiB of one chain, root first. `instructions: {agent_overflow: error}` makes it an error.",
        Example({"AGENTS.md": _TEXT * 800}, {}),
        _GOOD,
    ),
)

_PINS = (
    Rule(
        "pin-stale",
        "error",
        "What applies to a pinned target is not what was confirmed",
        "The confirmed texts are delivered until a person confirms others: pin it again, or take the change back.",
        Example({**_PINNED, "AGENTS.md": _OTHER}, _PINNED),
        _CONFIRMED,
    ),
    Rule(
        "pin-fork",
        "error",
        "One revision of a pin was confirmed twice, differently",
        "Two branches met. The revision before is delivered until somebody pins again.",
        Example({**_PINNED, **pinned({"AGENTS.md": _OTHER})}, _PINNED),
        _CONFIRMED,
    ),
    Rule(
        "pin",
        "error",
        "A revision of a pin cannot be read, does not hold what its name says, or follows one that is not there",
        "Pins are never edited, and revisions are counted without a gap: take them back from git.",
        Example({**_PINNED, _MANIFEST: "{}\n"}, {}),
        _CONFIRMED,
    ),
    Rule(
        "pin-text",
        "error",
        "A confirmed text is gone, or is not the text its name says",
        "It is named by the digest of its bytes: take it back from git.",
        Example(_without(_OBJECT), {}),
        _CONFIRMED,
    ),
    Rule(
        "pin-history",
        "error",
        "A change edits or takes away a confirmed revision or its text",
        "History only grows: `instructions pin TARGET --withdraw` ends a pin and says so.",
        Example(_without(_MANIFEST), _PINNED),
        Example(_PINNED, _PINNED),
    ),
)

INSTRUCTIONS = (*_REFUSED, *_SAID, *_PINS)
