"""The rules as a page of the documentation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aiwg_memory.core.paths import display
from aiwg_memory.core.rules import GROUPS
from aiwg_memory.core.rules.rule import Example, Files, Rule

_SHOWN = 300
_MORE = 6
_PATHS = 12
_COMPARED = 200


def page() -> str:
    """Markdown, the same for the same table. `aiwg-memory check --rules --markdown` prints it."""
    parts = [
        "# Rules of the check\n\nMade from the table in `aiwg_memory/core/rules` by `aiwg-memory check --rules "
        "--markdown`; do not edit it. Each rule's two examples are its test. Long lines are cut here.\n"
    ]
    for heading, rules in GROUPS.items():
        parts.append(f"\n## {heading}\n")
        parts += [_rule(rule) for rule in rules]
    return "".join(parts)


def _rule(rule: Rule) -> str:
    bad, good = (f" (on {one.day})" if one.day else "" for one in (rule.bad, rule.good))
    return (
        f"\n### {rule.id}\n\n{rule.title} ({rule.severity}). {rule.why}\n"
        f"\nBad{bad}:\n\n{_example(rule.bad, rule.good.files)}\nGood{good}:\n\n{_example(rule.good, rule.bad.files)}"
    )


def _example(example: Example, other: Files) -> str:
    said = list(
        _files(example.files if example.before is None else _changed(example), other, "is" if example.before else "")
    )
    said += [f"{path}\n  a second name of {other_name}\n" for path, other_name in example.links.items()]
    if example.before is not None:
        gone = {path: text for path, text in example.before.items() if example.files.get(path, "\0") != text}
        said += list(_files(gone, {}, "was"))
    return "```text\n" + ("".join(said) or "nothing is changed\n") + "```\n"


def _changed(example: Example) -> Files:
    before = example.before or {}
    return {path: text for path, text in example.files.items() if before.get(path, "\0") != text}


def _files(files: Files, other: Files, verb: str) -> Iterator[str]:
    for path, text in list(files.items())[:_PATHS]:
        yield f"{display(path)}{f' ({verb})' if verb else ''}\n"
        if text is None:
            yield "  a symbolic link\n"
            continue
        lines = text.removesuffix("\n").split("\n")
        shown = sorted({*range(min(6, len(lines))), *_unlike(lines, (other.get(path) or "").split("\n"))})
        for number, after in zip(shown, [*shown[1:], len(lines)], strict=True):
            if lines[number]:
                yield f"  {display(lines[number][:_SHOWN])}\n"
            if after > number + 1:
                yield f"  … {after - number - 1} more line{'s' if after > number + 2 else ''}\n"
    if len(files) > _PATHS:
        yield f"… {len(files) - _PATHS:,} more files\n"


def _unlike(lines: Sequence[str], other: Sequence[str]) -> list[int]:
    """The first lines that the other example does not have in this place: what the rule is about."""
    from difflib import SequenceMatcher

    steps = SequenceMatcher(None, other, lines, autojunk=False).get_opcodes() if len(lines) <= _COMPARED else ()
    return [number for kind, _, _, first, end in steps if kind != "equal" for number in range(first, end)][:_MORE]
