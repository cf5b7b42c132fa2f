"""Secrets are found, look-alikes pass, and what is redacted is gone for good."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest
import screening_samples as samples
from hypothesis import given, settings
from hypothesis import strategies as st

from aiwg_memory.core.findings import ScreeningException
from aiwg_memory.core.screening import redact, screen
from aiwg_memory.core.screening.secrets import find, lower

SECRETS = samples.secrets()
LOOKALIKES = samples.lookalikes()
PIECES = st.one_of(
    st.sampled_from([text for _, text in SECRETS]),
    st.sampled_from(LOOKALIKES),
    st.sampled_from(
        ["\n", " ", "password=", "token: ", "AKIA", "://", ":", "@", "[redacted:jwt]", '"', "ghp_", "\r\n"]
    ),
    st.text(max_size=12),
)
TEXTS = st.lists(PIECES, max_size=8).map("".join)


def errors(text: str) -> list[str]:
    return [f.rule for f in screen(text, path="notes.md", line=1) if f.severity == "error"]


def test_at_least_95_percent_of_the_secrets_are_found_and_named() -> None:
    missed = [kind for kind, text in SECRETS if f"secret-{kind}" not in errors(text)]
    assert len(missed) <= len(SECRETS) * 0.05, missed
    assert len(SECRETS) >= 100


def test_at_most_two_look_alikes_are_taken_for_secrets() -> None:
    wrong = [text for text in LOOKALIKES if errors(text)]
    assert len(wrong) <= 2, wrong
    assert len(LOOKALIKES) >= 100


def test_a_finding_never_repeats_what_it_found() -> None:
    for _, text in SECRETS:
        values = [text[s.start : s.end] for s in find(text)]
        for finding in screen(text, path="notes.md", line=1):
            assert not any(value in finding.message + finding.hint for value in values)


def test_source_code_of_the_standard_library_raises_few_alarms() -> None:
    folder = Path(sysconfig.get_paths()["stdlib"])
    texts = [path.read_text("utf-8", "replace") for path in sorted(folder.glob("*.py"))[::5]]
    size = sum(map(len, texts))
    alarms = sum(len(find(text)) for text in texts)
    assert size > 200_000
    assert alarms <= 1 + 2 * size / 1_000_000


@pytest.mark.parametrize("first", [1, 7])
def test_lines_count_from_the_number_given(first: int) -> None:
    secret = dict(SECRETS)["github-token"]
    found = screen(f"one\ntwo\n{secret}\nfour", path="notes.md", line=first)
    assert [(f.line, f.rule) for f in found] == [(first + 2, "secret-github-token")]


def test_without_a_line_number_a_finding_is_about_the_file() -> None:
    assert [f.line for f in screen("a\n" + dict(SECRETS)["jwt"], path="notes.md")] == [0]


def test_a_redaction_keeps_the_lines_and_names_the_class() -> None:
    key = dict(SECRETS)["private-key"]
    text, found = redact(f"before\n{key}\nafter", line=10)
    assert text.split("\n")[0 :: len(text.split("\n")) - 1] == ["before", "after"]
    assert text.count("\n") == key.count("\n") + 2
    assert "[redacted:private-key]" in text
    assert [(f.line, f.rule) for f in found] == [(11, "secret-private-key")]


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("the password is Tr0ub4dor&3.", "the password is [redacted:assignment]."),
        ("password = toor9821!", "password = [redacted:assignment]"),
        ("?user=a&password=Zx81kolibri4&ssl=on", "?user=a&password=[redacted:assignment]&ssl=on"),
        ('{"password": "a(b1]c}d"}', '{"password": "[redacted:assignment]"}'),
    ],
)
def test_no_end_of_a_secret_is_left_standing(text: str, rest: str) -> None:
    assert redact(text)[0] == rest


@given(TEXTS)
@settings(max_examples=150)
def test_redacted_text_is_clean_stays_so_and_has_as_many_lines(text: str) -> None:
    once, found = redact(text)
    assert find(once) == []
    assert redact(once) == (once, ())
    assert once.count("\n") == text.count("\n")
    assert bool(found) == (once != text) == bool(find(text))


def test_a_chain_of_secrets_is_redacted_in_few_rounds() -> None:
    token = "ghp_" + "a1B2c3D4e5" * 3 + "F6g7H8"
    once, _ = redact(token * 300)
    assert find(once) == []
    assert "a1B2c3" not in once or find(token * 300) == []


@given(st.text())
@settings(max_examples=200)
def test_any_text_can_be_screened(text: str) -> None:
    screen(text, path="notes.md", line=1, strict=True)
    assert len(lower(text)) == len(text)


HOSTILE = (
    "password=", "-----BEGIN PRIVATE KEY-----", "://a:", "eyJ", "eyJaaaaaaaaaa.", "ghp_", "sk-", "curl -u ", "Bearer ",
    "ignore all ", "login a password ", "MTA", ":AA1234567890", "</", "a://b:c@", "heroku.", "token token ", "secret_",
    "\u200d", "аa", "PuTTY-User-Key-File-3: ", "send my ", "basic QUJD", "aws_secret ", "a1B", "<|", "do not tell ",
)  # fmt: skip
CHILD = """
import resource, sys
from aiwg_memory.core.screening import screen
resource.setrlimit(resource.RLIMIT_CPU, (90, 90))
for unit in sys.argv[1:]:
    text = unit * (262_144 // len(unit))
    screen(text, path="notes.md", line=1)
print("done")
"""


def test_hostile_text_costs_linear_work() -> None:
    """A quarter of a megabyte of each: work that grows with the square would take minutes of processor time each."""
    done = subprocess.run([sys.executable, "-c", CHILD, *HOSTILE], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr


class TestExceptions:
    secret = "DB_PASSWORD=q9#fLz01b"

    @pytest.mark.parametrize("mark", ["# aiwg: allow assignment {}", "<!-- aiwg: allow secret-assignment {} -->"])
    def test_a_mark_on_the_line_turns_the_finding_into_a_note_with_the_reason(self, mark: str) -> None:
        text = f"{self.secret} {mark.format('a fixture of the login test')}"
        (found,) = screen(text, path="notes.md", line=1)
        assert found.severity == "note"
        assert found.message.endswith("a fixture of the login test")
        assert redact(text) == (text, ())

    @pytest.mark.parametrize(
        "mark",
        [
            "# aiwg: allow assignment",
            "<!-- aiwg: allow assignment -->",
            "# aiwg: allow jwt why",
            "aiwg: allow assignment x",
        ],
    )
    def test_no_reason_another_class_or_no_comment_lets_nothing_through(self, mark: str) -> None:
        assert errors(f"{self.secret} {mark}") == ["secret-assignment"]

    def test_a_mark_counts_for_its_own_line_alone(self) -> None:
        assert errors(f"# aiwg: allow assignment fixture\n{self.secret}") == ["secret-assignment"]

    @pytest.mark.parametrize(("where", "severity"), [("docs/a.md", "note"), ("docs", "note"), ("doc", "error")])
    def test_a_recorded_exception_covers_a_path_or_a_folder(self, where: str, severity: str) -> None:
        exception = ScreeningException("assignment", where, "published example")
        assert [f.severity for f in screen(self.secret, path="docs/a.md", exceptions=[exception])] == [severity]


def test_a_line_of_many_secrets_is_asked_for_its_exceptions_once() -> None:
    class Asked(tuple[ScreeningException, ...]):
        times = 0

        def __iter__(self) -> Iterator[ScreeningException]:
            Asked.times += 1
            return super().__iter__()

    text, found = redact("password=hunter2x! " * 500, exceptions=Asked())
    assert text.count("[redacted:assignment]") == 500
    assert len(found) == 1
    assert Asked.times < 5
