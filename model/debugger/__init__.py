"""A debugger over a walk through a model, in the Debug Adapter Protocol.

A program has one next step, a model has several: a step is a choice, and going on is a search for the nearest step at
which something stops. What is known of the model is `model.explore`'s.
"""
