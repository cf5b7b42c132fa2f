"""Nothing stored, named or typed reaches a terminal as a control sequence, from any command, as text or as JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from person import Person

from aiwg_memory.cli.terminal import json_text, shown

EVIL = (
    "retry \x1b[31mred\x1b]0;title\x07 "
    "\x9b31m \x85 bell\x08\x7f over\rwritten \u202eevil\u202c \u2066x\u2069 \u200b \U000e0041"
)
RAW = re.compile("[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\U000e0000-\U000e007f]|\r(?!\n)")
LOOKS = [
    ("context", "retry"),
    ("context", "retry", "--explain", "--format", "json"),
    ("context", "retry", "--target", "src/x.py", "--include-instructions"),
    ("search", "retry"),
    ("status",),
    ("check",),
    ("check", "--all"),
    ("check", "--staged"),
    ("check", "--format", "github"),
    ("facts", "list"),
    ("facts", "search", "retry"),
    ("wiki", "list"),
    ("wiki", "show", "a.md"),
    ("wiki", "show", EVIL.replace("\0", "")),
    ("wiki", "lint"),
    ("raw", "list"),
    ("wiki", "draft", "sources/odd.md"),
    ("canon", "list"),
    ("canon", "show", "goal/x"),
    ("instructions", "show", "src/x.py"),
    ("instructions", "check"),
    ("instructions", "compare", "src/x.py"),
    ("lineage", "show", "a.md"),
    ("receipts", "list"),
    ("previews", "list"),
    ("diff", "--staged"),
    ("config",),
    ("doctor",),
    ("why", "a.md"),
    ("explain",),
    ("outputs", "list"),
    ("candidates", "list"),
    ("confirm", EVIL),
    ("nonsense", EVIL),
    ("add", EVIL),
    ("wiki", "add", "b.md", "--file", "sources/odd.md"),
    ("import", "markdown", "sources/odd.md"),
]


@pytest.fixture(scope="module")
def ada(tmp_path_factory: pytest.TempPathFactory) -> Person:
    person = Person(tmp_path_factory.mktemp("terminal"))
    quoted = json.dumps(EVIL)
    person.write(
        ".aiwg/wiki/a.md", f"---\ntitle: {quoted}\ntags: [{quoted}]\nnonsense: {quoted}\n---\n# {EVIL}\n\n{EVIL}\n"
    )
    person.write(".aiwg/wiki/\u202eodd\u200b\x1b[31m.md", f"# {EVIL}\n\n{EVIL} [[{EVIL}]] [x]({EVIL})\n")
    person.write(".aiwg/wiki/\u202eodd.md", f"# {EVIL}\n\n{EVIL}\n")
    person.write(".aiwg/memory/line-memory.txt", f"{EVIL}\nretry twice\n")
    person.write(".aiwg/memory/facts/0123456789abcdef.txt", f"{EVIL}\n")
    person.write(
        ".aiwg/memory/facts.d/20260131T080000Z-3f9c2a11b0d4.jsonl", json.dumps({"schema": EVIL, "handle": EVIL})
    )
    person.write(
        ".aiwg/context/compound-memory/goal/x.yaml", f"target: goal\nkey: x\nversions: [{{value: {quoted}}}]\n"
    )
    person.write(
        ".aiwg/receipts.d/20260131T080000Z-3f9c2a11b0d4.jsonl", json.dumps({"kind": EVIL, "reviewer": EVIL}) + "\n"
    )
    person.write("AGENTS.md", f"{EVIL}\n@{EVIL}\n")
    person.write("src/AGENTS.md", f"{EVIL}\n")
    person.write("src/x.py", "x\n")
    person.write("sources/odd.md", f"# {EVIL}\n\n- {EVIL}\n")
    person.git("add", "--all")
    return person


@pytest.mark.parametrize("words", LOOKS, ids=" ".join)
@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
def test_no_command_prints_a_control_sequence(ada: Person, words: tuple[str, ...], form: tuple[str, ...]) -> None:
    done = ada.run(*(word.replace("\0", "") for word in words), *form)
    assert not RAW.search(done.out), RAW.search(done.out)
    assert not RAW.search(done.err), RAW.search(done.err)
    assert "Traceback" not in done.err
    if form and words != ("check", "--format", "github"):
        json.loads(done.out)


def test_a_preview_made_anew_for_a_stale_one_is_as_safe_as_any(ada: Person, tmp_path: Path) -> None:
    person = Person(tmp_path)
    person.write(".aiwg/wiki/a.md", "# A\n")
    edit = person.run("wiki", "edit", "a.md", stdin=f"# A\n\n{EVIL}\n".encode())
    operation = re.findall("op_[0-9a-f]{12}", edit.out)[0]
    person.write(".aiwg/wiki/a.md", f"# A\n\n{EVIL} before\n")
    done = person.run("confirm", operation)
    assert done.status == 3
    assert not RAW.search(edit.out + done.out + done.err)


def test_json_says_the_same_whatever_is_spelt_out() -> None:
    value = {"text": EVIL + "\u3000\U0001f468\u200d\U0001f469 重试 \U000e0041", "n": [1, None, True]}
    assert json.loads(json_text(value)) == value
    assert not RAW.search(json_text(value))


def test_line_ends_of_another_system_stay_and_a_lone_return_is_spelt_out() -> None:
    assert shown("a\r\nb\rc") == "a\r\nb\\rc"
