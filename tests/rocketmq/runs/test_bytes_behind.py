"""What TracedRun says of the bytes behind the end of a log, against files in which each byte is kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from rmqproof.model.evaluate.deep_stack import deeply
from rmqproof.model.explore.evaluation import Evaluation
from rmqproof.model.explore.language import Language
from rmqproof.model.tla.library import bundled
from rmqproof.model.tla.model_files import ModelFiles

FILE = 8
"""Bytes of a file."""
FILLER = 0

Piece = tuple[int, int, int, int]
"""From, to, the end of its message, its sum."""


@dataclass(slots=True)
class Files:
    """`cells`: by offset, which message's byte is there (sum, start, end); `pieces`: the log up to its end."""

    cells: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    pieces: list[Piece] = field(default_factory=list)

    @property
    def end(self) -> int:
        return self.pieces[-1][1] if self.pieces else 0

    def append(self, length: int, size: int, number: int) -> Piece:
        """The first `length` bytes of a message, or the next ones of that which is there in part."""
        last = self.pieces[-1] if self.pieces else None
        if last is not None and last[1] < last[2]:
            start, end, number = last[0], last[2], last[3]
            to = min(end, last[1] + length)
            self.pieces[-1] = (start, to, end, number)
            added = (last[1], to, end, number)
        else:
            start = self.end
            left = FILE - start % FILE
            size, number = (size, number) if size < left else (left, FILLER)
            to, end = start + min(length, size), start + size
            added = (start, to, end, number)
            self.pieces.append(added)
        self.cells |= dict.fromkeys(range(start, added[1]), (number, start, end))
        return added

    def cut(self, offset: int) -> None:
        self.pieces = [piece for piece in self.pieces if piece[1] <= offset]
        kept = (offset // FILE + 1) * FILE
        self.cells = {at: byte for at, byte in self.cells.items() if at < kept}

    def whole(self) -> int:
        return next((piece[0] for piece in self.pieces if piece[1] < piece[2]), self.end)

    def recover(self) -> None:
        found: list[Piece] = []
        at = 0
        while at in self.cells:
            number, start, end = self.cells[at]
            if start != at or any(self.cells.get(each) != (number, start, end) for each in range(at, end)):
                break
            found.append((at, end, end, number))
            at = end
        self.pieces = found


def tla(piece: Piece) -> str:
    return "[from |-> {}, to |-> {}, end |-> {}, sum |-> {}]".format(*piece)


def story(random: Random) -> tuple[str, list[list[Piece]], int]:
    """Logs after each of some steps: as an expression, and from the files; and how often a log grew by being loaded."""
    files, steps, expected, grown = Files(), ["x0 == <<<<>>, <<>>>>"], [], 0
    of_offset: dict[int, tuple[int, int]] = {}
    for number in range(1, 16):
        log, behind = f"x{number - 1}[1]", f"x{number - 1}[2]"
        kind = random.choice(("append", "append", "append", "cut", "examine", "recover"))
        if kind == "append":
            # often the same message comes again
            known = of_offset.get(files.end)
            size, name = known if known and random.random() < 0.6 else (random.randint(1, 4), number)
            of_offset[files.end] = size, name
            added = files.append(random.randint(1, size), size, name)
            steps.append(f"l{number} == Joined({log}, <<{tla(added)}>>)")
            after = f"<<l{number}, LeftBehind({behind}, l{number})>>"
        elif kind == "recover":
            whole = files.whole()
            files.recover()
            grown += files.end > whole
            steps.append(f"l{number} == Found({log}, {behind})")
            after = f"<<l{number}, LeftBehind(BehindWhole({log}, {behind}), l{number})>>"
        else:
            ends = [0, *(piece[2] for piece in files.pieces if piece[1] == piece[2])]
            offset = random.choice(ends[-4:]) if kind == "cut" else files.whole()
            files.cut(offset)
            after = f"<<CutAt({log}, {offset}), BehindCut({log}, {behind}, {offset})>>"
        steps.append(f"x{number} == {after}")
        expected.append(list(files.pieces))
    logs = ", ".join(f"x{number}[1]" for number in range(1, 16))
    return f"LET {' '.join(steps)} IN <<{logs}>>", expected, grown


def _members(value: Any) -> list[Any]:
    return value["#tup"] if isinstance(value, dict) else value


def test_bytes_behind_the_end_of_a_log_are_those_of_its_files() -> None:
    language = Language(ModelFiles(bundled("TracedRun.tla"), bundled("TracedSince54.cfg")))
    stories = [story(Random(seed)) for seed in range(40)]
    text = f"<<{', '.join(expression for expression, _, _ in stories)}>>"
    found = deeply(Evaluation.of(language, text).found)
    assert found.error is None, found.error
    names = ("from", "to", "end", "sum")
    for seed, (logs, (_, expected, _)) in enumerate(zip(_members(found.value), stories, strict=True)):
        told = [[tuple(piece[name] for name in names) for piece in _members(log)] for log in _members(logs)]
        assert told == expected, seed
    assert sum(grown for _, _, grown in stories) > 20
