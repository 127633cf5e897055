"""All that knows RocketMQ: its settings, files, logs and traces, its releases and their classes, its commands."""
