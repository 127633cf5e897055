"""Tries on processes, kept one by one: what a run that ends half way has done is not done again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rmqproof.rocketmq.errors import RocketmqError


@dataclass(frozen=True, slots=True)
class Try:
    """`id`: of a schedule, or the name of a counterexample; `release`: its title; `number` counts from 1. `seen` None:
    what it begins with did not come, and `what` says what."""

    id: str
    title: str
    version: str
    release: str
    number: int
    seen: bool | None
    seconds: float
    what: str


@dataclass(slots=True)
class Tries:
    """Of a file with a JSON object a line; `path` None: of this run only."""

    path: Path | None
    found: list[Try] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.path is not None and self.path.is_file():
            self.found = list(read_tries(self.path))

    def missing(self, id: str, version: str, times: int) -> list[int]:
        """The numbers of the tries that are not there."""
        done = {each.number for each in self.found if (each.id, each.version) == (id, version)}
        return [number for number in range(1, times + 1) if number not in done]

    def of(self, id: str, version: str) -> list[Try]:
        return [each for each in self.found if (each.id, each.version) == (id, version)]

    def add(self, done: Try) -> None:
        self.found.append(done)
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(done), ensure_ascii=False) + "\n")


def read_tries(path: Path) -> Iterator[Try]:
    """Half a last line, as a kill leaves one, is passed over. Raise `RocketmqError` for anything else."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        try:
            yield Try(**json.loads(line))
        except (ValueError, TypeError):
            if number < len(lines):
                raise RocketmqError(
                    f"{path}:{number} is no try.", "Name a file that --save has written, or a new one."
                ) from None


def rate(tries: list[Try]) -> str:
    """`9 of 10`, with how many did not begin, and the median of their seconds."""
    seen, unbegun = sum(each.seen is True for each in tries), sum(each.seen is None for each in tries)
    seconds = sorted(each.seconds for each in tries)
    rest = f", {unbegun} did not begin" if unbegun else ""
    return f"{seen} of {len(tries)}{rest}, {seconds[len(seconds) // 2]:.0f} s"
