"""Language-neutral cases: given a tree, some commands, what must be printed and what must be left behind."""
