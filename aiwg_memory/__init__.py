"""Memory and instructions for coding agents, kept as plain files in git."""

__version__ = "0.1.0"
