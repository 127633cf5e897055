"""Temporal properties over the graph of reachable states: formulas, automaton, product, fair cycles. No TLA+ here."""
