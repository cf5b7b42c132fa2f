"""A registration says what an output was made with; it changes no file, and every way it cannot be is told at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from shore import Shore

from aiwg_memory.addons import resolve
from aiwg_memory.addons.compound_memory import ADDON
from aiwg_memory.addons.compound_memory.outputs.catalogue import status
from aiwg_memory.addons.compound_memory.outputs.checking import check
from aiwg_memory.addons.compound_memory.outputs.store import dependents, output_id, read, unlinked
from aiwg_memory.core.canonical import digest
from aiwg_memory.core.operations import Plan, Request, receipt
from aiwg_memory.core.paths import RepoPath
from aiwg_memory.core.tree import MemoryTree
from aiwg_memory.errors import AiwgError, Refused, UsageError

PACK: dict[str, Any] = {
    "id": "pack_" + "ab" * 32,
    "text_digest": digest(b"text"),
    "tree": "commit:" + "1" * 40,
    "format": "markdown",
    "request": {"as_of": "2026-05-12"},
    "task": "Write the notice",
}
SOURCE = {"ref": "lm_0123456789abcdef", "digest": digest(b"fact"), "span": None}
NOTICE = "output/notice.md"


class Outputs:
    """Operations carried out on a dict of files, one a minute."""

    def __init__(self, **files: bytes | None) -> None:
        self.files: dict[str, bytes | None] = {NOTICE: b"# Notice\n", **files}
        self.minutes = 0

    @property
    def tree(self) -> MemoryTree:
        return MemoryTree(self.files)

    def plan(self, kind: str, **arguments: Any) -> Plan:
        request = Request(f"output.{kind}", arguments, f"2026-05-12T08:{self.minutes:02}:00Z", "Ada <a@b.org>", "ws")
        made: Plan = resolve(ADDON.plans[request.kind])(self.tree, request)
        return made

    def do(self, kind: str, **arguments: Any) -> Plan:
        plan = self.plan(kind, **arguments)
        self.minutes += 1
        for change in plan.changes:
            if change.after is None:
                del self.files[change.path]
            else:
                self.files[change.path] = change.after
        return plan

    def register(self, path: str = NOTICE, **more: Any) -> str:
        given = {"path": path, "pack": PACK, "sources": [SOURCE], "provenance": "operator"}
        plan = self.do("register", **{**given, **more})
        return next(iter(reversed([one for one in plan.subjects if one not in more.get("supersedes", ())])))

    def status(self, handle: str) -> str:
        return read(self.tree).heads[handle].current.status

    def undo(self, plan: Plan) -> None:
        self.do("undo", receipt=receipt(plan, confirmed_at="2026-05-12T09:00:00Z", git_head=None))


def rules(error: pytest.ExceptionInfo[AiwgError]) -> list[str]:
    return [finding.rule for finding in error.value.findings]


def test_a_registration_writes_one_record_and_no_other_file() -> None:
    outputs = Outputs()
    before = dict(outputs.files)
    handle = outputs.register()
    assert handle == output_id(NOTICE, digest(b"# Notice\n"), PACK["id"])
    added = outputs.files.keys() - before.keys()
    assert all(name.startswith(".aiwg/memory/outputs.d/") for name in added)
    assert len(added) == 1
    assert {name: outputs.files[name] for name in before} == before
    assert check(outputs.tree, None) == []


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        (".aiwg/memory/facts/0123456789abcdef.txt", "output-path"),
        (".AIWG/memory/facts/0123456789abcdef.txt", "output-path"),
        ("../elsewhere.md", "unsafe-path"),
        ("/etc/hostname", "unsafe-path"),
        ("output/.env", "protected-source"),
        ("output/link.md", "unsafe-path"),
        ("output", "unsafe-path"),
    ],
)
def test_what_may_not_be_registered_is_refused(path: str, rule: str) -> None:
    outputs = Outputs(**{"output/link.md": None, "output/.env": b"A=1"})
    with pytest.raises(Refused) as error:
        outputs.register(path)
    assert rules(error) == [rule]


def test_a_file_that_is_not_there_and_outputs_that_are_not_known_are_told_together() -> None:
    with pytest.raises(UsageError) as error:
        Outputs().register(supersedes=["out_" + "0" * 16], conflicts_with=["out_" + "1" * 16])
    assert rules(error) == ["transition", "not-found"]
    with pytest.raises(UsageError) as error:
        Outputs().register("output/gone.md")
    assert rules(error) == ["not-found"]


def test_a_task_that_holds_a_secret_is_not_stored() -> None:
    with pytest.raises(Refused, match="secret"):
        Outputs().register(pack={**PACK, "task": "log in with password=" + "tr0ub4dor" + "&3-Zq81"})


def test_a_new_output_supersedes_by_name_only() -> None:
    outputs = Outputs()
    first = outputs.register()
    outputs.files[NOTICE] = b"# Notice, again\n"
    said = outputs.plan("register", path=NOTICE, pack=PACK, sources=[SOURCE], provenance="operator")
    assert [note.subject for note in said.conflicts] == [first]
    second = outputs.register(supersedes=[first])
    head = read(outputs.tree).heads[first].current
    assert (head.status, head.text("replacement")) == ("superseded", second)
    assert outputs.status(second) == "active"


def test_a_stated_disagreement_is_recorded_and_shown() -> None:
    outputs = Outputs(**{"output/other.md": b"otherwise\n"})
    first = outputs.register()
    plan = outputs.do(
        "register", path="output/other.md", pack=PACK, sources=[], provenance="operator", conflicts_with=[first]
    )
    assert [note.subject for note in plan.conflicts] == [first]
    assert read(outputs.tree).heads[plan.subjects[0]].current.list("conflicts_with") == (first,)


OTHER, SAME, REFUSED = "output/other.md", "same", "refused"
STATES = ("active", "archived", "superseded", "revoked", "removed")
# command -> what becomes of an output in each of the states
TABLE = {
    "archive": ("archived", SAME, REFUSED, REFUSED, REFUSED),
    "revoke": ("revoked", "revoked", "revoked", SAME, "revoked"),
    "register": (SAME, "active", "active", "active", "active"),
    "supersede": ("superseded", REFUSED, REFUSED, REFUSED, REFUSED),
}


def in_state(state: str) -> tuple[Outputs, str]:
    outputs = Outputs(**{OTHER: b"other\n"})
    given = {"path": NOTICE, "pack": PACK, "sources": [SOURCE], "provenance": "operator"}
    plan = outputs.do("register", **given)
    (handle,) = plan.subjects
    if state == "superseded":
        outputs.do("register", **{**given, "path": OTHER}, supersedes=[handle])
        outputs.files["output/third.md"] = b"third\n"
    elif state == "removed":
        outputs.undo(plan)
    elif state != "active":
        outputs.do({"archived": "archive", "revoked": "revoke"}[state], targets=[{"handle": handle, "expected": 1}])
    assert outputs.status(handle) == state
    return outputs, handle


@pytest.mark.parametrize("command", sorted(TABLE))
@pytest.mark.parametrize("state", STATES)
def test_every_command_in_every_state(command: str, state: str) -> None:
    outputs, handle = in_state(state)
    wanted = TABLE[command][STATES.index(state)]
    arguments: dict[str, Any] = {"path": NOTICE, "pack": PACK, "sources": [SOURCE], "provenance": "operator"}
    if command == "supersede":
        third = "output/third.md" if state == "superseded" else OTHER
        arguments |= {"path": third, "supersedes": [handle]}
    elif command != "register":
        version = read(outputs.tree).heads[handle].current.version
        arguments = {"targets": [{"handle": handle, "expected": version}]}
    kind = "register" if command == "supersede" else command
    before = dict(outputs.files)
    if wanted == REFUSED:
        with pytest.raises(UsageError) as error:
            outputs.do(kind, **arguments)
        assert rules(error) == ["transition"]
        assert handle in error.value.findings[0].message
    else:
        plan = outputs.do(kind, **arguments)
        assert outputs.status(handle) == (state if wanted == SAME else wanted)
        assert (plan.changes == ()) == (wanted == SAME)
        assert len(plan.duplicates) == (wanted == SAME)
        if command == "register" and state in ("archived", "revoked"):
            assert [note.subject for note in plan.conflicts] == [handle], "what was ended says so"
    if wanted in (REFUSED, SAME):
        assert outputs.files == before


@pytest.mark.parametrize("name", ["archive", "revoke"])
def test_an_ended_registration_can_be_taken_back(name: str) -> None:
    outputs = Outputs()
    handle = outputs.register()
    plan = outputs.do(name, targets=[{"handle": handle, "expected": 1}])
    assert outputs.status(handle) == name.removesuffix("e") + "ed"
    with pytest.raises(UsageError) as error:
        outputs.plan(name, targets=[{"handle": handle, "expected": 1}])
    assert rules(error) == ["wrong-version"]
    outputs.undo(plan)
    assert outputs.status(handle) == "active"


def test_undo_of_a_registration_brings_back_what_it_superseded() -> None:
    outputs = Outputs()
    first = outputs.register()
    outputs.files[NOTICE] = b"other\n"
    given = {"path": NOTICE, "pack": PACK, "sources": [SOURCE], "provenance": "operator", "supersedes": [first]}
    plan = outputs.do("register", **given)
    (second,) = set(plan.subjects) - {first}
    outputs.undo(plan)
    assert (outputs.status(first), outputs.status(second)) == ("active", "removed")
    with pytest.raises(UsageError) as error:
        outputs.undo(plan)
    assert rules(error) == ["changed-since", "changed-since"]


@pytest.mark.parametrize(("now", "rule"), [(b"edited\n", "output-changed"), (None, "output-missing")])
def test_check_says_when_a_registered_file_is_not_what_it_was(now: bytes | None, rule: str) -> None:
    outputs = Outputs()
    outputs.register()
    if now is None:
        del outputs.files[NOTICE]
    else:
        outputs.files[NOTICE] = now
    assert [(one.rule, one.severity) for one in check(outputs.tree, None)] == [(rule, "warning")]


def test_a_forged_record_is_an_error_and_a_lost_one_too() -> None:
    outputs = Outputs()
    outputs.register()
    before = outputs.tree
    (name,) = (each for each in outputs.files if each.endswith(".jsonl"))
    data = outputs.files.pop(name) or b""
    assert [one.rule for one in check(outputs.tree, before)] == ["record-lost"]
    outputs.files[name] = data.replace(b"output/notice.md", b"output/forged.md")
    assert [one.rule for one in check(outputs.tree, None)] == ["broken-record"]
    assert status(outputs.tree)["state"] == "degraded"


def test_dependents_name_the_outputs_that_rest_on_a_source() -> None:
    outputs = Outputs()
    leaves = [{"kind": "raw", "ref": "raw_0123456789abcdef", "digest": digest(b"raw"), "scope": "global"}]
    handle = outputs.register(dependencies={"state": "known", "leaves": leaves})
    for source in (SOURCE["ref"], SOURCE["digest"], "raw_0123456789abcdef", PACK["id"]):
        assert list(dependents(outputs.tree, str(source))) == [handle]
    assert list(dependents(outputs.tree, "lm_ffffffffffffffff")) == []


@pytest.fixture(scope="module")
def shore(tmp_path_factory: pytest.TempPathFactory) -> Shore:
    shore = Shore.begun(tmp_path_factory.mktemp("outputs") / "project")
    shore.do("init")
    shore.do("add", "The ferry sails at seven.")
    shore.commit("facts")
    return shore


def test_without_the_task_nobody_else_can_build_the_pack_again(shore: Shore) -> None:
    pack = shore.pack("When does the ferry sail?")["pack"]["id"]
    shore.write("output/a.md", "At seven.\n")
    shore.do("outputs", "register", "output/a.md", "--pack", pack, "--no-task")
    records = b"".join(path.read_bytes() for path in (shore.root / ".aiwg/memory/outputs.d").iterdir())
    assert b"When does" not in records
    assert shore.ask("pack", "verify", pack)["data"]["verdict"] == "match"
    for path in (shore.root / ".aiwg/.local/packs").iterdir():
        path.unlink()
    told = shore.ask("pack", "verify", pack, status=1)["data"]
    assert (told["verdict"], "task" in told["why"]) == ("cannot-rebuild", True)


def test_a_forged_request_cannot_be_built_and_does_no_harm(shore: Shore) -> None:
    pack = shore.pack("At what hour does the ferry sail?")["pack"]["id"]
    shore.write("output/c.md", "Seven.\n")
    receipt = shore.do("outputs", "register", "output/c.md", "--pack", pack)
    (record,) = (change["path"] for change in receipt["changes"])
    for old, new in (
        ('"as_of":"2026-05-12"', '"as_of":7'),
        ('"budget":[{', '"budget":["x",{'),
        ('"tree":"', '"tree":"commit:--help'),
        ('"tree":"', '"tree":"commit:' + "0" * 40 + '","x":"'),
    ):
        whole = (shore.root / record).read_text("utf-8")
        assert old in whole
        (shore.root / record).write_text(whole.replace(old, new, 1), "utf-8")
        (row,) = shore.ask("outputs", "verify", receipt["subjects"][0], status=1)["data"]["outputs"]
        assert row["verdict"] == "cannot-rebuild"
        (shore.root / record).write_text(whole, "utf-8")
    shore.do("outputs", "revoke", receipt["subjects"][0])
    (shore.root / "output/c.md").unlink()


def test_list_shows_files_that_no_pack_is_named_for_until_they_are_registered(shore: Shore) -> None:
    shore.write("output/b.md", "Every day.\n")
    assert shore.ask("outputs", "list")["data"]["unlinked"] == ["output/b.md"]
    pack = shore.pack("How often does the ferry sail?")["pack"]["id"]
    shore.do("outputs", "register", "output/b.md", "--pack", pack)
    assert shore.ask("outputs", "list")["data"]["unlinked"] == []
    shore.write("output/b.md", "Every other day.\n")
    assert shore.ask("outputs", "list")["data"]["unlinked"] == [], "it is known as changed, not as new"
    (row,) = (
        row for row in shore.ask("outputs", "verify", status=1)["data"]["outputs"] if row["path"] == "output/b.md"
    )
    assert (row["file"], row["verdict"]) == ("changed", "match")


def test_a_file_elsewhere_is_no_output_of_this_project(shore: Shore, tmp_path: Path) -> None:
    pack = shore.pack("When does the ferry sail?")["pack"]["id"]
    (tmp_path / "else.md").write_text("elsewhere")
    told = shore.ask("outputs", "register", str(tmp_path / "else.md"), "--pack", pack, status=2)
    assert "not a file of this workspace" in told["error"]["message"]


@pytest.mark.parametrize("name", ["archive", "revoke"])
def test_a_file_whose_registration_was_ended_is_not_offered_again_until_it_says_something_else(name: str) -> None:
    outputs = Outputs()
    handle = outputs.register()
    outputs.do(name, targets=[{"handle": handle, "expected": 1}])
    assert unlinked(outputs.tree, (RepoPath("output"),), 10) == ([], False)
    assert status(outputs.tree)["next"] == []
    outputs.files[NOTICE] = b"# Another notice\n"
    assert unlinked(outputs.tree, (RepoPath("output"),), 10) == ([NOTICE], False)
    assert status(outputs.tree)["next"] == ["1 output without a pack: `outputs register`"]
