"""Processes, sockets and time around the deterministic core: one process a node, on loopback or any network."""
