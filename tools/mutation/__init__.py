"""Mutation testing: small edits of the reference implementation, and whether the conformance tests see them."""
