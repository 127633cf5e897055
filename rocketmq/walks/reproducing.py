"""A counterexample of a model, carried out on the classes of a release: two or three real stores, the real controller's
state machine, and at the end the property, evaluated on the logs and answers that are really there."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Any

from rmqproof.conformance.subject import ModelSubject, open_files
from rmqproof.model.evaluate.itf import from_itf
from rmqproof.model.report.behaviour import Behaviour, Step
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.releases import Release
from rmqproof.rocketmq.walks import controller_steps
from rmqproof.rocketmq.walks.avoiding import SENDS, Avoided, another, edge_of
from rmqproof.rocketmq.walks.controller_steps import ControllerSteps, first_state
from rmqproof.rocketmq.walks.free_brokers import ENDS, TAKEN
from rmqproof.rocketmq.walks.walking import names_and_nobody
from rmqproof.rocketmq.worker import Worker

OF_BROKERS = {"disk", "broker", "link", "connection", "controller", "history"}
"""What a model of brokers and their logs has among its variables."""
_OF_A_CONNECTION = frozenset(["SlaveAppendsBatch", "MasterReceivesAck", "ConnectionBreaks"])
_OF_A_SLAVE = _OF_A_CONNECTION | {"SlaveConnectsAndTruncates", "ProcessCrashes", "MachineCrashes", "BecomeMaster"}
State = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Taken:
    """A step that was carried out: what was done beside it, and where the classes differ from the model since."""

    action: str
    notes: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()


@dataclass(slots=True)
class Reproduction:
    """`left`: why the classes do not take the step after `steps`, or nothing; `broken`: the property, on what is there
    after each step, was false at the end, or in some step for one about steps."""

    violated: str
    sentence: str
    length: int
    steps: list[Taken] = field(default_factory=list)
    left: str = ""
    impossible: bool = False
    """Is the step it left at one that nobody can carry out here?"""
    broken: bool = False
    seen: State = field(default_factory=dict)
    seconds: float = 0.0


@dataclass(slots=True)
class Story:
    """A counterexample with the model that it is one of."""

    subject: ModelSubject
    behaviour: Behaviour
    properties: tuple[str, ...] = ()

    def settings(self) -> dict[str, Any]:
        """Of broker.conf's store part."""
        constants = self.subject.constants
        return {
            "allAckInSyncStateSet": constants.get("AllAck", True),
            "inSyncReplicas": constants.get("InSyncReplicas", 1),
            "minInSyncReplicas": constants.get("MinInSyncReplicas", 1),
        }


def story_of(files: ModelFiles, behaviour: Behaviour) -> Story:
    """Raise `RocketmqError` for one that is not about brokers, or whose property needs a behaviour without end."""
    if not set(behaviour.variables) >= OF_BROKERS:
        raise RocketmqError(
            f"{files.name} is no model of brokers and their logs.", "Name one of spec/core/ControllerMode.tla's family."
        )
    subject = open_files(files)
    system = subject.system
    known = {each.name for each in system.invariants} | {each.name for each in system.step_properties}
    if behaviour.violated not in known:
        raise RocketmqError(
            f"{behaviour.violated} is a property of behaviours without end: no finite run breaks it.",
            "Take a counterexample of an invariant, or of a property of steps.",
        )
    return Story(subject, behaviour)


def reproduce_any(
    story: Story, release: Release, java: Path | None, worker: Worker, tries: int
) -> tuple[Reproduction, int]:
    """The counterexample, or where the classes leave it or the property holds at its end another one without that step;
    with how many were tried. Raise `RocketmqError`.

    A model's proposals leave in any order, a broker's in theirs: where that is what the classes do not take, the
    shortest counterexample in that order is not counted as a try."""
    avoided, subject = Avoided(), story.subject
    first, behaviour, number = None, story.behaviour, 0
    while True:
        number += 1
        found = reproduce(replace(story, behaviour=behaviour), release, java, worker)
        first = first or found
        if found.broken:
            return found, number
        place = len(found.steps) if found.left else len(behaviour.steps) - 1
        step = behaviour.steps[place]
        if found.impossible:
            avoided.actions.add(str(step.action))
        elif step.action == SENDS and not avoided.out_of_line:
            avoided.out_of_line = True
            tries += 1
        else:
            before = state_of(subject, behaviour.steps[place - 1].state)
            avoided.edges.add(edge_of(subject, before, step.action, step.arguments))
        following = another(subject, behaviour, avoided) if number < tries else None
        if following is None:
            return first, number
        behaviour = following


def state_of(subject: ModelSubject, shown: Mapping[str, Any]) -> Any:
    """A state of the model from ITF JSON."""
    return tuple(from_itf(shown[name], subject.origin.model_values) for name in subject.system.variables)


def reproduce(story: Story, release: Release, java: Path | None = None, worker: Worker | None = None) -> Reproduction:
    """Raise `RocketmqError`."""
    started = monotonic()
    behaviour = story.behaviour
    found = Reproduction(behaviour.violated, behaviour.sentence, len(behaviour.steps) - 1)
    own = worker if worker is not None else Worker(release, java)
    try:
        _play(story, own, found)
    finally:
        own.call("story_close")
        if worker is None:
            own.close()
    found.seconds = monotonic() - started
    return found


def _play(story: Story, worker: Worker, found: Reproduction) -> None:
    steps = story.behaviour.steps
    ids, nobody = names_and_nobody(story.subject.constants)
    first = dict(steps[0].state)
    differences = worker.call("story_open", story.settings(), ids, nobody, first)
    found.steps.append(Taken("the beginning", (), tuple(differences)))
    unclean = bool(story.subject.constants.get("UncleanElection", False))
    controller = ControllerSteps(
        lambda *given: worker.call("ask", *given),
        lambda *given: worker.call("apply", *given),
        ids,
        unclean,
        first_state(first, ids),
    )
    found.seen, _ = worker.call("story_seen")
    evaluation = Evaluation(story, first, found.seen)
    for place, (before, step) in enumerate(itertools.pairwise(steps), 1):
        found.left, taken = _take(controller, worker, before, step, found.seen, _ends(steps, place))
        if found.left:
            found.impossible = step.action not in TAKEN | controller_steps.STEPS
            return
        found.seen, notes = worker.call("story_seen")
        found.steps.append(Taken(taken.action, tuple(notes), taken.differences))
        evaluation.after(step, found.seen)
    found.broken = evaluation.broken


def _ends(steps: Sequence[Step], place: int) -> bool:
    """Is it a shrink, and the slave's connection of no use any more?"""
    if steps[place].action != "ProposeShrink":
        return False
    _, slave = steps[place].arguments
    for step in steps[place + 1 :]:
        if step.arguments[:1] == (slave,) and step.action in _OF_A_SLAVE:
            return step.action not in _OF_A_CONNECTION
    return True


def _take(
    controller: ControllerSteps, worker: Worker, before: Step, step: Step, seen: Mapping[str, Any], ends: bool
) -> tuple[str, Taken]:
    action, arguments = str(step.action), step.arguments
    shown = f"{action}({', '.join(map(_shown, arguments))})"
    if action in controller_steps.STEPS | {controller_steps.ELECTED}:
        left = controller.take(action, arguments, before.state, step.state, seen["heartbeats"])
        if left or action != controller_steps.ELECTED:
            return left, Taken(shown)
    left, differences = worker.call(
        "story_play", ENDS if ends else action, arguments, dict(before.state), dict(step.state)
    )
    return left, Taken(shown, (), tuple(differences))


@dataclass(slots=True)
class Evaluation:
    """The model's property on states of which logs, epoch files, sets, acks and answers are the classes'."""

    story: Story
    before: Any
    seen: Mapping[str, Any]
    broken: bool = False
    epochs: dict[int, int] = field(default_factory=dict)
    """In which epoch the master was that accepted a message."""

    def __post_init__(self) -> None:
        self._accepted(self.before)
        self.before = self._state(self.before, self.seen)

    def after(self, step: Step, seen: Mapping[str, Any]) -> None:
        self._accepted(step.state)
        state, system = self._state(step.state, seen), self.story.subject.system
        name = self.story.behaviour.violated
        for invariant in system.invariants:
            if invariant.name == name:
                self.broken = not invariant.holds(state)
        for each in system.step_properties:
            if each.name == name and not each.holds(self.before, state):
                self.broken = True
        self.before = state

    def _accepted(self, state: Mapping[str, Any]) -> None:
        for _, disk in state["disk"]["#map"]:
            for entry in disk["log"]["#tup"]:
                self.epochs[entry["id"]] = entry["epoch"]

    def _state(self, model: Mapping[str, Any], seen: Mapping[str, Any]) -> Any:
        state = copy.deepcopy(dict(model))
        disks, brokers, connections = (dict(state[name]["#map"]) for name in ("disk", "broker", "connection"))
        for name, real in seen["brokers"].items():
            disk = disks[name]
            disk["log"] = {"#tup": [{"id": each, "epoch": self.epochs[each]} for each in real["log"]]}
            disk["epochFile"] = {"#tup": [{"epoch": epoch, "start": start} for epoch, start in real["epochFile"]]}
            disk["flushed"] = min(disk["flushed"], len(real["log"]))
            disk["confirm"] = real.get("confirm", disk["confirm"])
            if "sss" in real:
                brokers[name]["sss"], brokers[name]["pending"] = {"#set": real["sss"]}, {"#set": real["pending"]}
            for other, connection in connections[name]["#map"]:
                connection["ack"] = real.get("acks", {}).get(other, connection["ack"])
        for ghost in ("acked", "thin", "consumed"):
            state["history"][ghost] = {"#set": seen[ghost]}
        return state_of(self.story.subject, state)


def _shown(value: Any) -> str:
    if isinstance(value, dict) and {"members", "from"} <= value.keys():
        return f"{value['from']} asks for {', '.join(value['members']['#set'])}"
    return str(value)
