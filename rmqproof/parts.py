"""The files of this package: in a checkout its parts lie in several folders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

HERE = Path(__file__).parent


def files_of(parts: Sequence[str]) -> Iterator[tuple[str, Path]]:
    """The files of these parts, as `"model"`, and those of `rmqproof` itself; each with its name below `rmqproof/`."""
    for path in sorted(HERE.iterdir()):
        if path.is_file():
            yield path.name, path
    for part in parts:
        (top,) = [folder for folder in (HERE / part, HERE.parent / part) if folder.is_dir()]
        for path in sorted(top.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                yield f"{part}/{path.relative_to(top).as_posix()}", path
