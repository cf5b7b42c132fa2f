"""Every command by name: where it lives, what it is for in one line, and under which heading help shows it.

Help and completion read this and load no command; a test holds it to the commands themselves.
"""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    target: str
    help: str
    heading: str


_CLI = "aiwg_memory.cli."

COMMANDS: dict[str, Entry] = {
    "init": Entry(_CLI + "init:init", "Set up .aiwg/ in this repository, by preview and confirm.", "Everyday"),
    "add": Entry(_CLI + "facts:add", "Add one or more facts, or one a line from standard input.", "Everyday"),
    "ingest": Entry(_CLI + "ingest:ingest", "Keep sources as raw evidence, byte for byte.", "Everyday"),
    "context": Entry(_CLI + "context:context", "Build the context pack for a task and print it.", "Everyday"),
    "search": Entry(_CLI + "search:search", "Ranked facts and passages for some words, without a pack.", "Everyday"),
    "review": Entry(_CLI + "review:review", "The queue of candidates, oldest first; --edit opens it.", "Everyday"),
    "accept": Entry(_CLI + "review:accept", "Accept candidates at the version that was shown.", "Everyday"),
    "reject": Entry(_CLI + "review:reject", "Reject candidates; they are not proposed again.", "Everyday"),
    "defer": Entry(_CLI + "review:defer", "Put candidates off, with a record of it.", "Everyday"),
    "promote": Entry(_CLI + "review:promote", "Make facts, pages or context of what was accepted.", "Everyday"),
    "confirm": Entry(_CLI + "confirm:confirm", "Apply exactly what a preview showed.", "Everyday"),
    "status": Entry(_CLI + "status:status", "What is there, what waits, what is broken, what next.", "Everyday"),
    "check": Entry(_CLI + "check:check", "Judge everything stored; the gate for hooks and CI.", "Everyday"),
    "diff": Entry(_CLI + "diff:diff", "What changed in memory and instructions, by meaning.", "Everyday"),
    "blame": Entry(_CLI + "blame:blame", "Who decided a thing, on what evidence, and when.", "Changes"),
    "log": Entry(_CLI + "blame:log", "Every version of a thing, with commit and receipt.", "Changes"),
    "previews": Entry(_CLI + "confirm:previews", "List, show and drop what waits for a confirmation.", "Changes"),
    "undo": Entry(_CLI + "undo:undo", "Plan the inverse of what a receipt records.", "Changes"),
    "recover": Entry(_CLI + "undo:recover", "Finish, or settle, what was interrupted.", "Changes"),
    "maintain": Entry(_CLI + "maintain:maintain", "Preview what should be archived, expired, gathered.", "Changes"),
    "receipts": Entry(_CLI + "receipts:receipts", "List, show and verify what was confirmed.", "Changes"),
    "forget": Entry(_CLI + "facts:forget", "Erase a text everywhere this tool can reach.", "Changes"),
    "facts": Entry(_CLI + "facts:facts", "Facts: list, show, adopt, judge, retire, merge.", "Stores"),
    "wiki": Entry(_CLI + "wiki:wiki", "Pages: add, edit, show, judge, lint, index, draft.", "Stores"),
    "raw": Entry(_CLI + "raw:raw", "Raw evidence: list it, end what should not be kept.", "Stores"),
    "canon": Entry(_CLI + "canon:canon", "Canonical context: set, renew, go back, end, move.", "Stores"),
    "outputs": Entry(_CLI + "outputs:outputs", "Outputs: register with their pack, list, verify.", "Stores"),
    "instructions": Entry(
        _CLI + "instructions:instructions", "What agents are told: show, compare, pin, check.", "Stores"
    ),
    "candidates": Entry(_CLI + "candidates:candidates", "Proposals: propose, extract, list, share, close.", "Stores"),
    "lineage": Entry(_CLI + "lineage:lineage", "What rests on what; withdraw a source with all of that.", "Stores"),
    "import": Entry(_CLI + "import_:import_", "Take in what other tools keep, pending.", "Stores"),
    "explain": Entry(_CLI + "explain:explain", "What a delivered pack held and left out, with scores.", "Packs"),
    "why": Entry(_CLI + "explain:why", "Why an item was in or out of the last pack.", "Packs"),
    "pack": Entry(_CLI + "explain:pack", "Show a delivered pack again, or verify that it reproduces.", "Packs"),
    "config": Entry(_CLI + "config:config", "Show the settings in force and where each comes from.", "Set-up"),
    "addons": Entry(_CLI + "config:addons", "Which addons are enabled and what each owns.", "Set-up"),
    "doctor": Entry(_CLI + "doctor:doctor", "Environment, git set-up and platform guarantees.", "Set-up"),
    "hooks": Entry(_CLI + "hooks:hooks", "The git hook that checks what is staged.", "Set-up"),
    "adapters": Entry(_CLI + "adapters:adapters", "The block in AGENTS.md and others on how to use memory.", "Set-up"),
    "completion": Entry(_CLI + "completion:completion", "Print the completion script of a shell.", "Set-up"),
}
