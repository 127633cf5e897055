"""What RandomElement and the operators of Randomization draw: the same in every run, and yet anew each time.

As in TLC a state says what is drawn while its steps are evaluated, so that a counterexample can be replayed, a search
resumed and shared out, and two draws for one state are not the same. TLC numbers the draws for a state in the order of
evaluation. Here those of each place in the text have numbers of their own: code that evaluates the places in another
order draws the same.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Draws:
    """Random numbers for one `occasion`: a state whose steps are evaluated, a definition, a property of a state.

    Threads have occasions of their own. `salt` is a part of every occasion: behaviours of a simulation draw anew.
    """

    def __init__(self) -> None:
        self.salt = ""
        self._here = threading.local()

    @contextmanager
    def occasion(self, *words: object) -> Iterator[None]:
        """What is evaluated inside draws for the occasion of these words, counted from the first draw."""
        before = getattr(self._here, "now", None)
        self._here.now = f"{self.salt}:{':'.join(map(str, words))}", {}
        try:
            yield
        finally:
            self._here.now = before

    def random(self, asked: str) -> random.Random:
        """For the next draw of what is `asked`: a place in the text and what is drawn from."""
        here: tuple[str, dict[str, int]] | None = getattr(self._here, "now", None)
        name, counts = here if here is not None else ("", {})
        number = counts[asked] = counts.get(asked, 0) + 1
        return random.Random(f"{name}:{asked}:{number}")
