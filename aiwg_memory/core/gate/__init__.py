"""The gate: what is judged of a change as a change, whichever addon owns the files. Two trees in, findings out."""
