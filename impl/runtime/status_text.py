"""The table that `rmqproof cluster status` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rmqproof.impl.runtime.cluster import NodeState

_HEADS = ("node", "address", "role", "epoch", "master", "SyncStateSet", "log", "flushed", "readable")


def status_text(states: Sequence[NodeState]) -> str:
    places = {address: state.node.name for state in states for address in state.node.addresses()}
    rows = [_row(state, places) for state in states]
    widths = [max(len(row[i]) for row in (_HEADS, *rows)) for i in range(len(_HEADS))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (_HEADS, *rows))
    return "\n".join(line.rstrip() for line in lines)


def _row(state: NodeState, places: Mapping[str, str]) -> tuple[str, ...]:
    status = state.status
    address = state.node.address
    if status is None:
        what = "lost" if state.node.lost else "paused" if state.paused else "silent" if state.running else "stopped"
        return (state.node.name, address, what, *[""] * 6)
    cut = sorted({places.get(address, address) for address in status["blocked"]})
    note = f", cut from {','.join(cut)}" if cut else ""
    if status["kind"] == "controller":
        role = f"{'leader' if status['leader'] else 'follower'}, term {status['term']}"
        known = status["controller"]
        return (
            state.node.name,
            address,
            role + note,
            str(known["masterEpoch"]),
            known["master"],
            _set(known),
            "",
            "",
            "",
        )
    if "broker" not in status:
        return (state.node.name, address, "no brokerId" + note, *[""] * 6)
    broker, disk = status["broker"], status["disk"]
    name = state.node.name if state.node.name == f"b{status['id']}" else f"{state.node.name} (b{status['id']})"
    return (
        name,
        address,
        broker["role"] + note,
        str(broker["masterEpoch"]),
        broker["master"],
        _set(broker) if broker["role"] == "Master" else "",
        str(disk["logEnd"]),
        str(disk["flushed"]),
        str(status["readable"]),
    )


def _set(state: dict[str, Any]) -> str:
    """The members and the number of the set, and what is proposed beyond it."""
    members = ",".join(state["sss"]["#set"])
    proposed = sorted(set(state.get("pending", {"#set": []})["#set"]) - set(state["sss"]["#set"]))
    more = f" + {','.join(proposed)}?" if proposed else ""
    return f"{{{members}}} #{state['sssEpoch']}{more}"
