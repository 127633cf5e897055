"""Algorithms in PlusCal, translated by TLC's translator and by ours, and checked by both."""
