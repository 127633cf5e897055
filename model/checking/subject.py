"""What a check needs of a model, apart from how it was written: a system, its properties, how to show its states."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from rmqproof.model.checking.coverage import Coverage
from rmqproof.model.checking.liveness import Liveness
from rmqproof.model.checking.options import SparkOptions
from rmqproof.model.checking.outcome import DeclaredProperty
from rmqproof.model.checking.spark_engine import Finish
from rmqproof.model.judge.judge import Judge
from rmqproof.model.native.request import InPython
from rmqproof.model.native.request import Request as NativeRequest
from rmqproof.model.records import dataclass
from rmqproof.model.report.behaviour import Behaviour, Origin
from rmqproof.model.report.behaviour import Step as ShownStep
from rmqproof.model.search.breadth_first import Search
from rmqproof.model.search.checkpoint import CheckpointError
from rmqproof.model.search.control import Control
from rmqproof.model.search.result import Finding, FindingKind, Result, Step
from rmqproof.model.search.system import Observing, State, System
from rmqproof.model.tla.algorithms import AlgorithmStep, algorithm_step
from rmqproof.model.tla.source import Location, TlaError

_ALIAS_ERROR = "_ALIASEvalError"
"""What TLC calls the cause."""


@dataclass(frozen=True, slots=True)
class SimulationOptions:
    """How many random behaviours of how many states, a swarm or not. `engine`: `auto` or `native`."""

    engine: str
    behaviours: int
    depth: int
    seed: int
    swarm: bool = False
    guided: bool = False


@dataclass(frozen=True, slots=True)
class Subject:
    """A system to check. `identity` is a digest of everything that the states and their order depend on.

    `show` gives a state's variables, `show_value` an argument, as ITF values. `alias`, where the model has an ALIAS,
    gives what a person is to see of a state instead, given the state after it (of the last one: itself).
    `false_assumption` gives what to say of an assumption that is false, `false_postcondition` the name of a
    post-condition that is; or None.
    """

    system: System
    name: str
    identity: str
    show: Callable[[State], Mapping[str, Any]]
    show_value: Callable[[Any], Any]
    properties: tuple[DeclaredProperty, ...] = ()
    findings: tuple[Finding, ...] = ()
    """What is suspicious about the specification's text."""
    origin: Origin = field(default_factory=Origin)
    engine: str = "python"
    native: Callable[[Control, NativeRequest, Callable[[str], None], InPython], Result] | None = None
    """A search in machine code, where that covers the model: control, request, what is told, the search in Python."""
    simulation: Callable[[Control, SimulationOptions, Callable[[str], None]], Result] | None = None
    """Random behaviours, in machine code where that covers the model; None: the Python engine's, over `system`."""
    spark: Callable[[SparkOptions, Control, Callable[[str], None], Finish], Result] | None = None
    """A search with owner partitions on Spark; the last argument is done while its states are at hand."""
    alias: Callable[[State, State], Mapping[str, Any]] | None = None
    check_decided: Callable[[], None] | None = None
    """Raise `TlaError` where a constant that stands for a formula leaves nothing to check."""
    judge: Judge | None = None
    """Replays counterexamples and looks at states of a success again; None: formulas ask where the search is."""
    coverage: Callable[[], Coverage] | None = None
    """What was evaluated until now, where that is counted."""
    liveness: Liveness | None = None
    """How the properties that a search does not check are checked."""
    false_assumption: Callable[[], str | None] = lambda: None
    false_postcondition: Callable[[Result], str | None] = lambda result: None
    places: Mapping[str, Location] = field(default_factory=dict)
    """Where what the specification defines stands; `deadlock` stands for the next-state relation."""
    drawn: Location | None = None
    """Where something is drawn at random on which the result depends."""
    inputs: Callable[[], Mapping[str, str]] = dict
    """The files that the model has read so far, with digests: see `Checkpoint`."""
    periodic: str = ""
    """The name of what TLC evaluates every now and then in a simulation."""
    impossible: Callable[[], list[str]] | None = None
    """After a search: the names of what should be possible, and was true of no state and no step."""

    @property
    def description(self) -> str:
        """What a message calls the model."""
        return self.origin.config or self.origin.specification or self.name

    def behaviour(self, steps: Sequence[Step], violated: str, sentence: str, loop: int | None = None) -> Behaviour:
        """The steps as the reports want them."""
        begins = {action: self._begins(action) for action in {step.action for step in steps}}
        shown = tuple(
            ShownStep(
                index,
                step.action,
                tuple(self.show_value(a) for a in step.arguments),
                self.show(step.state),
                begins[step.action],
            )
            for index, step in enumerate(steps)
        )
        return Behaviour(tuple(self.system.variables), shown, loop, violated, sentence, self.origin)

    def _begins(self, action: str | None) -> AlgorithmStep | None:
        place = self.places.get(action) if action is not None else None
        return algorithm_step(action, place) if action is not None and place is not None else None

    def aliased(self, behaviour: Behaviour, steps: Sequence[Step]) -> tuple[Behaviour, tuple[Finding, ...]]:
        """The behaviour as ALIAS shows it, the same where there is none; and what is wrong with the ALIAS.

        As in TLC, a state of which it has no value is shown as it is, with the cause beside its variables.
        """
        if self.alias is None:
            return behaviour, ()
        states = [step.state for step in steps]
        shown: list[dict[str, Any]] = []
        errors: list[TlaError] = []
        last = states[behaviour.loop if behaviour.loop is not None else -1]
        for before, after in zip(states, [*states[1:], last], strict=True):
            if isinstance(self.system, Observing):
                self.system.now(len(shown) + 1, 0, 0, 0, len(states))
            try:
                shown.append(dict(self.alias(before, after)))
            except TlaError as error:
                errors.append(error)
                shown.append({**self.show(before), _ALIAS_ERROR: str(error).partition("\n")[0]})
        findings = []
        if errors:
            few = f"{len(errors)} of the {len(states)} states" if len(errors) < len(states) else "the states"
            sentence = f"ALIAS cannot be evaluated, so {few} above are shown without it.\n{errors[0]}"
            findings = [Finding(FindingKind.ALIAS_FAILED, "ALIAS", sentence)]
        aliased = replace(
            behaviour,
            variables=tuple(dict.fromkeys(name for state in shown for name in state)),
            steps=tuple(replace(step, state=state) for step, state in zip(behaviour.steps, shown, strict=True)),
        )
        return aliased, tuple(findings)

    def check_resumed(self, search: Search) -> None:
        """Raise `CheckpointError` when fingerprints have changed since the checkpoint (another version of us)."""
        if (
            search.queue
            and self.system.fingerprint(search.queue.first(1)[0]) != search.seen.fingerprints[search.expanded]
        ):
            raise CheckpointError(
                "The checkpoint cannot be resumed: this version of rmqproof computes other fingerprints than the one "
                "that wrote it. Leave out --resume, or name another folder, to start from the beginning."
            )


def identity_of(*parts: str) -> str:
    """A digest of these texts, in this order."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        content = part.encode()
        digest.update(len(content).to_bytes(8, "big"))
        digest.update(content)
    return digest.hexdigest()
