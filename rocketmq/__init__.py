"""All that knows RocketMQ: its settings, files, logs and traces, its releases and what their classes do, its commands."""
