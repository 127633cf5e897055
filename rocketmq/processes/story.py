"""What went wrong, told: what producers and consumers were told, what was done to the cluster, and what its logs say,
in one order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from rmqproof.rocketmq.incident.timeline import ZONE, Moment
from rmqproof.rocketmq.processes.history import Finding, History

_BEFORE, _AFTER = 3.0, 12.0
_LONGEST = 60
_LEFT_OUT = ("handshake", "registers", "in set without connection")
Mark = tuple[float, str]


def story_of(finding: Finding, history: History, marks: Sequence[Mark], moments: Sequence[Moment]) -> list[str]:
    """From before the message was sent until after the next change of master; nothing where it is about no message."""
    puts = [put for put in history.puts if put.body == finding.body]
    if not puts:
        return []
    put = puts[0]
    told = [
        (put.began, f"producer    sends {put.body}"),
        (put.ended, f"producer    is told {put.status} of {put.body}{_why(put.error)}"),
    ]
    seen = [each for each in history.seen if each.record.body == finding.body]
    told += [(each.at, f"consumer    is given {each.record.body} at offset {each.record.offset}") for each in seen[:1]]
    told += [(at, f"chaos       {what}") for at, what in marks]
    told += [(each.at, f"{each.node:<11} {each.text}  ({each.place})") for each in _telling(moments)]
    first, last = put.began - _BEFORE, _end(put.ended, moments)
    inside = sorted((line for line in told if first <= line[0] <= last), key=lambda line: line[0])
    if len(inside) > _LONGEST:
        left_out = (inside[_LONGEST][0], f"…           {len(inside) - _LONGEST} lines more")
        inside = [*inside[:_LONGEST], left_out]
    return [f"{_clock(at)}  {text}" for at, text in inside]


def _telling(moments: Sequence[Moment]) -> Iterator[Moment]:
    return (each for each in moments if each.kind not in _LEFT_OUT)


def _end(after: float, moments: Sequence[Moment]) -> float:
    """A while after the next master leads, and those that follow it have cut their logs."""
    led = [each.at for each in moments if each.kind == "leads" and each.at > after]
    cut = [each.at for each in moments if each.kind in ("cuts", "no common point") and led and each.at >= led[0]]
    return (cut[0] if cut else led[0] if led else after) + _AFTER


def _why(error: str) -> str:
    return f": {error}" if error else ""


def _clock(at: float) -> str:
    """In the zone of the logs, with tenths, which they do not have."""
    return datetime.fromtimestamp(at, ZONE).strftime("%H:%M:%S.%f")[:-5]
