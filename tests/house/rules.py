"""The rules of the house, judged from source text alone: which floor may import and call what, and how large a room is.

``violations({module: source})`` is all there is; the tests feed it the package, and planted offences.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

PACKAGE = "aiwg_memory"
ROOT = Path(__file__).parents[2]

FLOORS = {
    "errors": 0, "core": 1, "addons": 2, "worktree": 3, "repo": 3, "journal": 3, "index": 3, "workspace": 4, "cli": 5,
    "__main__": 6, "": 6,
}  # fmt: skip
CORE, ADDONS, CLI = 1, 2, 5
CORE_ORDER = {
    **dict.fromkeys(("paths", "canonical", "findings", "tree", "stored", "schema", "dimensions", "patterns"), 0),
    **dict.fromkeys(
        ("strict_yaml", "records", "document", "items", "operations", "screening", "dependencies", "delivery"), 1
    ),
    **dict.fromkeys(("ranking", "budget", "tokens", "retrieval"), 2),
}
NOUNS = 3

DOOR_MODULES = {
    "os", "pathlib", "subprocess", "sqlite3", "git", "tempfile", "shutil", "socket", "glob", "fcntl", "mmap", "signal",
}  # fmt: skip
CHANCE_AND_TIME = {"uuid", "random", "secrets", "time"}
NETWORK = ("urllib.request", "http", "requests", "httpx", "ssl", "ftplib", "smtplib")
CLOCK_CALLS = {"now", "utcnow", "today", "time_ns"}

MODULE_CAP, FUNCTION_CAP = 400, 60


@dataclass(frozen=True)
class Use:
    """One imported name. ``typing`` is one that only a type checker sees, so that it closes no cycle when it runs."""

    line: int
    target: str
    typing: bool


def package_sources(root: Path = ROOT / PACKAGE) -> dict[str, str]:
    names = {path: [root.name, *path.relative_to(root).with_suffix("").parts] for path in sorted(root.rglob("*.py"))}
    return {".".join(name).removesuffix(".__init__"): path.read_text("utf-8") for path, name in names.items()}


def violations(sources: Mapping[str, str]) -> list[str]:
    trees = {module: ast.parse(source) for module, source in sources.items()}
    uses = {module: list(_uses(tree)) for module, tree in trees.items()}
    found = [
        f"{module}:{line}: {problem}"
        for module, tree in trees.items()
        for line, problem in (*_imports(module, uses[module]), *_calls(module, tree), *_sizes(tree, sources[module]))
    ]
    return sorted(found) + [f"import cycle: {' -> '.join(cycle)}" for cycle in cycles(graph(uses))]


def _uses(tree: ast.AST, typing: bool = False) -> Iterator[Use]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            for child in node.body:
                yield from _uses(ast.Module([child], []), True)
            continue
        if isinstance(node, ast.Import):
            yield from (Use(node.lineno, alias.name, typing) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            lead = "." * node.level + (node.module or "")
            yield from (Use(node.lineno, f"{lead}.{alias.name}", typing) for alias in node.names)
        yield from _uses(node, typing)


def floor(module: str) -> int:
    parts = module.split(".")
    return FLOORS.get(parts[1] if len(parts) > 1 else "", 6)


def _addon(module: str) -> str:
    parts = module.split(".")
    return parts[2] if parts[1:2] == ["addons"] and len(parts) > 2 else ""


def _core_rank(module: str) -> int:
    parts = module.split(".")
    return CORE_ORDER.get(parts[2], NOUNS) if len(parts) > 2 else NOUNS


def _imports(module: str, uses: Iterable[Use]) -> Iterator[tuple[int, str]]:
    for use in uses:
        top = use.target.split(".")[0]
        if use.target.startswith("."):
            yield use.line, f"relative import of {use.target}"
        elif top == PACKAGE:
            yield from ((use.line, problem) for problem in _inside(module, use))
        elif f"{use.target}.".startswith(tuple(f"{name}." for name in NETWORK)):
            yield use.line, f"{use.target} speaks to the network"
        elif top == "click" and floor(module) != CLI:
            yield use.line, "click outside cli"
        elif floor(module) <= ADDONS and top in DOOR_MODULES:
            yield use.line, f"{top} belongs to the doors"
        elif floor(module) <= ADDONS and top in CHANCE_AND_TIME:
            yield use.line, f"{top} makes a result differ from run to run"


def _inside(module: str, use: Use) -> Iterator[str]:
    target = use.target
    if _addon(module) and _addon(target) and _addon(module) != _addon(target) and target.count(".") > 2:
        yield f"addon {_addon(module)} imports addon {_addon(target)}"
    if target.split(".")[1:2] == ["__version__"]:
        return
    if floor(target) > floor(module):
        yield f"upward import of {target}"
    if floor(module) == floor(target) == CORE and _core_rank(target) > _core_rank(module):
        yield f"import of {target} against the order inside core"


def _calls(module: str, tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        attribute = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if name in ("print", "input") and floor(module) < CLI:
            yield node.lineno, f"{name} outside cli"
        if floor(module) <= ADDONS and (name == "open" or attribute in CLOCK_CALLS):
            yield node.lineno, f"call of {name or attribute}"


def _sizes(tree: ast.AST, source: str) -> Iterator[tuple[int, str]]:
    lines = len(source.splitlines())
    if lines > MODULE_CAP:
        yield 1, f"{lines} lines, at most {MODULE_CAP}"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            count = (node.end_lineno or node.lineno) - node.lineno + 1
            if count > FUNCTION_CAP:
                yield node.lineno, f"{node.name} has {count} lines, at most {FUNCTION_CAP}"


def graph(uses: Mapping[str, Iterable[Use]]) -> dict[str, set[str]]:
    """Module to the modules it imports when it runs; an import inside a function counts as well."""
    edges: dict[str, set[str]] = {}
    for module, each in uses.items():
        named = {use.target for use in each if not use.typing}
        found = {name if name in uses else name.rpartition(".")[0] for name in named}
        edges[module] = {target for target in found if target in uses and target != module}
    return edges


def cycles(edges: Mapping[str, set[str]]) -> list[list[str]]:
    """One way round for each group of modules that import each other, shortest name first."""
    found: list[list[str]] = []
    settled: set[str] = set()
    for start in sorted(edges, key=lambda name: (len(name), name)):
        way = _way_back(start, edges)
        if way and not settled & set(way):
            found.append([*way, start])
            settled.update(way)
    return found


def _way_back(start: str, edges: Mapping[str, set[str]]) -> list[str]:
    trails, seen = [[start]], {start}
    for trail in trails:
        for target in sorted(edges[trail[-1]]):
            if target == start:
                return trail
            if target not in seen:
                seen.add(target)
                trails.append([*trail, target])
    return []
