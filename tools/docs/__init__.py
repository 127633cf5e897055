"""What writes the pages of docs/ that are made from the code, the specification and measured runs."""
