"""Breadth-first search on Spark: owner partitions, runs of states in files, the result of the local engines."""
