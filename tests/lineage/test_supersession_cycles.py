"""Nothing takes the place of what took its own: a circle cannot be made by command, and one made by hand is found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from person import Person

from aiwg_memory.core.circles import circles

OLD, NEW = "Berth one is the deep one.", "Berth two is the deep one."


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    return Person(tmp_path)


def handle(ada: Person, text: str) -> str:
    return str(ada.json("search", text)["data"]["hits"][0]["handle"])


def rules(ada: Person) -> list[str]:
    found = json.loads(ada.run("check", "--all", "--json").out)["data"]["findings"]
    return [one["rule"] for one in found if one["severity"] == "error" or one["rule"] == "replaced-in-a-circle"]


def test_a_fact_that_comes_back_gives_up_what_replaced_it(ada: Person) -> None:
    ada.do("add", OLD, "--source", "a.md")
    old = handle(ada, OLD)
    ada.do("facts", "supersede", old, NEW)
    new = handle(ada, NEW)
    assert ada.run("facts", "supersede", old, "--by", new).status == 2, "what ended is not replaced again"
    assert ada.run("facts", "supersede", new, "--by", old).status == 2, "and takes nobody's place unasked"
    ada.do("facts", "restore", old, "--acknowledge", old)
    ada.do("facts", "supersede", new, "--by", old)
    versions = {one: ada.json("facts", "show", one)["data"]["versions"][-1] for one in (old, new)}
    assert (versions[old]["status"], versions[old]["replacement"]) == ("active", None)
    assert (versions[new]["status"], versions[new]["replacement"]) == ("superseded", old)
    assert [hit["handle"] for hit in ada.json("search", "berth deep")["data"]["hits"]] == [old]
    assert ada.json("lineage", "show", old)["data"]["truncated"] is False
    assert rules(ada) == []


def test_records_that_replace_each_other_are_walked_once_and_deliver_neither(ada: Person) -> None:
    ada.do("add", OLD)
    ada.do("add", NEW)
    old, new = handle(ada, OLD), handle(ada, NEW)
    ada.do("facts", "supersede", old, "--by", new)
    folder = ada.root / ".aiwg/memory/facts.d"
    path = next(one for one in folder.iterdir() if '"superseded"' in one.read_text("utf-8"))
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    changed = [one | {"status": "superseded", "replacement": old} if one["handle"] == new else one for one in records]
    path.write_text("".join(json.dumps(one) + "\n" for one in changed), "utf-8")
    assert ada.json("search", "berth deep")["data"]["hits"] == []
    assert "deep one" not in ada.run("context", "which berth is the deep one").out
    assert ada.run("lineage", "show", old).status == 0
    assert ada.run("lineage", "affected", new).status == 0
    assert rules(ada).count("replaced-in-a-circle") == 2


def test_pages_replace_each_other_only_after_one_was_brought_back(ada: Person) -> None:
    for name in ("a", "b"):
        ada.do("wiki", "add", f"{name}.md", stdin=f"# {name.upper()}\n\nThe berth is deep.\n".encode())
    ada.do("wiki", "supersede", "a.md", "--by", "b.md")
    done = ada.run("wiki", "supersede", "b.md", "--by", "a.md")
    assert done.status == 2
    assert "replaces nothing" in done.err
    ada.do("wiki", "restore", "a.md")
    ada.do("wiki", "supersede", "b.md", "--by", "a.md")
    assert {hit["handle"].partition("#")[0] for hit in ada.json("search", "berth")["data"]["hits"]} == {"wiki:a.md"}
    assert rules(ada) == []


def test_pages_made_to_replace_each_other_by_hand_are_found(ada: Person) -> None:
    for name, other in (("a", "b"), ("b", "a")):
        front = f"---\nstatus: superseded\nsuperseded_by: {other}.md\n---\n"
        ada.write(f".aiwg/wiki/{name}.md", front + f"# {name.upper()}\n\nThe berth is deep.\n")
    assert ada.json("search", "berth")["data"]["hits"] == []
    assert rules(ada).count("replaced-in-a-circle") == 2
    assert ada.run("lineage", "show", "wiki:a.md").status == 0


NAMES = st.sampled_from("abcdef")


@settings(max_examples=200)
@given(st.dictionaries(NAMES, NAMES))
def test_a_circle_is_whatever_leads_back_to_itself(after: dict[str, str]) -> None:
    def returns(name: str) -> bool:
        here = after.get(name)
        for _ in after:
            if here == name:
                return True
            here = after.get(here or "")
        return False

    assert circles(after) == sorted(name for name in after if returns(name))
