"""Small models in which an adapter is driven until the first difference."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rmqproof.conformance.adapter import Adapter
from rmqproof.conformance.difference import Difference
from rmqproof.conformance.domains import ActionDomains
from rmqproof.conformance.performer import Effort, Performer, Reached, Task
from rmqproof.conformance.subject import ModelSubject, open_model
from rmqproof.model.cli.models import find_models
from rmqproof.model.search.system import State, Transition
from rmqproof.model.tla.library import BUNDLED, bundled, folders_of

EVERY_ACTION = (
    "Again",
    "Cleaned",
    "Confirm",
    "Cut",
    "CutTwo",
    "Flush",
    "Grow",
    "Learner",
    "Notices",
    "Restart",
    "Waiting",
    "AsDesignedConsumedStable",
    "AsShippedConfirmMonotone",
    "bugs/ConnectionsCounted",
    "bugs/ConnectionsCountedFixed",
    "bugs/InsufficientIdentity",
    "bugs/InsufficientPollResolution",
    "bugs/Issue4442",
    "bugs/Issue9897",
    "bugs/Issue6662",
    "bugs/ResumedEpochMovedFiles",
    "First",
    "Three",
)
"""Models that together have every action of spec/core/ControllerMode.tla."""
STRICT = ("Again", "Cleaned", "Three", "Notices", "Restart", "bugs/ConnectionsCountedFixed", "bugs/Issue9897", "Flush")
"""Small ones in which `strict.StrictAdapter` looks at more than the steps."""
REGISTRATION = ("bugs/CleaningForgetsNextId", "bugs/CleaningForgetsNextIdFixed")
"""Of spec/protocols/Registration.tla, which has an adapter of its own."""


@dataclass
class Ground:
    """A model whose steps are computed once, however many adapters are held to it."""

    subject: ModelSubject
    domains: ActionDomains
    steps: dict[State, list[Transition]]


@dataclass(frozen=True)
class Found:
    """`edges` were performed and `states` expanded before; `difference` None: there is none."""

    difference: Difference | None
    edges: int
    states: int
    actions: frozenset[str]

    @property
    def caught_by(self) -> str:
        return self.difference.asked.action if self.difference is not None else ""


@cache
def ground(config: str) -> Ground:
    """The model `{config}.cfg` of spec/, or one of the small ones beside this file, explored."""
    own = Path(__file__).parent / "models" / f"{config}.cfg"
    if own.exists():
        module = own.with_suffix(".tla")
        spec = module if module.exists() else bundled("ControllerMode.tla")
        subject = open_model(spec, own, search_path=folders_of(BUNDLED, own))
    else:
        (files,) = find_models([bundled(f"{config}.cfg")])
        subject = open_model(files.spec, files.config)
    system = subject.system
    domains = ActionDomains(system)
    steps: dict[State, list[Transition]] = {}
    queue = list(system.initial_states())
    while queue:
        state = queue.pop()
        if state in steps:
            continue
        steps[state] = list(system.successors(state))
        for action, arguments, target in steps[state]:
            domains.note(system.actions[action], arguments)
            queue.append(target)
    system.successors = steps.__getitem__  # type: ignore[method-assign,assignment]
    return Ground(subject, domains, steps)


def first_difference(config: str, make: Callable[[], Adapter], most: int = 1_000_000) -> Found:
    """Breadth first, as `conform`, until something differs or `most` states are expanded."""
    here = ground(config)
    performer = Performer(here.subject, make, here.domains, Effort(probes=0, step_seconds=0))
    expansion = performer.initial()
    queue: list[Reached] = []
    seen: set[int] = set()
    edges = states = 0
    actions: set[str] = set()
    while True:
        edges += sum(expansion.tally.edges.values())
        actions.update(expansion.tally.edges)
        if expansion.differences:
            return Found(expansion.differences[0], edges, states, frozenset(actions))
        new = [item for item in expansion.reached if item.fingerprint not in seen]
        seen.update(item.fingerprint for item in new)
        queue += new
        if states >= min(most, len(queue)):
            return Found(None, edges, states, frozenset(actions))
        item: Reached = queue[states]
        expansion = performer.expand(Task(states, item.state, item.snapshot))
        states += 1
