"""Options that several commands share, each meaning the same everywhere."""

from __future__ import annotations

import click

from aiwg_memory.core.dimensions import CLASSIFICATIONS, DELIVERIES, INTERNAL, KINDS, LIFECYCLES, PUBLIC

reviewer_option = click.option(
    "--reviewer", metavar="NAME", help="Whose decision this is; else git's user.name and user.email."
)
reason_option = click.option("--reason", metavar="TEXT", default="", help="Why, in one line; it is recorded.")
visible_option = click.option(
    "--show-internal", "visible", is_flag=True, callback=lambda _, __, value: INTERNAL if value else PUBLIC,
    help="Tell internal items in words too; others that are not public are named by handle and digest only.",
)  # fmt: skip
"""Gives the classifications that are told in words."""
scope_option = click.option(
    "--scope", metavar="SCOPE", help="Where it applies: global (the default), path:DIR or project:ID."
)
delivery_option = click.option(
    "--delivery", type=click.Choice(DELIVERIES), help="When it enters a pack; retrieved is the default."
)
kind_option = click.option("--kind", type=click.Choice(KINDS), help="What it is.")
classification_option = click.option(
    "--classification", type=click.Choice(CLASSIFICATIONS), help="Who may see it; internal is the default."
)
expires_option = click.option("--expires", metavar="DATE", help="Not delivered from this day on (YYYY-MM-DD).")
review_by_option = click.option("--review-by", metavar="DATE", help="Labelled stale from this day on (YYYY-MM-DD).")
redact_option = click.option("--redact", is_flag=True, help="Store secrets redacted instead of refusing the text.")
lifecycle_option = click.option(
    "--lifecycle", type=click.Choice((*LIFECYCLES, "removed")), help="Only this state; without it, what is not history."
)
