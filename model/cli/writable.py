"""Files and folders that are written: whether they can be is asked before hours are spent on what is to be in them."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path
from typing import Any

import click


class Output(click.Path):
    """The type of a parameter that says where to write: a file, or a folder.

    A place that cannot be written is wrong usage. `-` and URLs are not looked at.
    """

    def __init__(self, folder: bool = False, path_type: type[Any] | None = Path, allow_dash: bool = False) -> None:
        super().__init__(file_okay=not folder, dir_okay=folder, allow_dash=allow_dash, path_type=path_type)
        self.folder = folder

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        text = os.fsdecode(value)
        if "://" in text:
            return value
        found = super().convert(value, param, ctx)
        wrong = None if text == "-" and self.allow_dash else obstacle(Path(text), self.folder)
        if wrong is not None:
            self.fail(f"{text}: {wrong}. Nothing was begun; name a place that can be written.", param, ctx)
        return found


class Picture(Output):
    """A file whose name ends in one of these, without their dots, in letters of either case."""

    def __init__(self, *endings: str) -> None:
        super().__init__()
        self.endings = endings

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(super().convert(value, param, ctx))
        if path.suffix.removeprefix(".").lower() not in self.endings:
            self.fail(f"{path}: end the name in one of .{', .'.join(self.endings)}.", param, ctx)
        return path


def write_json(document: object, to: str | Path) -> None:
    """Into a file; `-` is standard output. Raise `OSError`."""
    content = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    if str(to) == "-":
        sys.stdout.write(content)
    else:
        Path(to).write_text(content, encoding="utf-8")


def obstacle(path: Path, folder: bool) -> str | None:
    """Why this file, or this folder with those above it, cannot be written. It is tried, and leaves nothing."""
    try:
        if folder:
            _try_folder(path)
        else:
            _try_file(path)
    except OSError as error:
        about = "" if error.filename in (None, str(path)) else f" ({os.fsdecode(error.filename)})"
        return f"{error.strerror or error}{about}"
    except ValueError as error:
        return str(error)
    return None


def _try_folder(path: Path) -> None:
    if path.is_dir():
        if not os.access(path, os.W_OK):
            raise PermissionError(13, "Permission denied")
        return
    if path.exists():
        raise NotADirectoryError(20, "this is a file, not a folder")
    missing = [path, *(above for above in path.absolute().parents if not above.exists())]
    made: list[Path] = []
    try:
        for each in reversed(missing):
            each.mkdir()
            made.append(each)
    finally:
        for each in reversed(made):
            each.rmdir()


def _try_file(path: Path) -> None:
    if path.exists() and not stat.S_ISREG(path.stat().st_mode):  # a pipe or a device: to open it may mean something
        if path.is_dir():
            raise IsADirectoryError(21, "this is a folder, not a file")
        if not os.access(path, os.W_OK):
            raise PermissionError(13, "Permission denied")
        return
    there = path.exists()
    with path.open("ab"):
        pass
    if not there:
        path.unlink()
