"""Searches over a transition system; they know no TLA+."""
