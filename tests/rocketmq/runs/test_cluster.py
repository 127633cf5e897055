"""A run of a real cluster whose first master is killed, and the same run with one thing wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rmqproof.conformance.runs.event import RunError
from rmqproof.conformance.runs.explanation import explain
from rmqproof.conformance.runs.folding import Pace
from rmqproof.conformance.runs.validate import validate_runs
from rmqproof.conformance.runs.validation import Answer, Bounds, Validation
from rmqproof.model.tla.library import bundled
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.rocketmq.runs.cluster import survey
from rmqproof.rocketmq.runs.folding import cluster_folding

RUN = Path(__file__).parent / "data" / "cluster-run.ndjson"
Line = dict[str, Any]


def lines() -> list[Line]:
    return [json.loads(line) for line in RUN.read_text(encoding="utf-8").splitlines()]


def answer(found: list[Line], tmp_path: Path, bounds: Bounds | None = None, **constants: Any) -> Validation:
    path = tmp_path / "run.ndjson"
    path.write_text("".join(json.dumps(line) + "\n" for line in found), encoding="utf-8")
    files = ModelFiles(bundled("ControllerMode.tla"), bundled("TwoBrokers.cfg"))
    return validate_runs([path], files, "cluster", bounds, constants=constants or None)


def place(found: list[Line], action: str, node: str = "", nth: int = 0) -> int:
    places = [n for n, line in enumerate(found) if line["action"] == action and node in ("", line["node"])]
    return places[nth]


def test_the_run_is_a_behaviour(tmp_path: Path) -> None:
    result = answer(lines(), tmp_path)
    assert result.answer is Answer.YES
    taken = {step.action for step in result.steps}
    assert {"ProcessCrashes", "ControllerElectsMaster", "ReceiveNotice", "SlaveAppendsBatch", "AcknowledgePut"} <= taken


def confirms_too_much(found: list[Line]) -> None:
    line = found[place(found, "AppendPut")]
    line["state"]["disk"]["confirm"] = line["state"]["disk"]["logEnd"]


def acknowledges_at_once(found: list[Line]) -> None:
    """The acknowledgement stands right after the put, before any slave has the message."""
    put, acknowledged = place(found, "AppendPut"), place(found, "AcknowledgePut")
    one, other = found[put], found[acknowledged]
    moved = {**other, "sequence": one["sequence"] + 1, "state": {}}
    del found[acknowledged]
    for line in found:
        if line["node"] == one["node"] and one["sequence"] < line["sequence"] < other["sequence"]:
            line["sequence"] += 1
            line["state"] = {}
    found.append(moved)


def elects_another(found: list[Line]) -> None:
    line = found[place(found, "ControllerElectsMaster")]
    line["arguments"] = ["b1"]
    line["state"] = {}


def forgets_an_epoch(found: list[Line]) -> None:
    found[place(found, "ReceiveNotice", "b2")]["state"]["broker"]["masterEpoch"] = 1


def grows_the_set_twice(found: list[Line]) -> None:
    found[place(found, "ControllerAcceptsAlter", nth=-1)]["state"]["controller"]["sssEpoch"] += 1


def skips_an_append(found: list[Line]) -> None:
    slave = place(found, "SlaveAppendsBatch")
    gone = found.pop(slave)
    for line in found:
        if line["node"] == gone["node"] and line["sequence"] > gone["sequence"]:
            line["sequence"] -= 1


def appends_twice(found: list[Line]) -> None:
    slave = place(found, "SlaveAppendsBatch")
    again = dict(found[slave])
    for line in found:
        if line["node"] == again["node"] and line["sequence"] > again["sequence"]:
            line["sequence"] += 1
    found.append({**again, "sequence": again["sequence"] + 1, "sent": [], "state": {}})


MUTATIONS = (
    *(confirms_too_much, acknowledges_at_once, elects_another, forgets_an_epoch),
    *(grows_the_set_twice, skips_an_append, appends_twice),
)


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_a_run_with_one_thing_wrong_is_rejected(mutation: Any, tmp_path: Path) -> None:
    found = lines()
    mutation(found)
    try:
        result = answer(found, tmp_path)
    except RunError as error:
        pytest.fail(f"it can be read, and the model is to reject it: {error}")
    assert result.answer is Answer.NO
    assert result.explained < len(result.order.events) and explain(result)


def test_the_wrong_settings_are_rejected(tmp_path: Path) -> None:
    """The cluster acknowledges when every member of the set has a message; minInSyncReplicas=4 does not allow a put."""
    result = answer(lines(), tmp_path, MinInSyncReplicas=4)
    assert result.answer is Answer.NO
    nearest = explain(result)[0].candidates[0]
    assert nearest.blame is not None and "MembersSuffice" in nearest.blame.text


# --- folding -------------------------------------------------------------------------------------------------------


def folded_run(tmp_path: Path) -> Validation:
    """The run with everything folded that can be, however little it is."""
    return answer(unread(), tmp_path, Bounds(pace=Pace(ahead=4, gain=1, every=2)))


def unread() -> list[Line]:
    """The run without its consumer, who comes at the end: what nobody has read yet is not folded."""
    return [line | ({"action": None} if line["action"] == "ConsumerReads" else {}) for line in lines()]


def whole(result: Validation, entry: Any) -> Any:
    """The whole state of an entry."""
    chosen = cluster_folding(result.model, survey(result.order.events))
    assert chosen is not None
    return chosen.unfold(result.model.states[entry.fingerprint], entry.bindings)[0]


def test_folding_changes_no_state(tmp_path: Path) -> None:
    plain = [step.state for step in answer(unread(), tmp_path).steps if step.event is not None]
    result = folded_run(tmp_path)
    assert result.answer is Answer.YES
    assert max(step.folded for step in result.steps) >= 3
    for layer, state in zip(result.layers[1:], plain, strict=True):
        assert state in {whole(result, entry) for entry in layer}


def test_a_folded_state_has_the_steps_of_the_whole_one(tmp_path: Path) -> None:
    result = folded_run(tmp_path)
    system = result.model.subject.system
    chosen = cluster_folding(result.model, survey(result.order.events))
    assert chosen is not None
    compared = 0
    for layer in result.layers[::7]:
        entry = next(iter(layer))
        state, base = result.model.states[entry.fingerprint], entry.bindings.prefix.base
        if not base:
            continue
        small = {
            (system.actions[a], arguments): chosen.unfold(target, entry.bindings)[0]
            for a, arguments, target in system.successors(state)
            if system.actions[a] != "MachineCrashes"
        }
        large = {
            (system.actions[a], arguments): target
            for a, arguments, target in system.successors(whole(result, entry))
            if system.actions[a] != "MachineCrashes"  # its argument is an offset
        }
        assert small == large
        compared += len(small)
    assert compared > 50
