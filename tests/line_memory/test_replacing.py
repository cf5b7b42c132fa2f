"""One fact in the place of others: superseded, merged, adopted from an edit; and forks that are settled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from desk_of import ADA, LIN, Facts, file_of, handle

from aiwg_memory.errors import AiwgError, Refused, UsageError

OLD, NEW = "The limit is 5", "The limit is 7"
LINES = ".aiwg/memory/line-memory.txt"


def test_the_successor_names_the_old_fact_and_inherits_what_is_not_stated() -> None:
    facts = Facts()
    facts.do("add", texts=[OLD], scope="path:src", delivery="always", dependencies={"state": "unknown", "leaves": []})
    plan = facts.decide("supersede", OLD, texts=[NEW], delivery="retrieved", provenance="operator")
    old, new = facts.now(OLD), facts.now(NEW)
    assert (old.status, old.text("replacement")) == ("superseded", handle(NEW))
    assert new.list("parents") == (handle(OLD),)
    assert (new.text("scope"), new.text("delivery"), new.text("review")) == ("path:src", "retrieved", "confirmed")
    assert new.object("dependencies")["state"] == "unknown"
    assert file_of(OLD) not in facts.files
    assert facts.files[file_of(NEW)] == NEW.encode() + b"\n"
    assert [note.subject for note in plan.supersedes] == [handle(OLD)]


def test_a_fact_that_is_there_can_take_the_place() -> None:
    facts = Facts()
    facts.do("add", texts=[OLD, NEW])
    facts.decide("supersede", OLD, replacement=handle(NEW))
    assert facts.now(OLD).text("replacement") == handle(NEW)
    assert facts.now(NEW).list("parents") == (handle(OLD),)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({}, "one text or one replacement"),
    ({"texts": [NEW, "other"]}, "one text or one replacement"),
    ({"texts": [NEW], "replacement": handle(NEW)}, "one text or one replacement"),
    ({"texts": [OLD]}, "cannot take its own place"),
    ({"replacement": "lm_0000000000000000"}, "no fact that is there"),
    ({"texts": ["a\x00"]}, "control characters"),
]


@pytest.mark.parametrize(("arguments", "said"), WRONG)
def test_a_successor_that_cannot_be_is_refused(arguments: dict[str, Any], said: str) -> None:
    facts = Facts()
    facts.do("add", texts=[OLD])
    with pytest.raises(UsageError, match=said):
        facts.decide("supersede", OLD, **arguments)


@pytest.mark.parametrize("end", ["archive", "remove", "revoke"])
def test_only_a_fact_that_is_there_is_replaced_and_an_ended_one_replaces_only_acknowledged(end: str) -> None:
    facts = Facts()
    facts.do("add", texts=[OLD, NEW, "more"])
    facts.decide(end, NEW)
    with pytest.raises(UsageError, match="only a fact that is there is replaced"):
        facts.decide("supersede", NEW, texts=["another"])
    with pytest.raises(UsageError, match="only a fact that is there is replaced"):
        facts.decide("merge", NEW, OLD, texts=["another"])
    with pytest.raises(Refused):
        facts.decide("supersede", OLD, texts=[NEW])
    facts.decide("supersede", OLD, texts=[NEW], acknowledged=[handle(NEW)])
    assert facts.now(NEW).status == "active"


@pytest.mark.parametrize("result", ["A and B", "A"])
def test_merged_facts_name_what_took_their_place_and_give_it_what_they_rest_on(result: str) -> None:
    facts = Facts()
    known: dict[str, Any] = {"state": "known", "leaves": [{"ref": "x"}]}
    facts.do("add", texts=["A"], sources=[{"ref": "a.md"}], dependencies=known)
    facts.do("add", texts=["B"], sources=[{"ref": "b.md"}])
    facts.decide("merge", "A", "B", texts=[result], sources=[{"ref": "c.md"}])
    new = facts.now(result)
    ended = [text for text in ("A", "B") if text != result]
    assert new.list("parents") == tuple(sorted(handle(text) for text in ended))
    assert {source["ref"] for source in new.list("sources")} == {"a.md", "b.md", "c.md"}
    assert new.object("dependencies")["state"] == "unknown"
    for text in ended:
        assert (facts.now(text).status, facts.now(text).text("replacement")) == ("merged", handle(result))
        assert file_of(text) not in facts.files
    assert facts.files[file_of(result)] == result.encode() + b"\n"


def test_merging_decides_nothing_in_which_the_facts_differ() -> None:
    facts = Facts()
    facts.do("add", texts=["A"], scope="path:src", classification="private")
    facts.do("add", texts=["B"])
    with pytest.raises(UsageError) as caught:
        facts.decide("merge", "A", "B", texts=["A and B"])
    assert "differ in scope (global and path:src)" in caught.value.message
    assert "differ in classification (internal and private)" in caught.value.message
    facts.decide("merge", "A", "B", texts=["A and B"], scope="path:src", classification="private")
    assert facts.now("A and B").text("scope") == "path:src"
    with pytest.raises(UsageError, match="two or more facts"):
        facts.decide("merge", "A and B", texts=["C"])


def test_adopting_gives_hand_typed_lines_their_files_and_records() -> None:
    facts = Facts({LINES: b"# mine\none\ntwo\n\n", file_of("three"): b"three\n"})
    assert facts.do("adopt").summary == "adopt 3 facts typed by hand"
    assert facts.files[LINES] == b"# mine\n\n"
    for text in ("one", "two", "three"):
        assert facts.files[file_of(text)] == text.encode() + b"\n"
        assert (facts.now(text).text("review"), facts.now(text).text("provenance")) == ("pending", "external")
    assert facts.plan("adopt").changes == ()


def test_adopting_some_leaves_the_others_and_an_empty_list_goes() -> None:
    facts = Facts({LINES: b"one\ntwo\n"})
    facts.do("adopt", handles=[handle("one")], provenance="operator", scope="path:src")
    assert facts.files[LINES] == b"two\n"
    assert (facts.now("one").text("review"), facts.now("one").text("scope")) == ("confirmed", "path:src")
    facts.do("adopt", handles=[handle("two")])
    assert LINES not in facts.files
    with pytest.raises(UsageError, match="no fact that waits for adoption"):
        facts.plan("adopt", handles=[handle("one")])


def test_an_edited_fact_file_is_offered_as_a_supersession() -> None:
    facts = Facts()
    facts.do("add", texts=[OLD], scope="path:src", provenance="operator")
    facts.files[file_of(OLD)] = NEW.encode() + b"\n"
    plan = facts.do("adopt")
    assert [note.subject for note in plan.supersedes] == [handle(OLD)]
    assert (facts.now(OLD).status, facts.now(OLD).text("replacement")) == ("superseded", handle(NEW))
    assert facts.now(NEW).list("parents") == (handle(OLD),)
    assert (facts.now(NEW).text("scope"), facts.now(NEW).text("review")) == ("path:src", "pending")
    assert file_of(OLD) not in facts.files
    assert facts.files[file_of(NEW)] == NEW.encode() + b"\n"


def test_a_file_under_a_wrong_name_or_badly_written_is_put_right() -> None:
    facts = Facts({".aiwg/memory/facts/0123456789abcdef.txt": b"one\n", file_of("two words"): b"two  words"})
    facts.do("adopt")
    assert ".aiwg/memory/facts/0123456789abcdef.txt" not in facts.files
    assert facts.files[file_of("one")] == b"one\n"
    assert facts.files[file_of("two words")] == b"two words\n"
    facts.files[LINES] = b"one\n"
    facts.do("adopt")
    assert LINES not in facts.files
    assert facts.now("one").version == 1


def test_adopting_leaves_alone_what_was_ended() -> None:
    facts = Facts()
    facts.do("add", texts=["one"])
    facts.decide("revoke", "one")
    facts.files[LINES] = b"one\n"
    plan = facts.plan("adopt")
    assert plan.changes == ()
    assert "revoked and stays so" in plan.conflicts[0].message
    facts.do("adopt", acknowledged=[handle("one")])
    assert facts.now("one").status == "active"


def forked() -> Facts:
    """One fact, confirmed by Lin on one branch and archived by Ada on the other."""
    facts = Facts()
    facts.do("add", texts=[OLD])
    other = Facts(facts.files)
    other.minutes = 5
    other.decide("confirm", OLD, reviewer=LIN)
    facts.decide("archive", OLD, reviewer=ADA)
    facts.files |= {path: data for path, data in other.files.items() if path.endswith(".jsonl")}
    facts.minutes = 10
    return facts


def test_of_a_fork_readers_take_the_stricter_side_until_a_person_settles_it() -> None:
    facts = forked()
    head = facts.store.heads[handle(OLD)]
    assert [one.status for one in head.fork] == ["archived", "active"]
    with pytest.raises(UsageError, match="decided differently on two branches"):
        facts.plan("revoke", targets=[{"handle": handle(OLD), "expected": head.current.version}])
    with pytest.raises(UsageError, match="decided differently on two branches"):
        facts.plan("add", texts=[OLD])
    facts.decide("resolve", OLD, keep=head.fork[1].digest, texts=[OLD])
    now = facts.store.heads[handle(OLD)]
    assert not now.fork
    assert (now.current.status, now.current.text("review"), now.current.version) == ("active", "confirmed", 3)
    assert facts.files[file_of(OLD)] == OLD.encode() + b"\n"


def test_settling_for_the_end_of_a_fact_takes_its_file_out() -> None:
    facts = forked()
    facts.files[file_of(OLD)] = OLD.encode() + b"\n"
    facts.decide("resolve", OLD, keep=facts.store.heads[handle(OLD)].fork[0].digest)
    assert facts.now(OLD).status == "archived"
    assert file_of(OLD) not in facts.files


def test_a_fork_is_settled_only_by_who_has_seen_all_of_it() -> None:
    facts = forked()
    heads = [one.digest for one in facts.store.heads[handle(OLD)].heads]
    with pytest.raises(UsageError, match="the text of"):
        facts.decide("resolve", OLD, keep=heads[1])
    with pytest.raises(UsageError, match="is no head"):
        facts.decide("resolve", OLD, keep="sha256:" + "0" * 64)
    stale = [{"handle": handle(OLD), "expected": [heads[0], "sha256:" + "0" * 64]}]
    with pytest.raises(UsageError) as caught:
        facts.plan("resolve", targets=stale, keep=heads[0])
    assert caught.value.code == "wrong-version"
    facts.decide("resolve", OLD, keep=heads[0])
    with pytest.raises(UsageError, match="no fork to settle"):
        facts.decide("resolve", OLD, keep=heads[0])


def test_a_file_whose_old_text_stands_elsewhere_was_not_edited_but_reused() -> None:
    facts = Facts()
    facts.do("add", texts=[OLD])
    facts.files |= {file_of(OLD): NEW.encode() + b"\n", LINES: OLD.encode() + b"\n"}
    plan = facts.do("adopt")
    assert plan.supersedes == ()
    assert facts.now(OLD).status == facts.now(NEW).status == "active"


def test_what_is_settled_rests_on_what_either_side_rested_on() -> None:
    facts = Facts()
    facts.do("add", texts=[OLD])
    other = Facts(facts.files)
    other.minutes = 5
    known: dict[str, Any] = {"state": "revoked", "leaves": [{"ref": "x"}]}
    other.do("add", texts=[OLD], dependencies=known, delivery="always", sources=[{"ref": "b.md"}])
    facts.do("add", texts=[OLD], delivery="on_demand", sources=[{"ref": "a.md"}])
    facts.files |= {path: data for path, data in other.files.items() if path.endswith(".jsonl")}
    facts.decide("resolve", OLD, keep=facts.store.heads[handle(OLD)].fork[0].digest)
    now = facts.now(OLD)
    assert (now.text("delivery"), now.object("dependencies")["state"]) == ("on_demand", "revoked")
    assert [source["ref"] for source in now.list("sources")] == ["a.md", "b.md"]


LIVING, LATE = ("pending", "confirmed", "rejected"), ("expired", "origin_unavailable")
GONE = ("archived", "removed", "revoked", "superseded", "merged", "forgotten")
WAYS = {
    "pending": "", "confirmed": "confirm", "rejected": "reject", "expired": "expire",
    "origin_unavailable": "origin-unavailable", "archived": "archive", "removed": "remove", "revoked": "revoke",
    "forgotten": "forget",
}  # fmt: skip
REFUSED, ASKS, SAME = "transition", "ended-fact", "same"
# command -> what becomes of a fact that counts, of one whose text is all that is left, and of one that ended: a status,
# or the rule that refuses it
COMMANDS = {
    "supersede": ("superseded", "superseded", REFUSED),
    "supersede by a value": ("superseded", "superseded", REFUSED),
    "merge": ("merged", "merged", REFUSED),
    "take the place of another": ("active", ASKS, ASKS),
    "add": (SAME, ASKS, ASKS),
    "add, acknowledged": (SAME, "active", "active"),
}
OTHER = "Retries wait a second"


def brought_to(state: str) -> Facts:
    facts = Facts()
    facts.do("add", texts=[OLD, OTHER])
    if state == "superseded":
        facts.decide("supersede", OLD, texts=["The limit is 6"])
    elif state == "merged":
        facts.do("add", texts=["The limit is 8"])
        facts.decide("merge", OLD, "The limit is 8", texts=["The limit is 5 or 8"])
    elif WAYS[state]:
        facts.decide(WAYS[state], OLD)
    return facts


def asked(facts: Facts, command: str) -> Callable[[], object]:
    if command == "supersede":
        return lambda: facts.decide("supersede", OLD, texts=[NEW])
    if command == "supersede by a value":
        return lambda: facts.supersede_by(OLD, "ctx:decision/limit")
    if command == "merge":
        return lambda: facts.decide("merge", OLD, OTHER, texts=[NEW])
    if command == "take the place of another":
        return lambda: facts.decide("supersede", OTHER, texts=[OLD])
    more: dict[str, Any] = {"acknowledged": [handle(OLD)]} if "acknowledged" in command else {}
    return lambda: facts.do("add", texts=[OLD], **more)


@pytest.mark.parametrize("state", [*LIVING, *LATE, *GONE])
@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_replacement_in_every_state(command: str, state: str) -> None:
    facts = brought_to(state)
    before, version = dict(facts.files), facts.now(OLD).version
    wanted = COMMANDS[command][(state in LATE) + 2 * (state in GONE)]
    if wanted in (REFUSED, ASKS):
        with pytest.raises(AiwgError) as error:
            asked(facts, command)()
        assert wanted in {each.rule for each in error.value.findings}
        assert facts.files == before
        return
    asked(facts, command)()
    now = facts.now(OLD)
    if wanted == SAME:
        assert (facts.files, now.version) == (before, version)
    else:
        assert (now.status, now.version > version) == (wanted, True)
        assert (file_of(OLD) in facts.files) == (wanted == "active")
    assert not facts.store.heads[handle(OLD)].fork
