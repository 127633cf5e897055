"""Proofs for all sizes: typed TLA+ translated to Z3.

`theorems` turns a THEOREM into hypotheses and a goal, `translate.Translator` turns expressions into `values`, `settle`
asks Z3. The same translation has two readings: the unbounded one, with quantifiers, in which lemmas are proved, and the
one within `scope.Bounds`, without quantifiers, in which countermodels are found, read and put to the Python engine.
"""
