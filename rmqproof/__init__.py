"""rmqproof: check the replication protocol of RocketMQ 5 Controller mode, and any TLA+ specification."""

__version__ = "0.1.0"
