"""Turns DOT into a picture, with whatever Graphviz there is: `dot` on the PATH, or the pygraphviz wheel."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import graphviz  # type: ignore[import-untyped]

from rmqproof.model.tla.source import TlaError

FORMATS = ("svg", "png", "pdf", "dot")
_INSTALL = "Install Graphviz (apt install graphviz, brew install graphviz) or its wheel: pip install pygraphviz."
_NOISE = ("Fontconfig", "layout may take a long time")


class NoGraphviz(TlaError):
    """There is no Graphviz on this machine. `saved` is the DOT file that was written instead of the picture."""

    def __init__(self, message: str, saved: Path | None) -> None:
        super().__init__(message, remedy=_INSTALL, kind="system")
        self.saved = saved


def render(dot: str, path: Path) -> None:
    """Write the picture in the format that the name's ending says (see `FORMATS`).

    Raise `TlaError` for another ending, `NoGraphviz` (after writing PATH.dot) where nothing can draw.
    """
    kind = path.suffix.removeprefix(".").lower()
    if kind not in FORMATS:
        raise TlaError(
            f"{path}: cannot draw a file whose name ends in {path.suffix or 'nothing'}",
            remedy=f"End the name in one of .{', .'.join(FORMATS)}.",
            kind="system",
        )
    if kind == "dot":
        path.write_text(dot, encoding="utf-8")
        return
    try:
        path.write_bytes(picture(dot, kind))
    except NoGraphviz:
        saved = path.with_suffix(".dot")
        saved.write_text(dot, encoding="utf-8")
        raise NoGraphviz(f"{path}: there is no Graphviz to draw it; wrote {saved}.", saved) from None


@dataclass(frozen=True, slots=True)
class Drawn:
    """What came of a picture that is one file of several. `path`: what was written, None where nothing could be;
    `problem`: why it is not the picture, and what to install; empty where it is."""

    path: Path | None
    problem: str = ""


def draw(dot: str, path: Path) -> Drawn:
    """As `render`, where the other files are of use without the picture. Raise `OSError`."""
    try:
        render(dot, path)
    except TlaError as problem:
        saved = problem.saved if isinstance(problem, NoGraphviz) else None
        return Drawn(saved, " ".join(str(problem).split()))
    return Drawn(path)


def picture(dot: str, kind: str) -> bytes:
    """The picture as bytes. Raise `NoGraphviz` where nothing can draw, `TlaError` where Graphviz fails."""
    if shutil.which("dot"):
        try:
            return bytes(graphviz.Source(dot).pipe(format=kind))
        except graphviz.CalledProcessError as error:
            message = error.stderr.decode(errors="replace") if isinstance(error.stderr, bytes) else str(error.stderr)
            raise TlaError(f"dot failed: {message.strip()}", kind="system") from None
    try:
        import pygraphviz  # type: ignore[import-untyped]
    except ImportError:
        raise NoGraphviz("there is no Graphviz to draw a picture", None) from None
    said: list[str] = []
    try:
        with _captured_errors(said):
            drawn = bytes(pygraphviz.AGraph(string=dot).draw(format=kind, prog="dot"))
    except (ValueError, pygraphviz.DotError) as error:
        raise TlaError(f"Graphviz failed: {' '.join(said) or error}", kind="system") from None
    for line in said:
        print(line, file=sys.stderr)
    return drawn


@contextmanager
def _captured_errors(lines: list[str]) -> Iterator[None]:
    """Keep what Graphviz's library writes to the file descriptor of stderr, except what does not matter."""
    sys.stderr.flush()
    saved = os.dup(2)
    with tempfile.TemporaryFile() as captured:
        os.dup2(captured.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(saved, 2)
            os.close(saved)
            captured.seek(0)
            written = captured.read().decode(errors="replace").splitlines()
            lines += [line for line in written if line.strip() and not any(noise in line for noise in _NOISE)]
