"""The checker: the language (tla), its meaning (evaluate), the search, and the reports."""
