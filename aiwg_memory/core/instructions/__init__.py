"""What an agent is told to do: which instruction files apply to a target, who says so, and whether it changed."""
