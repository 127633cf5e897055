"""The language: parse, resolve, infer types."""
