"""What to say of an exception that no command foresaw."""

from __future__ import annotations

import ctypes
import sys
import tempfile
import traceback
from pathlib import Path

import click

from rmqproof.model.checking import exit_status
from rmqproof.model.tla.source import TlaError


def told(error: Exception) -> int:
    """Tell it on stderr; the exit status."""
    if isinstance(error, TlaError):
        click.echo(str(error), err=True)
        return exit_status.of_error(error)
    if isinstance(error, RecursionError):
        click.echo(
            "Error: an expression, or a value, nests too deeply for this command. Give parts of it definitions of "
            "their own.",
            err=True,
        )
        return exit_status.EVALUATION
    if isinstance(error, ctypes.ArgumentError) and "KeyboardInterrupt" in str(error):
        click.echo("Interrupted.", err=True)  # while a value was handed to Z3: ctypes makes another exception of it
        return exit_status.INTERRUPTED
    if isinstance(error, MemoryError):
        click.echo("Error: out of memory.", err=True)
        return exit_status.SYSTEM
    if isinstance(error, OSError):
        click.echo(f"Error: {error}", err=True)
        return exit_status.SYSTEM
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "an unknown place"
    click.echo(f"Error: a defect of rmqproof: {type(error).__name__} at {place}: {error}", err=True)
    kept = _kept("".join(traceback.format_exception(error)))
    more = f", and with {kept}" if kept is not None else ""
    click.echo(f"Please report it with the command and its files{more}.", err=True)
    return exit_status.SYSTEM


def _kept(text: str) -> Path | None:
    """A file with all that a developer wants to know; None where none can be written."""
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="rmqproof-", suffix=".txt", delete=False, encoding="utf-8", errors="backslashreplace"
        ) as file:
            file.write(f"{' '.join(sys.argv)}\n\n{text}")
    except OSError:
        return None
    return Path(file.name)
