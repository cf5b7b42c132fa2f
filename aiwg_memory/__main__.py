"""``python -m aiwg_memory``."""

from aiwg_memory.cli import main

if __name__ == "__main__":
    main()
