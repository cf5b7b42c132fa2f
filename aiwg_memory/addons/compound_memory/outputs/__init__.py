"""Outputs: files that people and agents made with a context pack, registered with that pack; never retrieved."""
