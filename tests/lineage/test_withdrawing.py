"""Withdrawing a source: everything that rests on it is shown with what becomes of it, and ends in one operation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from quarry import PAGE, SURVEY, TASK, Quarry

RETIRED = "lineage.revoke"


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Quarry:
    return Quarry(tmp_path_factory.mktemp("first"))


@pytest.fixture
def quarry(first: Quarry, tmp_path: Path) -> Quarry:
    return first.copied(tmp_path)


def withdraw(quarry: Quarry, *more: str, action: str = "revoke") -> dict[str, Any]:
    return quarry.do("lineage", "revoke", "surveys/north.md", "--action", action, "--reason", "mismeasured", *more)


def test_the_blast_radius_is_the_same_by_every_name_of_the_source(quarry: Quarry) -> None:
    copy = next((quarry.root / ".aiwg/wiki/raw").iterdir()).name
    radius = {quarry.fact, quarry.other, quarry.page, quarry.output, quarry.candidate, quarry.value}
    digest = quarry.json("raw", "list")["data"]["raw"][0]["digest"]
    for name in ("surveys/north.md", quarry.raw, quarry.raw[:12], digest, f".aiwg/wiki/raw/{copy}", f"raw/{copy}"):
        assert set(quarry.affected(name)) == radius
    assert set(quarry.affected("output/plan.md")) == {quarry.candidate}
    steps = {handle: one["depth"] for handle, one in quarry.affected(quarry.raw).items()}
    assert (steps[quarry.fact], steps[quarry.page], steps[quarry.output], steps[quarry.value]) == (1, 1, 2, 2)


def test_one_command_leads_from_any_handle_to_the_raw_bytes_and_back(quarry: Quarry) -> None:
    for handle in (quarry.value, quarry.output, quarry.candidate, quarry.page, quarry.fact[:12]):
        (raw,) = {
            one["path"]
            for one in quarry.json("lineage", "show", handle, kind="lineage_data.v1")["data"]["rests_on"]
            if one["layer"] == "raw"
        }
        assert (quarry.root / raw).read_text("utf-8") == SURVEY
    resting = {
        one["handle"] for one in quarry.json("lineage", "show", quarry.raw, kind="lineage_data.v1")["data"]["resting"]
    }
    assert {quarry.fact, quarry.page, quarry.value} < resting
    text = quarry.run("lineage", "show", quarry.value).out
    assert text.index(quarry.value) < text.index(quarry.fact) < text.index(quarry.raw)


def test_the_preview_names_each_of_them_and_changes_nothing(quarry: Quarry) -> None:
    before = quarry.files()
    data = quarry.json(
        "lineage", "revoke", "surveys/north.md", "--action", "revoke", "--for", f"{quarry.page}=retain",
        kind="preview_data.v1",
    )["data"]  # fmt: skip
    assert quarry.files() == before
    told = {one["subject"]: one["message"] for one in data["conflicts"]}
    assert told[quarry.page].startswith("is retained")
    for handle in (quarry.raw, quarry.fact, quarry.other, quarry.output, quarry.candidate, quarry.value):
        assert told[handle].startswith("is revoked")


def test_what_is_revoked_is_nowhere_and_what_is_retained_is_labelled(quarry: Quarry) -> None:
    receipt = withdraw(quarry, "--for", f"{quarry.page}=retain")
    assert receipt["kind"] == RETIRED
    for options in ((), ("--at", quarry.before)):
        (found,) = quarry.handles(TASK, *options).items()
        assert found[0].startswith(quarry.page)
        assert "retained after revocation" in found[1]
    assert set(quarry.excluded(TASK, "--at", quarry.before).values()) == {"revoked"}
    hits = quarry.json("search", "north face slate blasting school")["data"]["hits"]
    assert [hit["handle"].partition("#")[0] for hit in hits] == [quarry.page]
    assert quarry.handles("Which face comes first?") == {}
    assert quarry.json("outputs", "list")["data"]["outputs"] == []
    (candidate,) = quarry.json("candidates", "list")["data"]["candidates"]
    assert candidate["state"] == "rejected"
    kept = (quarry.root / ".aiwg/wiki/faces/north.md").read_text("utf-8")
    assert all(word in kept for word in ("retained:", "Ada Lovelace", "mismeasured"))
    (copy,) = (quarry.root / ".aiwg/wiki/raw").iterdir()
    assert copy.read_text("utf-8") == SURVEY
    findings = quarry.json("check", "--all")["data"]["findings"]
    assert [one for one in findings if one["severity"] == "error"] == []


@pytest.mark.parametrize("how", ["lineage", "raw", "facts"])
def test_a_revoked_source_is_at_once_in_no_pack_search_or_block_of_an_agent(quarry: Quarry, how: str) -> None:
    """Whatever is withdrawn, the source with all of that, the copy alone or the fact: the reason is one command away,
    and so are the bytes."""
    rule = "No blasting on the north face during lessons."
    quarry.do("add", rule, "--delivery", "always", "--source", quarry.fact)
    always = quarry.json("search", rule)["data"]["hits"][0]["handle"]
    quarry.do("adapters", "refresh", "agents", "--always")
    assert rule in (quarry.root / "AGENTS.md").read_text("utf-8")
    for surface in (("context", rule), ("search", rule)):
        assert rule in quarry.run(*surface).out
    if how == "lineage":
        withdraw(quarry)
    else:
        quarry.do(how, "revoke", {"raw": quarry.raw, "facts": quarry.fact}[how])
    assert rule not in quarry.run("context", rule, "--at", quarry.before).out
    for form in ("markdown", "xml", "json"):
        assert rule not in quarry.run("context", rule, "--format", form).out
    assert always not in {hit["handle"] for hit in quarry.json("search", rule)["data"]["hits"]}
    reason = quarry.json("why", always)["data"]["reason"]
    assert "revoked" in reason
    assert rule not in (quarry.root / "AGENTS.md").read_text("utf-8")
    assert quarry.run("adapters", "check").status == 0
    told = quarry.json("lineage", "show", always, kind="lineage_data.v1")["data"]["rests_on"]
    (raw,) = [one for one in told if one["layer"] == "raw"]
    # A copy that is revoked by itself goes; its record, and the source, stay.
    assert (quarry.root / ("surveys/north.md" if how == "raw" else raw["path"])).read_text("utf-8") == SURVEY
    assert "revoked" in {one["status"] for one in told}


def test_undo_brings_all_of_it_back(quarry: Quarry) -> None:
    before = quarry.handles()
    receipt = withdraw(quarry, "--for", f"{quarry.page}=retain")
    quarry.do("undo", receipt["seg"])
    assert quarry.handles() == before
    assert (quarry.root / ".aiwg/wiki/faces/north.md").read_text("utf-8") == PAGE
    assert {quarry.fact, quarry.other, quarry.page, quarry.output, quarry.candidate} <= set(quarry.affected(quarry.raw))
    assert "Which face" not in quarry.handles("Which face comes first?")
    assert len(quarry.handles("Which face comes first?")) > 0


def test_only_delete_takes_the_bytes(quarry: Quarry) -> None:
    withdraw(quarry, "--for", f"{quarry.raw}=delete", action="retain")
    assert list((quarry.root / ".aiwg/wiki").glob("raw/*")) == []
    labels = quarry.handles().values()
    assert len(labels) == 3
    assert all("retained after revocation" in one for one in labels)
    assert all("retained after revocation" in one for one in quarry.handles(TASK, "--at", quarry.before).values())


def test_what_was_kept_for_one_source_is_withheld_for_another(quarry: Quarry) -> None:
    quarry.write("surveys/second.md", "# Second survey\n\nThe slate lasts forty years.\n")
    quarry.do("ingest", "surveys/second.md")
    quarry.do("add", "The north face holds forty years of slate.", "--source", "surveys/second.md")
    withdraw(quarry, action="retain")
    assert quarry.fact in quarry.handles()
    second = next(one["handle"] for one in quarry.json("raw", "list")["data"]["raw"] if one["name"] == "second.md")
    quarry.do("raw", "revoke", second)
    assert quarry.excluded()[quarry.fact] == "source-revoked"
    hits = quarry.json("search", "forty years of slate")["data"]["hits"]
    assert quarry.fact not in [hit["handle"] for hit in hits]


def test_a_source_ended_alone_still_withholds_what_rests_on_it_however_far(quarry: Quarry) -> None:
    quarry.do("raw", "revoke", quarry.raw)
    assert set(quarry.excluded().values()) == {"source-revoked"}
    assert set(quarry.excluded(TASK, "--at", quarry.before).values()) == {"source-revoked"}
    assert quarry.excluded("Which face comes first?")["ctx:project-fact/face.first"] == "source-revoked"
    assert quarry.json("search", "which face comes first")["data"]["hits"] == []


def test_a_pack_made_before_still_verifies(quarry: Quarry) -> None:
    pack = quarry.json("outputs", "show", quarry.output)["data"]["output"]["pack"]["id"]
    withdraw(quarry)
    quarry.git("add", "-A")
    quarry.git("commit", "-qm", "withdrawn")
    assert quarry.json("pack", "verify", pack)["data"]["verdict"] == "match"


def test_a_second_decision_makes_the_preview_stale(quarry: Quarry) -> None:
    operation = quarry.preview("lineage", "revoke", "surveys/north.md", "--action", "revoke")
    quarry.do("facts", "archive", quarry.other)
    assert quarry.run("confirm", operation).status == 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("surveys/none.md", "--action", "revoke"), "nothing here is called"),
        (("surveys/north.md", "--action", "supersede"), "names what takes its place"),
        (("surveys/north.md", "--action", "delete"), "cannot be disposed of by delete"),
        (("surveys/north.md", "--action", "revoke", "--for", "lm_ffffffff=retain"), "names nothing here"),
        (("surveys/north.md", "--action", "revoke", "--for", "nothing"), "is not HANDLE=ACTION"),
        (("surveys/north.md", "--action", "revoke", "--for", "{raw}=retain"), "the source itself"),
        (("surveys/north.md", "--action", "revoke", "--for", "{fact}=supersede:{other}"), "ends in the same operation"),
        (("{fact}", "--action", "revoke", "--for", "{other}=retain"), "does not rest on"),
        (("surveys/north.md", "--action", "revoke", "--for", "{fact}=retain:{other}"), "names nothing in its place"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_changes(
    quarry: Quarry, arguments: tuple[str, ...], said: str
) -> None:
    before = quarry.files()
    known = {"raw": quarry.raw, "fact": quarry.fact, "other": quarry.other}
    done = quarry.run("lineage", "revoke", *(one.format(**known) for one in arguments))
    assert done.status == 2
    assert said in done.err
    assert quarry.files() == before
