"""Whether files can be written, asked before hours are spent on what is to be written there."""

from __future__ import annotations

import os
from pathlib import Path

import click


def must_be_writable(option: str, path: Path | str | None, folder: bool = False) -> None:
    """Raise `click.UsageError` when the file, or the folder, cannot be written. `-` and URLs are not looked at."""
    if path is None or str(path) == "-" or "://" in str(path):
        return
    wrong = _obstacle(Path(path), folder)
    if wrong is not None:
        raise click.UsageError(f"{option} {path}: {wrong}. Nothing was begun; name a place that can be written.")


def _obstacle(path: Path, folder: bool) -> str | None:
    try:
        if path.exists():
            if path.is_dir() is not folder:
                return "this is a folder, not a file" if path.is_dir() else "this is a file, not a folder"
            return None if os.access(path, os.W_OK) else "permission denied"
        above = path.absolute().parent
        while folder and not above.exists():
            above = above.parent
        if not above.exists():
            return f"there is no folder {above}"
        if not above.is_dir():
            return f"{above} is no folder"
        return None if os.access(above, os.W_OK) else f"permission denied in {above}"
    except OSError as error:
        return error.strerror or str(error)
    except ValueError as error:
        return str(error)
