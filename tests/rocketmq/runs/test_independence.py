"""What rocketmq/runs/independence.py says commutes, by the footprints of the actions, does commute in the model."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from rmqproof.conformance.runs.event import Accesses, Event
from rmqproof.conformance.runs.mapping import RunMapping
from rmqproof.conformance.runs.model import RunModel, open_run_model
from rmqproof.model.evaluate.values import ModelValue
from rmqproof.model.tla.library import bundled
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.rocketmq.runs.cluster import CONTROLLER, without_expiries
from rmqproof.rocketmq.runs.independence import Independence, unlogged_before
from tests.at_length import first

EVERYTHING = {
    "Broker": ["b1", "b2", "b3"], "FirstMaster": "b1", "FirstSyncStateSet": ["b1", "b2"], "FineSteps": True,
    "HalfOpen": True, "LateNotices": True, "ShowRejections": True, "TrackConfirm": True, "BatchSize": 2, "MaxPuts": 4,
    "MaxEpoch": 4, "MaxAlters": 3, "MaxCrashes": 2, "MaxLosses": 2, "MaxLostDisks": 1, "MaxExpiries": 2, "MaxBreaks": 3,
    "MaxDesignations": 1, "MaxFailOvers": 1, "MaxCleans": 1, "MaxReads": 4,
}  # fmt: skip
ON_CONTROLLER = (
    "Controller", "Heartbeat", "BrokerRequestsElection", "RestartedBrokerIsElected", "Administrator", "Metadata",
)  # fmt: skip


def plain(value: Any) -> Any:
    return value.name if isinstance(value, ModelValue) else value


def part(value: Any, *path: str) -> Any:
    for key in path:
        value = next(inside for name, inside in value.items() if plain(name) == key)
    return plain(value)


def independence_of(model: RunModel, brokers: Sequence[str]) -> Independence:
    return Independence(model.footprints, brokers)


class Steps:
    """The steps of a model with what they touch."""

    def __init__(self, model: RunModel, fitting: bool = False) -> None:
        """`fitting`: the budgets are never used up, as in a run."""
        self.model, self.system, self.fitting = model, model.subject.system, fitting
        self.names = list(self.system.variables)
        self.known: dict[Any, dict[Any, Any]] = {}
        first = next(iter(self.system.initial_states()))
        self.brokers = [plain(name) for name, _ in first[self.names.index("disk")].items()]
        self.independence = independence_of(model, self.brokers)

    def of(self, state: Any) -> dict[Any, Any]:
        """(action, arguments) -> target"""
        found = self.known.get(state)
        if found is None:
            found = {(self.system.actions[a], args): target for a, args, target in self.system.successors(state)}
            self.known[state] = found
        return found

    def node(self, step: Any, state: Any) -> str:
        action, arguments = step
        if action.startswith(ON_CONTROLLER):
            return CONTROLLER
        if action == "MasterReceivesAck":
            return str(part(state[self.names.index("link")], plain(arguments[0])))
        if action == "SendQueuedProposal":
            return str(part(arguments[0], "from"))
        return str(plain(arguments[0]))

    def accesses(self, step: Any, state: Any, before: Any) -> Accesses:
        """`before`: the state from which both of two steps are looked at."""
        action, arguments = step
        named = tuple(map(plain, arguments))
        peer = None
        if action.startswith(("Slave", "Connection")) and named:
            peer = part(state[self.names.index("link")], named[0])
            if action == "SlaveConnectsAndTruncates":
                peer = part(state[self.names.index("broker")], named[0], "master")
        left = None
        if action == "SlaveConnectsAndTruncates":
            left = str(part(before[self.names.index("link")], named[0]))
        found = self.independence.accesses(action, named, self.node(step, state), peer, left)
        if self.fitting:
            found = without_expiries(Event("", action, named), found)
        assert found is not None
        return found

    def seen(self, state: Any) -> Any:
        """A state without what no step reads."""
        found = list(state[:-1])
        for name, unread in (("history", ("thin",)), ("used", ("expiries",) if self.fitting else ())):
            place = self.names.index(name)
            value = state[place]
            found[place] = tuple(v for k, v in zip(value[0].keys, value[1:], strict=True) if k not in unread)
        return tuple(found)


def violations(steps: Steps, state: Any) -> tuple[int, list[str]]:
    """How many pairs commute by the table here, and those that do not."""
    pairs, wrong = 0, []
    enabled = steps.of(state)
    for one, after in enabled.items():
        mine = steps.accesses(one, state, state)
        there = steps.of(after)
        for other in set(enabled) | set(there):
            base = state if other in enabled else after
            same = steps.node(one, state) == steps.node(other, base)
            if other == one or same or mine.conflicts(steps.accesses(other, base, state)):
                continue
            pairs += 1
            if (other in enabled) != (other in there):
                wrong.append(f"{one} makes {other} {'possible' if other in there else 'impossible'}")
                continue
            ends = steps.of(enabled[other])
            if one not in ends or steps.seen(ends[one]) != steps.seen(there[other]):
                wrong.append(f"{one} and {other} do not commute")
    return pairs, wrong


@pytest.mark.parametrize(
    ("config", "walks", "fitting"),
    [("TwoBrokers", 1, False), ("TwoBrokers", 2, True), pytest.param("TwoBrokers", 150, False, marks=pytest.mark.large),
     pytest.param("TwoBrokers", 150, True, marks=pytest.mark.large),
     pytest.param("AsShippedAckedDurability", 60, False, marks=pytest.mark.large)],
)  # fmt: skip
def test_what_accesses_different_parts_commutes(config: str, walks: int, fitting: bool) -> None:
    spec = bundled("AsShipped.tla" if config.startswith("AsShipped") else "ControllerMode.tla")
    model = open_run_model(
        ModelFiles(spec, bundled(f"{config}.cfg")),
        RunMapping(constants=EVERYTHING | ({"MaxExpiries": 99} if fitting else {})),
    )
    steps, pairs = Steps(model, fitting), 0
    for seed in range(walks):
        random = Random(seed)
        state = random.choice(list(steps.system.initial_states()))
        for number in range(40):
            if number % 4 == seed % 4:
                found, wrong = violations(steps, state)
                pairs += found
                assert not wrong, "\n".join(sorted(set(wrong))[:10])
            following = list(steps.of(state).values())
            if not following:
                break
            state = random.choice(following)
        steps.known.clear()
    assert pairs > 100 * walks


@pytest.mark.parametrize("name", first(2, ["ControllerMode", "AsDesigned", "LateAcks", "LateBatches", "AsShipped"]))
def test_every_action_of_the_model_has_a_footprint(name: str) -> None:
    config = {"AsShipped": "AsShippedAckedDurability", "AsDesigned": "AsDesignedLogMatching"}.get(name, "TwoBrokers")
    config = f"TwoBrokers{name}" if name.startswith("Late") else config
    model = open_run_model(ModelFiles(bundled(f"{name}.tla"), bundled(f"{config}.cfg")), RunMapping())
    independence = independence_of(model, ("b1", "b2", "b3"))
    for action in model.domains.names:
        found = independence.accesses(action, ("b1", "b2"), "b1", None)
        everything = independence.accesses(action, (None, None), "controller", None)
        assert found is not None and everything is not None and found.writes, action
        assert isinstance(unlogged_before(action, ("b1", "b2"), "b1"), tuple)
    flushed, other = (independence.accesses("BytesAreFlushed", (name,), name, None) for name in ("b1", "b2"))
    assert flushed is not None and other is not None and not flushed.conflicts(other), "two brokers' own disks"
