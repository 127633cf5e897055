"""In which module a place is: a file may hold several, one after the other or one inside of another."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from pathlib import PurePath

from rmqproof.model.tla.lexer import tokens_of_module
from rmqproof.model.tla.source import Location, Source, TlaError


def module_at(place: Location) -> str:
    """The name of the innermost module around the place."""
    starts, names = _modules(place.source)
    return names[bisect_right(starts, (place.line, place.column)) - 1]


@lru_cache(maxsize=64)
def _modules(source: Source) -> tuple[list[tuple[int, int]], list[str]]:
    """Where another module begins or goes on, and which."""
    outside = PurePath(source.name).stem
    starts, names = [(0, 0)], [outside]
    try:
        tokens = tokens_of_module(source)
    except TlaError:  # a text that is no module of a file
        return starts, names
    around: list[str] = []
    for before, token, name in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if token.kind == "MODULE" and before.kind == "SEPARATOR":
            around.append(names[-1])
            starts.append((before.line, before.column))
            names.append(name.text)
        elif token.kind == "END_MODULE" and around:
            starts.append((token.line, token.column))
            names.append(around.pop())
    return starts, names
