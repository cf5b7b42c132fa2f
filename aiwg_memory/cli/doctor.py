"""The ground this stands on: versions, git's set-up, what the platform guarantees."""

from __future__ import annotations

from aiwg_memory.cli.app import App, command, pass_app


@command("doctor", example="aiwg-memory doctor")
@pass_app
def doctor(app: App) -> None:
    """Environment, git set-up, platform guarantees and versions; exit 1 when something is missing."""
    from aiwg_memory.workspace.diagnosis import diagnose

    rows = diagnose(app.workspace)
    app.status = 0 if all(row.good for row in rows) else 1
    lines = [f"{'ok  ' if row.good else 'FAIL'} {row.name}: {row.value}" for row in rows]
    lines += [f"     {row.name}: {row.hint}" for row in rows if not row.good]
    data = [{"name": row.name, "ok": row.good, "value": row.value, "hint": row.hint} for row in rows]
    app.emit({"checks": data, "total": len(data)}, "\n".join(lines))
