"""Commands that start processes by forking say so where a system cannot."""

from __future__ import annotations

import os

import click


def needs_fork(what: str) -> None:
    """Raise `click.UsageError` where there is no fork."""
    if not hasattr(os, "fork"):
        raise click.UsageError(
            f"{what} starts its processes by forking, which this system cannot do. On Windows use WSL."
        )
