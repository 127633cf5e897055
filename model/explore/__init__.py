"""A session over a model, without any way to show it: expressions, steps, why a step is not possible, searches.

What a command line, a prompt and a page have in common is here, so that each of them only reads and prints.
"""
