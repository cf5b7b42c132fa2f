"""A pack that was delivered, built again from the tree it named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from aiwg_memory.core.budget import Budget, Limit
from aiwg_memory.core.delivery import DeliveryOptions
from aiwg_memory.core.packs import Pack, PackRequest, build_pack
from aiwg_memory.errors import AiwgError, Locked, NotFound, UsageError
from aiwg_memory.workspace.addons import PACKS, require, with_missing
from aiwg_memory.workspace.deliveries import saved_request
from aiwg_memory.workspace.retrieval import build, content_of_commit, doubts, given_at, policy, retriever

if TYPE_CHECKING:
    from aiwg_memory.core.tree import MemoryTree
    from aiwg_memory.workspace import Workspace

MAX_COMMITS = 200


def verify(workspace: Workspace, name: str) -> dict[str, Any]:
    """``verdict`` is match, mismatch or cannot-rebuild; ids and digests, never text."""
    return verify_kept(workspace, kept_request(workspace, name))


def verify_kept(workspace: Workspace, saved: Mapping[str, Any]) -> dict[str, Any]:
    """The same for a request that is at hand."""
    told = {"id": saved["id"], "text_digest": saved["text_digest"], "tree": saved["tree"], "rebuilt": None, "why": ""}
    try:
        pack = _rebuilt(workspace, saved)
    except Locked:
        raise
    except AiwgError as error:
        return {**told, "verdict": "cannot-rebuild", "why": error.message + _switched_off(workspace)}
    same = pack.id == saved["id"] and pack.text_digest == saved["text_digest"]
    told["rebuilt"] = {"id": pack.id, "text_digest": pack.text_digest}
    return {
        **told,
        "verdict": "match" if same else "mismatch",
        "why": _said(workspace, pack.request, same),
    }


def _switched_off(workspace: Workspace) -> str:
    """The stores whose part no pack holds here. One that was off when the pack was built is off for its builder too."""
    off = [addon.name for addon in with_missing(workspace.addons)[len(workspace.addons) :] if addon.item]
    if not off or workspace.own:
        return ""
    are = "is" if len(off) == 1 else "are"
    return f"; {' and '.join(off)} {are} switched off here (`addons` in .aiwg/config.yaml)"


def _said(workspace: Workspace, request: PackRequest, same: bool) -> str:
    if not same:
        return "the same request gives another pack" + _switched_off(workspace)
    return "it holds facts of your own store, so nobody else can verify it" if request.options.user_tree else ""


def kept_request(workspace: Workspace, name: str) -> Mapping[str, Any]:
    """What this machine keeps of a pack, else what was registered with an output made from it. Raises NotFound."""
    from aiwg_memory.addons.compound_memory.outputs.store import read

    try:
        return saved_request(workspace, name)
    except NotFound:
        packs: dict[str, Mapping[str, Any]] = {}
        for version in read(workspace.tree).versions if name.startswith("pack_") else ():
            pack = version.object("pack")
            known = packs.get(pack["id"])
            if pack["id"].startswith(name) and (known is None or "task" not in known):
                packs[pack["id"]] = pack
        if len(packs) != 1:
            raise
        return next(iter(packs.values()))


def rebuild(workspace: Workspace, name: str) -> Pack:
    """For delivery: what is revoked or forgotten by now is withheld. Raises NotFound when the tree is gone."""
    saved = kept_request(workspace, name)
    request = _request(saved)
    user = _own(workspace, request)
    at = _revision(workspace, saved["tree"], user)
    return build(workspace, request, at=at, user=user)


def _rebuilt(workspace: Workspace, saved: Mapping[str, Any]) -> Pack:
    """As it was, for comparison alone: nothing of it is shown."""
    if not workspace.own:  # A person's own store has facts alone, and packs of them.
        require(workspace.addons, PACKS, "no pack is built")
    request = _request(saved)
    user = _own(workspace, request)
    at = _revision(workspace, saved["tree"], user)
    with retriever(workspace, at=at, user=user) as index:
        index.identity = saved["tree"]
        given, _ = given_at(workspace, request, at)
        pack = build_pack(index, request, policy=policy(workspace), given=given)
        if (pack.id, pack.text_digest) == (saved["id"], saved["text_digest"]):
            return pack
        # Some of its sources may have been in doubt when it was built, and are so in that tree.
        found = doubts(workspace, index, pack, at, None)
        return build_pack(index, request, policy=policy(workspace), given=given, current=found) if found else pack


def _own(workspace: Workspace, request: PackRequest) -> MemoryTree | None:
    """The person's own facts that the pack took in. Raises NotFound when they are not what they were, or not here."""
    if not request.options.user_tree:
        return None
    from aiwg_memory.workspace.own import own_facts, own_of

    found = own_facts(workspace, own_of(workspace))
    if found.identity != request.options.user_tree:
        raise NotFound("it holds facts of one person's own store, which is not here as it was then")
    return found


def _revision(workspace: Workspace, tree: str, user: MemoryTree | None = None) -> str | None:
    """The commit that holds the tree a pack named; None when that is the working tree as it is."""
    if tree.startswith("commit:"):
        return tree.removeprefix("commit:")
    with retriever(workspace, user=user) as index:
        if index.identity[-12:] == tree[-12:]:
            return None
    head = tree.partition("+")[0]
    if workspace.repository is not None and "+" in tree and user is None:
        for commit in _candidates(workspace, head):
            if content_of_commit(workspace, commit) == tree[-12:]:
                return commit
    raise NotFound(
        f"the tree {tree} is not in git", hint="only packs built from what was later committed can be rebuilt"
    )


def _candidates(workspace: Workspace, head: str) -> Iterator[str]:
    """The commit itself, then what came after it and touched the memory, oldest first; where it is not here, as after
    a merge that squashed it, whatever touched the memory."""
    try:
        full = workspace.require_repository().resolve(head)
    except AiwgError:
        yield from workspace.require_repository().commits_touching(".aiwg", limit=MAX_COMMITS)
        return
    yield full
    yield from workspace.require_repository().commits_touching(".aiwg", since=full, limit=MAX_COMMITS)


def _request(saved: Mapping[str, Any]) -> PackRequest:
    if "task" not in saved:
        raise NotFound("the task it was built for was not kept", hint="only whoever built it here can verify it")
    try:
        return _as_request(saved)
    except (KeyError, TypeError, ValueError, AttributeError, UsageError) as error:
        raise NotFound("its stored request cannot be read", hint="it was edited, or a newer tool wrote it") from error


def _as_request(saved: Mapping[str, Any]) -> PackRequest:
    value = saved["request"]
    options = value["options"]
    return PackRequest(
        task=saved["task"],
        as_of=value["as_of"],
        target=value["target"],
        budget=Budget(
            tuple(Limit(each["measure"], each["limit"], each.get("profile", "")) for each in value["budget"])
        ),
        format=saved["format"],
        weights=value["weights"],
        caps=value["caps"],
        floor=options["floor"],
        options=DeliveryOptions(
            incognito=options["incognito"],
            history=options["history"],
            user=options["user"],
            user_tree=options.get("user_tree", ""),
            project=options["project"],
            session=options["session"],
            asked=tuple(options["asked"]),
            filters={name: tuple(values) for name, values in options["filters"].items()},
        ),
        no_digest=options["no_digest"],
        no_touch=options["no_touch"],
        include_instructions=options["include_instructions"],
    )
