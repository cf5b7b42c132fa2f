"""What goes on where a part is switched off or broken: the rest, within the same bound, and it is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from quarry import FACTS, SURVEY, TASK, Quarry

ALL = ("line-memory", "llm-wiki", "canonical-context", "instructions", "compound-memory")
LAYER = {"line-memory": "facts", "llm-wiki": "wiki", "canonical-context": "canonical"}
ASK = f"{TASK} Which face comes first?"
BOUND = 700


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Quarry:
    return Quarry(tmp_path_factory.mktemp("first"))


@pytest.fixture
def quarry(first: Quarry, tmp_path: Path) -> Quarry:
    return first.copied(tmp_path)


def switched_off(quarry: Quarry, *off: str) -> None:
    config = quarry.root / ".aiwg/config.yaml"
    names = ", ".join(name for name in ALL if name not in off)
    config.write_text(config.read_text("utf-8") + f"addons: [{names}]\n", "utf-8")


def layers(quarry: Quarry) -> set[str]:
    """The layers of a pack, which is within its bound, is the same each time, and holds nothing of raw evidence."""
    told = quarry.json("context", ASK, "--budget", str(BOUND))["data"]
    text = quarry.run("context", ASK, "--budget", str(BOUND)).out
    assert text == told["text"]
    assert len(text) <= BOUND
    items = told["pack"]["items"]
    assert all(not item["handle"].startswith("raw_") and "wiki/raw" not in item["locator"] for item in items)
    assert "# Survey of the north face" not in text
    return {item["layer"] for item in items}


def broken(quarry: Quarry) -> str:
    told = quarry.json("status", kind="status_data.v1")["data"]
    return "\n".join((*told["broken"], *told["next"]))


@pytest.mark.parametrize("name", sorted(LAYER))
def test_without_a_store_packs_are_made_of_the_others_within_the_same_bound(quarry: Quarry, name: str) -> None:
    assert layers(quarry) == set(LAYER.values())
    before = quarry.files()
    switched_off(quarry, name)
    assert layers(quarry) == set(LAYER.values()) - {LAYER[name]}
    hits = quarry.json("search", ASK)["data"]["hits"]
    assert {hit["layer"] for hit in hits} == set(LAYER.values()) - {LAYER[name]}
    assert f"{name} is not enabled" in broken(quarry)
    assert "add it to `addons`" in broken(quarry)
    (note, *_) = [one for one in quarry.json("check")["data"]["findings"] if one["rule"] == "unknown-file"]
    assert note["severity"] == "note"
    assert name in note["message"]
    told = quarry.json("lineage", "revoke", "surveys/north.md", "--action", "revoke")["data"]["conflicts"]
    assert any(one["subject"] == name and "is not seen" in one["message"] for one in told)
    assert {path: data for path, data in quarry.files().items() if "config" not in path} == {
        path: data for path, data in before.items() if "config" not in path
    }


@pytest.mark.parametrize("name", ["line-memory", "llm-wiki"])
def test_what_was_revoked_stays_so_when_its_store_is_switched_off(quarry: Quarry, name: str) -> None:
    labels = quarry.handles("Which face comes first?")
    switched_off(quarry, name)
    assert quarry.handles("Which face comes first?") == labels, "a source that is not looked into has not vanished"
    config = quarry.root / ".aiwg/config.yaml"
    config.write_text(config.read_text("utf-8").replace("addons:", "# addons:"), "utf-8")
    store, source = ("facts", quarry.fact) if name == "line-memory" else ("raw", quarry.raw)
    quarry.do(store, "revoke", source)
    assert quarry.handles("Which face comes first?") == {}
    config.write_text(config.read_text("utf-8").replace("# addons:", "addons:"), "utf-8")
    assert quarry.handles("Which face comes first?") == {}


def test_without_line_memory_and_wiki_raw_evidence_is_not_read_instead(quarry: Quarry) -> None:
    switched_off(quarry, "line-memory", "llm-wiki", "canonical-context")
    assert layers(quarry) == set()
    assert quarry.json("search", SURVEY.split("\n\n")[1])["data"]["hits"] == []


def proposed(quarry: Quarry, *refs: str) -> str:
    """The handle of a candidate that rests on these."""
    value = {"type": "decision", "assertion": "Blast at noon.", "evidence": [{"ref": ref} for ref in refs]}
    told = quarry.json("candidates", "propose", "-", stdin=json.dumps(value).encode())["data"]["proposals"]
    return str(told[0]["candidate_id"])


def test_a_candidate_from_a_session_waits_is_not_accepted_and_may_be_put_off_or_rejected(quarry: Quarry) -> None:
    """There are no sessions in this version, as where they are switched off: review says why, and nothing is decided
    by itself."""
    candidate = proposed(quarry, "session:s-2026#41", "surveys/north.md")
    (row,) = [one for one in quarry.json("review")["data"]["candidates"] if one["candidate_id"] == candidate]
    assert row["unreviewable"] == ["session:s-2026#41"]
    assert "cannot be reviewed here: this version keeps no sessions" in quarry.run("review").out
    error = quarry.json("accept", candidate, status=4)["error"]
    assert {one["rule"] for one in error["findings"]} == {"session-unavailable"}
    assert "session:s-2026#41 is an event of a session" in error["message"]
    quarry.do("defer", candidate)
    quarry.environment["AIWG_MEMORY_NOW"] = "2026-02-01T08:00:00Z"
    assert quarry.json("accept", candidate, status=4)["error"]["findings"][0]["rule"] == "session-unavailable"
    quarry.do("reject", candidate)
    assert quarry.run("check").status == 0


STORES = [("line-memory", "{fact}"), ("llm-wiki", "{raw}"), ("llm-wiki", "{page}"), ("canonical-context", "{value}")]


@pytest.mark.parametrize(("name", "ref"), STORES, ids=[each[1] for each in STORES])
def test_evidence_in_a_store_that_is_off_has_not_vanished(quarry: Quarry, name: str, ref: str) -> None:
    ref = ref.format(fact=quarry.fact, raw=quarry.raw, page=quarry.page, value=quarry.value)
    candidate = proposed(quarry, ref)
    switched_off(quarry, name)
    error = quarry.json("accept", candidate, status=4)["error"]
    assert [one["rule"] for one in error["findings"]] == ["store-off"]
    assert f"{ref} lies in {name}, which is switched off" in error["findings"][0]["message"]
    assert error["findings"][0]["hint"] == f"add {name} to `addons` in .aiwg/config.yaml"
    line = json.dumps({"type": "fix", "assertion": "Blast later.", "evidence": [{"ref": ref}]}).encode()
    (told,) = quarry.json("candidates", "propose", stdin=line, status=4)["data"]["proposals"]
    assert told["code"] == "store-off"


@pytest.mark.parametrize("name", sorted(LAYER))
def test_a_pack_that_is_not_the_same_without_a_store_says_which_one_is_off(quarry: Quarry, name: str) -> None:
    pack = quarry.json("context", ASK)["data"]["pack"]["id"]
    assert quarry.json("pack", "verify", pack)["data"]["why"] == ""
    switched_off(quarry, name)
    told = quarry.json("pack", "verify", pack, status=1)["data"]
    assert told["verdict"] in ("mismatch", "cannot-rebuild")
    assert f"{name} is switched off here" in told["why"]


COMPOUND = [
    ("context", TASK),
    ("review",),
    ("accept", "{candidate}"),
    ("reject", "{candidate}"),
    ("promote", "{candidate}", "--to", "wiki"),
    ("candidates", "propose"),
    ("candidates", "extract", "output/plan.md"),
    ("candidates", "share", "{candidate}"),
    ("lineage", "revoke", "{raw}", "--action", "revoke"),
    ("outputs", "register", "output/plan.md", "--pack", "{pack}"),
    ("pack", "show", "{pack}"),
    ("maintain",),
    ("import", "markdown", "surveys/north.md"),
]


def test_without_compound_memory_the_stores_go_on_and_the_loop_says_why_it_does_not(quarry: Quarry) -> None:
    output = quarry.json("outputs", "show", quarry.output)["data"]["output"]
    switched_off(quarry, "compound-memory")
    before = quarry.files()
    named = {"candidate": quarry.candidate, "raw": quarry.raw, "pack": output["pack"]["id"]}
    for words in COMPOUND:
        line = b'{"type": "decision", "assertion": "Blast at noon.", "evidence": [{"ref": "surveys/north.md"}]}'
        error = quarry.json(*(word.format(**named) for word in words), status=2, stdin=line)["error"]
        assert error["code"] == "addon-off", words
        assert "add compound-memory to `addons`" in error["hint"]
    assert quarry.files() == before
    assert sorted(one["text"] for one in quarry.json("facts", "list")["data"]["facts"]) == sorted(FACTS)
    assert "north" in quarry.run("wiki", "show", "faces/north.md").out
    assert {hit["layer"] for hit in quarry.json("search", ASK)["data"]["hits"]} == set(LAYER.values())
    (row,) = quarry.json("outputs", "list")["data"]["outputs"]
    assert (row["handle"], row["file"]) == (quarry.output, "unchanged")
    (row,) = quarry.json("outputs", "verify", status=1)["data"]["outputs"]
    assert (row["file"], row["verdict"]) == ("unchanged", "cannot-rebuild")
    quarry.do("add", "The south face is chalk.")
    quarry.do("wiki", "add", "faces/south.md", stdin=b"# South\n\nChalk.\n")
    assert "there are no packs and no review" in broken(quarry)
    assert "aiwg-memory search" in broken(quarry)


def garble(path: Path) -> None:
    path.write_bytes(b"<<<<<<< ours\n\xff{\n" + path.read_bytes())


def one_of(quarry: Quarry, pattern: str) -> Path:
    return next(iter(sorted((quarry.root / ".aiwg").glob(pattern))))


DAMAGE = [
    ("memory/facts.d/*.jsonl", {"canonical", "wiki", "facts"}, "line-memory"),
    ("wiki/faces/*.md", {"canonical", "facts"}, "llm-wiki"),
    ("wiki/raw.d/*.jsonl", {"canonical", "wiki", "facts"}, "llm-wiki"),
    ("context/compound-memory/*/*.yaml", {"wiki", "facts"}, "canonical-context"),
    ("memory/candidates.d/*.jsonl", {"canonical", "wiki", "facts"}, "compound-memory"),
    ("memory/outputs.d/*.jsonl", {"canonical", "wiki", "facts"}, "compound-memory"),
]


@pytest.mark.parametrize(("pattern", "left", "name"), DAMAGE, ids=[each[0] for each in DAMAGE])
def test_a_damaged_file_is_named_and_the_rest_is_used(quarry: Quarry, pattern: str, left: set[str], name: str) -> None:
    path = one_of(quarry, pattern)
    garble(path)
    damaged = path.read_bytes()
    assert layers(quarry) >= left
    assert f"{name}:" in broken(quarry)
    assert "aiwg-memory check" in broken(quarry)
    findings = quarry.json("check", status=1)["data"]["findings"]
    assert path.relative_to(quarry.root).as_posix() in {one["path"] for one in findings if one["severity"] == "error"}
    assert path.read_bytes() == damaged, "nothing is rebuilt over it"


def test_a_damaged_or_unwritable_index_changes_no_answer(quarry: Quarry) -> None:
    whole = quarry.run("context", ASK, "--budget", str(BOUND)).out
    for text in (b"no database" * 999, b""):
        for path in (quarry.root / ".aiwg/.local").glob("index*.sqlite"):
            path.write_bytes(text)
        assert quarry.run("context", ASK, "--budget", str(BOUND)).out == whole
    for path in (quarry.root / ".aiwg/.local").glob("index*.sqlite"):
        path.unlink()
        path.mkdir()
    done = quarry.run("context", ASK, "--budget", str(BOUND))
    assert (done.status, done.out) == (0, whole)


def test_the_pack_names_the_backend_that_answered(quarry: Quarry) -> None:
    pack: dict[str, Any] = quarry.json("context", ASK)["data"]["pack"]
    assert (pack["backends"], pack["quality"]) == (["lexical"], "full")
    assert " lexical " in quarry.run("context", ASK).out.split("\n")[0]
