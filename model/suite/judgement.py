"""Compare what a check found with what is published."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from .collection import Counts, PublishedModel

_SUCCESS = "success"
_UNKNOWN = "unknown"


class Standing(StrEnum):
    EQUAL = "equal"
    DIFFERENT = "different"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Observed:
    """What a check said, and which `engine` explored.

    `unchecked` are liveness properties that it left out; `ended` False: stopped by a limit.
    """

    result: str
    counts: Counts
    seconds: float
    message: str = ""
    unchecked: tuple[str, ...] = ()
    ended: bool = True
    engine: str = ""

    @classmethod
    def of_json(cls, document: dict[str, Any]) -> Observed:
        """From the object that `check --json` writes."""
        return cls(
            result=document["result"],
            counts=Counts(document["distinctStates"], document["totalStates"], document["stateDepth"]),
            seconds=document["seconds"],
            message=document["message"] or "",
            unchecked=tuple(p["name"] for p in document["properties"] if p["verdict"] == "not checked"),
            ended=document["exitStatus"] != 152,
            engine=document["engine"],
        )


@dataclass(frozen=True, slots=True)
class Judgement:
    """`missed` marks the worst kind of difference: a success, or fewer states, where there is a failure or more."""

    model: PublishedModel
    standing: Standing
    reason: str
    observed: Observed | None = None
    missed: bool = False


def unsuitable(model: PublishedModel) -> str:
    """Why the model is not one to compare with, empty when it is."""
    if model.mode != "exhaustive search":
        return {"symbolic": "symbolic: for Apalache"}.get(model.mode, f"{model.mode} mode: random")
    if model.result == _UNKNOWN:
        return "no published result"
    return ""


def judge(model: PublishedModel, observed: Observed) -> Judgement:
    """Verdict first, then the counts, which say something only about a search that went through everything."""

    def say(standing: Standing, reason: str, missed: bool = False) -> Judgement:
        return Judgement(model, standing, reason, observed, missed)

    if not observed.ended:
        return say(Standing.SKIPPED, f"time out after {observed.counts.distinct or 0:,} distinct states")
    if observed.result == "error":
        first = observed.message.strip()
        if "not supported" in first:
            return say(Standing.SKIPPED, f"not supported: {_brief(first)}")
        if "there is no module" in first:
            return say(Standing.SKIPPED, f"incomplete: {_brief(first)}")
        return say(Standing.DIFFERENT, f"error: {_brief(first)}")
    if observed.result != model.result:
        if observed.unchecked and model.result == "liveness failure" and observed.result == _SUCCESS:
            return say(Standing.SKIPPED, f"needs liveness: {', '.join(observed.unchecked)}")
        missed = observed.result == _SUCCESS
        return say(Standing.DIFFERENT, f"published {model.result}, got {observed.result}", missed)
    if model.result != _SUCCESS:
        return say(Standing.EQUAL, observed.result)
    return _judge_counts(model, observed)


def _judge_counts(model: PublishedModel, observed: Observed) -> Judgement:
    expected, found = model.counts, observed.counts
    wrong = []
    missed = False
    for name in ("distinct", "total"):
        want, got = getattr(expected, name), getattr(found, name)
        if want is not None and want != got:
            wrong.append(f"{name} {got:,} instead of {want:,}")
            missed = missed or got < want
    if wrong:
        return Judgement(model, Standing.DIFFERENT, "; ".join(wrong), observed, missed)
    notes = []
    if not expected.known:
        notes.append("verdict equal, no published counts")
    elif expected.depth is not None and expected.depth != found.depth:
        # TLC's depth depends on the timing of its workers, so the collection's own runner does not compare it
        notes.append(f"counts equal, depth {found.depth} (published {expected.depth})")
    else:
        notes.append("counts equal")
    if observed.unchecked:
        notes.append("liveness not checked")
    return Judgement(model, Standing.EQUAL, ", ".join(notes), observed)


def _brief(message: str, width: int = 300) -> str:
    line = " | ".join(part.strip() for part in message.splitlines() if part.strip())
    return line if len(line) <= width else line[: width - 1] + "…"
