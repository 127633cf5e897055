"""The translation of `prove` held to the reference evaluator: `python -m tools.translation`."""
