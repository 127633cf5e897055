"""What `PlusCal options (…)` of a module asks for, as TLC's translator reads it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from rmqproof.model.pluscal.lexer import PlusCalError
from rmqproof.model.pluscal.tree import Fairness
from rmqproof.model.pluscal.writer import WIDTH

_OPTIONS = re.compile(r"\bPlusCal[ \t\n]+options(?!\w)")
_WORD = re.compile(r"[^ \t\n,)]+")
_FAIRNESS = ("wf", "sf", "wfNext", "nof")
_WITH_DASH = ("lineWidth", "nocfg", "noold")
"""TLC's translator reads these in a module only with their dash."""
_NARROWEST = 60
_ROOT = re.compile(r"[a-zA-Z][a-zA-Z0-9_]*")
_VERSION = re.compile(r"\d*(?:\.(\d{0,3}))?")
_LATEST = 1903
"""Versions count in thousandths: 1.9 is before 1.903, and 1.10 is 1.1."""
_FAIR_BODY = 1500


@dataclass(slots=True)
class Options:
    """`fairness` of processes that say nothing, `whole` of Next as a whole; `none`: Spec has none at all."""

    fairness: Fairness = Fairness.UNFAIR
    whole: bool = False
    none: bool = False
    no_end: bool = False
    """No step for the end."""
    labels: bool = False
    """Labels that are missing are added."""
    root: str = "Lbl_"
    """What the names of labels that are added begin with."""
    width: int = WIDTH
    old: bool = False
    """As before version 1.5: always with `pc`, and without processes with a step for the end."""
    fair_body: bool = False
    """As in version 1.5: `fair` may stand before the body of an algorithm without processes."""


class _Wrong(Exception):
    pass


def options_of(text: str) -> Options:
    """Raise `PlusCalError` for what TLC's translator would not read."""
    match = _OPTIONS.search(text)
    if match is None:
        return Options()
    try:
        return _Reading(_words(text[match.end() :])).options()
    except _Wrong as wrong:
        before = text[: match.start()]
        column = len(before) - before.rfind("\n") - 1
        raise PlusCalError(f"PlusCal options: {wrong}", before.count("\n") + 1, column) from None


def _words(text: str) -> list[str]:
    inside, bracket, _ = text.lstrip(" \t\n").partition(")")
    if not inside.startswith("("):
        raise _Wrong("they stand in parentheses.")
    if not bracket:
        raise _Wrong("the closing parenthesis is missing.")
    return _WORD.findall(inside[1:])


class _Reading:
    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.result = Options()
        self.fairness = ""
        self.terminates = False
        self.takes: dict[str, Callable[[str], None]] = {
            "lineWidth": self.width,
            "labelRoot": self.root,
            "version": self.version,
        }

    def options(self) -> Options:
        while self.words:
            self.option(self.words.pop(0))
        if self.terminates and not self.fairness:
            self.fairness = "wf"
        if self.fairness in ("wf", "sf"):
            self.result.fairness = Fairness(self.fairness)
        self.result.whole = self.fairness == "wfNext"
        self.result.none = self.fairness == "nof"
        return self.result

    def option(self, word: str) -> None:
        name = word.removeprefix("-")
        if name == word and name in _WITH_DASH:
            raise _Wrong(f"{name} is written -{name} there.")
        if name in self.takes:
            if not self.words:
                raise _Wrong(f"a value has to follow {name}.")
            self.takes[name](self.words.pop(0))
        elif name in _FAIRNESS:
            if self.fairness:
                raise _Wrong(f"only one of {', '.join(_FAIRNESS)} can be asked for.")
            self.fairness = name
        elif name == "noDoneDisjunct":
            self.result.no_end = True
        elif name == "label":
            self.result.labels = True
        elif name == "termination":
            self.terminates = True
        elif name in ("spec", "myspec"):
            raise _Wrong(f"{name} asks for a translation made by TLC, which is not done here; leave it out.")
        elif name not in _WITH_DASH:
            raise _Wrong(f"{word} is not known.")

    def width(self, value: str) -> None:
        if not re.fullmatch(r"\+?\d+", value) or int(value) < _NARROWEST:
            raise _Wrong(f"lineWidth is a number from {_NARROWEST} on, not {value}.")
        self.result.width = int(value)

    def root(self, value: str) -> None:
        if not _ROOT.fullmatch(value):
            raise _Wrong(f"labelRoot is a letter with letters, digits and _ behind it, not {value}.")
        self.result.root = value

    def version(self, value: str) -> None:
        match = _VERSION.fullmatch(value)
        if match is None:
            raise _Wrong(f"{value} is no version.")
        number = int(value.replace(".", "") or 0) * 10 ** (3 - len(match[1] or ""))
        if number > _LATEST:
            raise _Wrong(f"version {value} is later than all there are.")
        self.result.old, self.result.fair_body = number < _FAIR_BODY, number == _FAIR_BODY
