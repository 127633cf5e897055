"""From modules as written to the core tree: names, EXTENDS, INSTANCE, levels."""

from rmqproof.model.tla.resolve.resolution import Resolution, deep_recursion

__all__ = ["Resolution", "deep_recursion"]
