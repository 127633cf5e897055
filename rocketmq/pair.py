"""One comparison of ours with a class of RocketMQ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Pair:
    """One comparison: of what, the input, what the class says, what ours says; `reason`: why they may differ."""

    what: str
    given: str
    theirs: Any
    ours: Any
    reason: str = ""
