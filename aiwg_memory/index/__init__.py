"""The disposable rows below ``.aiwg/.local``: a copy of what files say, asked in their place where nothing changed."""
