"""The rules as a page of the documentation."""

from __future__ import annotations

from collections.abc import Iterator

from aiwg_memory.core.paths import display
from aiwg_memory.core.rules import GROUPS
from aiwg_memory.core.rules.rule import Example, Files, Rule

_SHOWN = 300


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
    return (
        f"\n### {rule.id}\n\n{rule.title} ({rule.severity}). {rule.why}\n"
        f"\nBad:\n\n{_example(rule.bad)}\nGood:\n\n{_example(rule.good)}"
    )


def _example(example: Example) -> str:
    said = list(_files(example.files if example.before is None else _changed(example), "is" if example.before else ""))
    if example.before is not None:
        said += list(
            _files(
                {path: text for path, text in example.before.items() if example.files.get(path, "\0") != text}, "was"
            )
        )
    return "```text\n" + ("".join(said) or "nothing is changed\n") + "```\n"


def _changed(example: Example) -> Files:
    before = example.before or {}
    return {path: text for path, text in example.files.items() if before.get(path, "\0") != text}


def _files(files: Files, verb: str) -> Iterator[str]:
    for path, text in files.items():
        yield f"{path}{f' ({verb})' if verb else ''}\n"
        if text is None:
            yield "  a symbolic link\n"
            continue
        lines = text.split("\n")
        for line in lines[:6]:
            if line:
                yield f"  {display(line[:_SHOWN])}\n"
        if len(lines) > 7:
            yield f"  … {len(lines) - 6} more lines\n"
