"""What goes wrong while an expression is evaluated, before it is known where."""

from __future__ import annotations


class Fault(Exception):
    """An evaluation error without its place; who called the generated code adds that (`locate`).

    `kind` is `evaluation` or `assert`, as in `TlaError`.
    """

    def __init__(self, message: str, remedy: str = "", kind: str = "evaluation") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy
        self.kind = kind
