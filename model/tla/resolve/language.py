"""The operators of the language itself: known everywhere, never defined again."""

from __future__ import annotations

# name -> number of arguments
LANGUAGE: dict[str, int] = {
    **dict.fromkeys(("TRUE", "FALSE", "BOOLEAN", "STRING"), 0),
    **dict.fromkeys(("~", "'", "SUBSET", "UNION", "DOMAIN", "ENABLED", "UNCHANGED", "[]", "<>"), 1),
    **dict.fromkeys(
        (
            *("=", "#", "\\in", "\\notin", "\\subseteq", "\\cup", "\\cap", "\\", "\\X"),
            *("/\\", "\\/", "=>", "<=>", "\\cdot", "~>", "-+->"),
        ),
        2,
    ),
}
