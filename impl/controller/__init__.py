"""The controller's deterministic core: replicated state, liveness, elections, changes of the SyncStateSet."""
