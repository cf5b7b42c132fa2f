"""May this item be delivered: one code why not, or None; and the labels it carries when it may."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from aiwg_memory.core.dependencies import leaves_of, state_of
from aiwg_memory.core.items import MemoryItem

RETRIEVABLE = ("active", "stale", "contradicted")
DOUBTFUL = ("stale", "contradicted")


class DeliveryPolicy(NamedTuple):
    """The `delivery` part of the configuration. ``unknown_lineage`` and ``changed_source``: label or withhold."""

    retrieved: tuple[str, ...] = ("confirmed", "pending")
    always: tuple[str, ...] = ("confirmed",)
    unknown_lineage: str = "label"
    changed_source: str = "label"


class DeliveryOptions(NamedTuple):
    """Who asks, from where, for what. A filter maps a dimension (``kind``, ``layer``, …) to the values let through.

    ``history`` also shows what is no longer current; ``asked`` are handles asked for by name, the only way on-demand
    items come in. ``project`` and ``session`` are the ids the scopes of that name are compared with. ``user_tree`` is
    the digest of a person's own facts where they are laid over the repository's, and part of the pack's identity.
    """

    incognito: bool = False
    history: bool = False
    user: bool = False
    user_tree: str = ""
    project: str = ""
    session: str = ""
    asked: tuple[str, ...] = ()
    filters: Mapping[str, tuple[str, ...]] = MappingProxyType({})


def lifecycle_on(item: MemoryItem, as_of: str) -> str:
    """The lifecycle with dates applied: expired from the day of ``expires_at``, stale from that of ``review_at``."""
    if item.lifecycle in RETRIEVABLE:
        if item.expires_at and item.expires_at[:10] <= as_of:
            return "expired"
        if item.lifecycle == "active" and item.review_at and item.review_at[:10] <= as_of:
            return "stale"
    return item.lifecycle


def in_scope(scope: str, target: str, options: DeliveryOptions) -> bool:
    """``path:`` holds for targets in that directory; an unknown form of scope holds nowhere."""
    if scope == "global":
        return True
    if scope == "user":
        return options.user
    form, _, value = scope.partition(":")
    value = value.removesuffix("/")
    if not value:
        return False
    if form == "path":
        return target == value or target.startswith(value + "/")
    if form == "project":
        return value == options.project
    return form == "session" and value == options.session


def decide(
    item: MemoryItem,
    *,
    as_of: str,
    target: str = "",
    policy: DeliveryPolicy | None = None,
    options: DeliveryOptions | None = None,
    always: bool = False,
) -> str | None:
    """Why ``item`` may not be delivered on the UTC date ``as_of`` to someone at ``target``, or None.

    ``always`` judges it for the always-on section, whose review states are a policy of their own. Codes: a lifecycle
    state, ``rejected``, ``pending-policy``, ``out-of-scope``, ``dependency-revoked``, ``lineage-unknown``,
    ``on-demand``, ``filtered``, ``incognito``.
    """
    policy = policy or DeliveryPolicy()
    options = options or DeliveryOptions()
    if options.incognito:
        return "incognito"
    lifecycle = lifecycle_on(item, as_of)
    if lifecycle not in RETRIEVABLE and not options.history:
        return lifecycle.replace("_", "-")
    if item.review == "rejected":
        return "rejected"
    if item.review not in (policy.always if always else policy.retrieved):
        return f"{item.review}-policy"
    if item.delivery == "on_demand" and item.handle not in options.asked:
        return "on-demand"
    return _scope_or_lineage(item, target, policy, options) or _filtered(item, options)


def _scope_or_lineage(item: MemoryItem, target: str, policy: DeliveryPolicy, options: DeliveryOptions) -> str | None:
    scopes = [item.scope, *(leaf.get("scope") or "global" for leaf in leaves_of(item.dependencies))]
    if not all(isinstance(scope, str) and in_scope(scope, target, options) for scope in scopes):
        return "out-of-scope"
    state = lineage_of(item)
    if state == "revoked" and not is_retained(item):
        return "dependency-revoked"
    if state == "unknown" and policy.unknown_lineage == "withhold":
        return "lineage-unknown"
    return None


def lineage_of(item: MemoryItem) -> str:
    """known, unknown or revoked. No envelope at all is what a person states for themselves, and known."""
    return state_of(item.dependencies) if item.dependencies else "known"


def is_retained(item: MemoryItem) -> bool:
    """Whether a person, who is named, kept it although what it rests on was revoked."""
    retained = item.dependencies.get("retained")
    return isinstance(retained, Mapping) and isinstance(retained.get("by"), str) and bool(retained["by"])


def _filtered(item: MemoryItem, options: DeliveryOptions) -> str | None:
    fields = {
        "kind": item.kind, "layer": item.layer, "provenance": item.provenance, "scope": item.scope,
        "review": item.review, "epoch": item.epoch, "classification": item.classification,
    }  # fmt: skip
    for name, wanted in options.filters.items():
        if fields.get(name) not in wanted:
            return "filtered"
    return None


def labels(item: MemoryItem, as_of: str, *, changed: bool = False, now: str = "") -> tuple[str, ...]:
    """What a reader must know before the text: trust, review, and every doubt about it. ``now`` is what became of its
    sources (``source-changed``, ``source-vanished``, ``source-moved``)."""
    lifecycle = lifecycle_on(item, as_of)
    state = lineage_of(item)
    source = "source changed" if changed else now.replace("-", " ")
    doubts = (
        (lifecycle.replace("_", " "), lifecycle != "active"),
        ("unreviewed", item.unrecorded),
        ("lineage unknown", state == "unknown"),
        ("retained after revocation", state == "revoked"),
        (source, bool(source)),
    )
    return (f"trust {item.trust}", item.review, *(text for text, holds in doubts if holds))
