"""How large things are where a countermodel is looked for."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Bounds:
    """Sequences have at most `length` items, sets of other than atoms at most `size` elements, and a quantifier over
    an interval of integers finds it within `low..high`. Integers themselves have no bounds."""

    length: int = 3
    size: int = 2
    low: int = -1
    high: int = 4
    as_configured: bool = False
    """Keep the bounds that the configuration gives the variables."""
    as_inferred: bool = field(default=False, repr=False)  # no lemma has it, and kept answers name the bounds of theirs
    """Values are those of the inferred types: numbers within their ranges, and any set of what has few values."""
