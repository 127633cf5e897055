"""By which configuration of spec/models the steps of a release are judged."""

from __future__ import annotations

PROMISED = "Traced.cfg"
"""What is promised, whichever release it was."""
FEWER = "FewerCopiesAreEnough"
"""The step that is a behaviour of 5.4.0 to 5.5.1 and against what is promised (spec/bugs/InsufficientRemoval.tla)."""
_UP_TO = ((5, 1), "TracedUpTo51.cfg"), ((5, 3), "TracedUpTo53.cfg")
_NEWEST = "TracedSince54.cfg"


def config_of_release(version: str) -> str:
    """Its rules, of spec/models."""
    minor = tuple(int(part) for part in version.split(".")[:2])
    return next((name for last, name in _UP_TO if minor <= last), _NEWEST)
