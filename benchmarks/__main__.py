"""`python -m benchmarks`: quality on the corpus made here, then cost by size, of the loop, and of instructions.

`--only team`: what the daily commands cost in a team's repository and in one of twice its size.

`--data FOLDER` adds every file there in SQuAD's JSON format (XQuAD's are); none comes with this project.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks import cost, instructions, loop, quality, team
from benchmarks.corpus import own, public


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data", type=Path, help="a folder of question files in SQuAD's format")
    parser.add_argument("--limit", type=int, default=300, help="questions taken of each file")
    parser.add_argument("--sizes", default="1000,10000,100000", help="lines; of the rest, up to 10,000")
    parser.add_argument("--only", choices=("quality", "cost", "loop", "instructions", "team"))
    chosen = parser.parse_args()
    print(f"seed {chosen.seed}\n")
    sizes = [int(size) for size in chosen.sizes.split(",")]
    if chosen.only in (None, "quality"):
        files = sorted(chosen.data.glob("*.json")) if chosen.data else []
        for line in quality.table([own(chosen.seed), *(public(path, chosen.limit) for path in files)]):
            print(line, flush=True)
        print()
    if chosen.only in (None, "cost"):
        for line in cost.table(sizes, chosen.seed):
            print(line, flush=True)
        print()
    if chosen.only in (None, "loop"):
        for line in loop.table([size for size in sizes if size <= 10_000]):
            print(line, flush=True)
        print()
    if chosen.only in (None, "instructions"):
        for line in instructions.table():
            print(line, flush=True)
    if chosen.only == "team":
        for line in team.table(chosen.seed):
            print(line, flush=True)


if __name__ == "__main__":
    main()
