"""The real Apache RocketMQ: its releases, and what their classes do."""
