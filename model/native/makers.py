"""What generated programs depend on, and what was learned of them: keys of what is kept for the next time."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from rmqproof.model.cache import keep, kept, made_by

_MAKERS = ("native", "actions", "types", "tla", "evaluate")
"""The packages that write programs."""


def key_of(*parts: object) -> str:
    """A digest of what a program is made from, and of what makes it."""
    return hashlib.sha256("\0".join([made_by(*_MAKERS), *map(str, parts)]).encode()).hexdigest()[:40]


def keep_growths(key: str, growths: Sequence[int]) -> None:
    """What had to be widened before a search came to its end: the next one begins so."""
    keep(f"{key}.growths", json.dumps([*growths]))


def kept_growths(key: str) -> list[int]:
    """What was widened the last time; nothing where that is not known."""
    try:
        return [int(index) for index in json.loads(kept(f"{key}.growths") or "[]")]
    except (ValueError, TypeError):
        return []


def seconds_without(identity: str) -> float:
    """What the Python engine's whole search of a model took, the last time that it ended before the program was ready;
    0: that is not known."""
    try:
        return float((kept(f"{key_of(identity)}.seconds") if identity else None) or 0)
    except ValueError:
        return 0.0


def keep_seconds_without(identity: str, seconds: float) -> None:
    if identity:
        keep(f"{key_of(identity)}.seconds", f"{seconds:.3f}")


def pays(identity: str) -> bool:
    """Whether the compiled program of a model was ready before the Python engine had searched it."""
    return bool(identity) and kept(f"{key_of(identity)}.pays") is not None


def keep_that_it_pays(identity: str, actions: Sequence[str]) -> None:
    """`actions`: the model's, as the Python engine names them."""
    if identity and not pays(identity):
        keep(f"{key_of(identity)}.pays", json.dumps([*actions]))


def actions_where_it_pays(identity: str) -> list[str] | None:
    """The actions of a model of which `pays` is true; None of others."""
    try:
        return [str(name) for name in json.loads(kept(f"{key_of(identity)}.pays") or "null")]
    except (ValueError, TypeError):
        return None
