"""Ranking: text to terms, terms to scores. Pure; the index keeps what is computed here."""
