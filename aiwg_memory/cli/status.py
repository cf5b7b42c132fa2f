"""What a person wants to know first."""

from __future__ import annotations

from aiwg_memory.cli.app import App, command, pass_app


@command("status", example="aiwg-memory status")
@pass_app
def status(app: App) -> None:
    """What is ready, what waits for you, what is broken, and what to type next."""
    from aiwg_memory.workspace.reporting import status as report

    told = app.settled(lambda: report(app.workspace))
    told["next"] = [app.program + row.removeprefix("aiwg-memory") for row in told["next"]]
    lines = [told["root"] + ("" if told["initialised"] else "  (not set up yet)")]
    for heading in ("ready", "waiting", "broken", "next"):
        lines += [f"{heading if number == 0 else '':8} {row}" for number, row in enumerate(told[heading])]
    app.emit(told, "\n".join(lines))
