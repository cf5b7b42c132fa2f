"""Lineage: withdrawing a source, and one decision about everything that rests on it, across all stores."""
