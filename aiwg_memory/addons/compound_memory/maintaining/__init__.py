"""Maintenance: everything that time brings about, as one plan of steps that a person keeps or drops."""
