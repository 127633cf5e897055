"""What goes wrong with a release or a Java; the text says what, and what to do."""

from __future__ import annotations


class RocketmqError(Exception):
    """What is wrong, as a sentence, and the remedy."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem}\n{remedy}")
        self.problem, self.remedy = problem, remedy

    def __reduce__(self) -> tuple[type[RocketmqError], tuple[str, str]]:
        return type(self), (self.problem, self.remedy)
