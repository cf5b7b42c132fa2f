"""Taking in what other tools keep: one plan, of parts that each store plans for itself."""
