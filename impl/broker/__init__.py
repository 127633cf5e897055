"""A broker's deterministic core: epoch file, log offsets, SyncStateSet, roles, both ends of replication."""
