"""What `PlusCal options (…)` of a module asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rmqproof.model.pluscal.lexer import PlusCalError
from rmqproof.model.pluscal.tree import Fairness

_OPTIONS = re.compile(r"\bPlusCal[ \t\n]+options\b[ \t\n]*\(([^)]*)\)")
_IGNORED = ("termination", "nocfg", "unixEOL", "reportLabels", "sany")
"""Of the configuration that TLC's translator writes, and of its messages."""


@dataclass(frozen=True, slots=True)
class Options:
    """`fairness` of processes that say nothing, `whole` of Next as a whole; `none`: Spec has none at all."""

    fairness: Fairness = Fairness.UNFAIR
    whole: bool = False
    none: bool = False
    no_end: bool = False
    """No step for the end."""
    labels: bool = False
    """Labels that are missing are added."""
    old: bool = False
    """As before version 1.5: always with `pc` and with a step for the end."""


def options_of(text: str) -> Options:
    """Raise `PlusCalError` for what is not known."""
    match = _OPTIONS.search(text)
    if match is None:
        return Options()
    words = match[1].replace(",", " ").split()
    found: dict[str, object] = {}
    while words:
        word = words.pop(0).lstrip("-")
        if word in ("wf", "sf"):
            found["fairness"] = Fairness(word)
        elif word == "wfNext":
            found["whole"] = True
        elif word == "nof":
            found["none"] = True
        elif word == "noDoneDisjunct":
            found["no_end"] = True
        elif word == "label":
            found["labels"] = True
        elif word == "version" and words:
            found["old"] = tuple(map(int, words.pop(0).split("."))) < (1, 5)
        elif word not in _IGNORED:
            line = text.count("\n", 0, match.start()) + 1
            raise PlusCalError(f"The option {word} of PlusCal is not known here.", line)
    return Options(**found)  # type: ignore[arg-type]
