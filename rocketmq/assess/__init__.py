"""The operator's question: which settings can lose an acknowledged message, and how."""
