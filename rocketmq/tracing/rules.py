"""By which configuration of spec/models a release is judged: its traced steps, or its logs and files."""

from __future__ import annotations

import sys

PROMISED = "Traced.cfg"
"""What is promised, whichever release it was."""
FEWER = "FewerCopiesAreEnough"
"""The step that is a behaviour of 5.4.0 to 5.5.1 and against what is promised (spec/bugs/InsufficientRemoval.tla)."""
_LAST = (sys.maxsize,)
_TRACED = ((5, 1), "TracedUpTo51.cfg"), ((5, 3), "TracedUpTo53.cfg"), (_LAST, "TracedSince54.cfg")
_RECORDED = ((5, 3), "RecordedUpTo53.cfg"), (_LAST, "RecordedSince54.cfg")
"""Up to which minor release each holds."""


def config_of_release(version: str, traced: bool = True) -> str:
    """Its rules, of spec/models."""
    minor = tuple(int(part) for part in version.split(".")[:2])
    return next(name for last, name in (_TRACED if traced else _RECORDED) if minor <= last)
