"""The engine python: each construct as Python code, made for the model; the other engines are held to it."""
