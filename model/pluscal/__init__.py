"""PlusCal: algorithms in comments of a module, and their translation to TLA+ as TLC's translator makes it."""
