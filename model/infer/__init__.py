"""Inductive invariants found by the machine: candidates over a specification's own words, counterexamples by Z3."""
