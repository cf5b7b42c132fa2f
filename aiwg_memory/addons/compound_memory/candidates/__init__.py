"""Candidates: proposals under review. Nothing of theirs is retrieved before it is accepted and promoted."""
