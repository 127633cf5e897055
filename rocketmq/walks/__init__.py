"""Walks through a model of two brokers on the stores of a release, from the start, without a snapshot."""
