"""The commands about RocketMQ: `rmqproof.model.cli` finds them here by the project's entry point."""
