"""Check a model: open it, choose an engine, search, judge liveness, have the reference evaluator look again.

What the command line and the library share; nothing here prints.
"""
