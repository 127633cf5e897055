"""A diagnosis as text, as a picture, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from rmqproof.model.report.chart import Arrow, Chart, Event, Lane, Life, Note, Tone, Turn
from rmqproof.rocketmq.incident.diagnosis import Diagnosis
from rmqproof.rocketmq.incident.suspicion import Reign, Suspicion
from rmqproof.rocketmq.incident.timeline import ZONE, Moment
from rmqproof.rocketmq.logs import CONTROLLER

_DETAIL = ("handshake", "registers", "proposes", "compares", "in set without connection")
"""Left out of the picture, and of the short history."""
_TONES = {
    "expired": Tone.FAULT,
    "unclean": Tone.FAULT,
    "no copy": Tone.FAULT,
    "no master": Tone.BAD,
    "no common point": Tone.BAD,
    "set refused": Tone.FAULT,
    "refused": Tone.FAULT,
    "leads": Tone.GOOD,
}


def lines_of(found: Diagnosis, all_of_it: bool = False) -> Iterator[str]:
    """`all_of_it`: with handshakes and proposals."""
    yield "epochs"
    for reign in found.reigns:
        yield f"  {reign.epoch:3}  {_clock(reign.at)}  {reign.master}{_start(reign)}{_members(reign)}"
    yield "history (times of the logs)"
    for moment in found.moments:
        if all_of_it or moment.kind not in _DETAIL:
            yield f"  {line_of(moment)}"
    for sure, title, otherwise in (
        (True, "what was lost", "nothing says that confirmed messages are gone"),
        (False, "what can have been lost, or is not as it should be", ""),
    ):
        suspicions = [each for each in found.suspicions if each.sure is sure]
        if suspicions or otherwise:
            yield title if suspicions else otherwise
        for each in suspicions:
            yield from suspicion_lines(each)


def suspicion_lines(each: Suspicion) -> Iterator[str]:
    yield f"  {each.what}"
    if each.known:
        yield f"      compare {', '.join(each.known)} in docs/hazards.md"
    for name in each.models:
        yield f"      this is the behaviour of {name}: rmqproof check rmqproof:{name}.cfg"
    for moment in each.lines:
        yield f"      {moment.place}: {moment.line}"
    if each.advice:
        yield f"      do: {each.advice}"


def line_of(moment: Moment) -> str:
    return f"{_clock(moment.at)}  {moment.node:<11} {moment.text}  ({moment.place})"


def _clock(at: float) -> str:
    return datetime.fromtimestamp(at, ZONE).strftime("%H:%M:%S")


def _start(reign: Reign) -> str:
    return f" from offset {reign.start}" if reign.start is not None else ""


def _members(reign: Reign) -> str:
    return f", of the SyncStateSet {sorted(reign.members)}" if reign.members is not None else ""


def content_of(found: Diagnosis) -> dict[str, Any]:
    return {
        "reigns": [
            {
                "epoch": each.epoch,
                "master": each.master,
                "at": each.at,
                "start": each.start,
                "syncStateSet": sorted(each.members) if each.members is not None else None,
            }
            for each in found.reigns
        ],
        "history": [
            {"at": each.at, "node": each.node, "kind": each.kind, "text": each.text, "place": each.place}
            for each in found.moments
        ],
        "suspicions": [
            {
                "what": each.what,
                "sure": each.sure,
                "known": list(each.known),
                "models": list(each.models),
                "do": each.advice,
                "lines": [f"{moment.place}: {moment.line}" for moment in each.lines],
            }
            for each in found.suspicions
        ],
    }


def chart_of_incident(found: Diagnosis) -> Chart:
    """A lane for each node, time down, an arrow from an election to the broker that leads by it."""
    shown = [moment for moment in found.moments if moment.kind not in _DETAIL]
    nodes = sorted({moment.node for moment in shown}, key=lambda name: (not name.startswith(CONTROLLER), name))
    lanes = tuple(Lane(name, name, "" if name.startswith(CONTROLLER) else f"brokerId {name[1:]}") for name in nodes)
    events = tuple(
        Event(
            step, moment.node, moment.text, (Note(_clock(moment.at)),), (), _TONES.get(moment.kind, Tone.PLAIN),
            moment.line,
        )
        for step, moment in enumerate(shown)
    )  # fmt: skip
    sure = [each.what for each in found.suspicions if each.sure]
    return Chart(
        lanes, events, tuple(_arrows(shown)), tuple(_turns(shown)), sentence=sure[0] if sure else "",
        verdict="" if not sure else "lost",
    )  # fmt: skip


def _arrows(shown: Sequence[Moment]) -> Iterator[Arrow]:
    for sent, moment in enumerate(shown):
        if moment.kind != "elected":
            continue
        for received, other in enumerate(shown):
            if other.kind == "leads" and other.values["epoch"] == moment.values["epoch"] and received > sent:
                yield Arrow(moment.node, sent, other.node, received, f"epoch {moment.values['epoch']}")
                break


def _turns(shown: Sequence[Moment]) -> Iterator[Turn]:
    for step, moment in enumerate(shown):
        if moment.kind in ("leads", "follows"):
            yield Turn(moment.node, step, Life.LEADING if moment.kind == "leads" else Life.PLAIN)
        elif moment.kind == "expired":
            yield Turn(f"b{moment.values['broker']}", step, Life.DOWN)
        elif moment.kind == "unclean":
            yield Turn(moment.node, step, Life.WAITING)
