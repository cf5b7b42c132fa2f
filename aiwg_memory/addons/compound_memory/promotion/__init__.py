"""Promotion: what an accepted candidate becomes in the stores that take it, as one plan with a part for each."""
