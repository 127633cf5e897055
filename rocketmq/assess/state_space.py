"""The states of the broker sets that `rmqproof assess` explores: interpreted, and compiled where that pays."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from time import monotonic
from typing import Any

from rmqproof.model.checking.opening import open_subject
from rmqproof.model.checking.subject import Subject
from rmqproof.model.evaluate.system import PythonSystem, sentence
from rmqproof.model.evaluate.values import Value, boolean, function
from rmqproof.model.native.errors import NoCompiler, NotCompilable
from rmqproof.model.native.kernel import Kernel, kernel_of
from rmqproof.model.native.native_model import NativeModel, permutations_of
from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.search.kernel import Code, NotEvaluated, TooSmall, until_it_fits
from rmqproof.model.search.result import Step
from rmqproof.model.search.system import State
from rmqproof.model.tla.library import bundled, bundled_name
from rmqproof.rocketmq.assess.acting import MasterSlave
from rmqproof.rocketmq.assess.broker_set import BrokerSet
from rmqproof.rocketmq.assess.check_text import CheckText, assessed
from rmqproof.rocketmq.assess.examination import Finding, OneByOne
from rmqproof.rocketmq.assess.exploration import Explored, explore
from rmqproof.rocketmq.assess.family import Family, Member, family_of, member_of
from rmqproof.rocketmq.assess.faults import Faults
from rmqproof.rocketmq.assess.questions import ANSWERS, Question
from rmqproof.rocketmq.assess.scenario import REPAIRED_MODULE, SHIPPED_MODULE

PATIENCE = 1.0
"""Seconds of interpreting after which a program is worth its compilation."""

_OWN = ("settings", "answers")
"""What `spec/core/Assessment.tla` has beside the variables of the protocol."""


@dataclass(frozen=True, slots=True)
class Explore:
    """Answer questions about a broker set: under Controller mode by exploring it once. Picklable.

    A program is interpreted for `patience` seconds in all, then compiled, unless `compiled` is false.

    Raise `TlaError` when the specification is at fault: that is an error of the tool, not of the operator's files.
    """

    max_seconds: float | None = None
    compiled: bool = True
    patience: float = PATIENCE

    def __call__(self, broker_set: BrokerSet, faults: Faults, questions: Sequence[Question]) -> tuple[Finding, ...]:
        if isinstance(broker_set, MasterSlave):
            return OneByOne(CheckText(self.max_seconds))(broker_set, faults, questions)
        program = _program(family_of(broker_set, faults), self.compiled, self.patience)
        return program.findings(member_of(broker_set, faults), tuple(questions), self.max_seconds)


@lru_cache(maxsize=8)
def _program(family: Family, compiled: bool, patience: float) -> Program:
    subject = open_subject(assessed(bundled(family.module), family.configuration()))
    assert isinstance(subject.system, PythonSystem)
    native = NativeModel(subject.system.model, False, group=permutations_of(subject.system)) if compiled else None
    return Program(family, subject, subject.system, native, patience)


@dataclass(slots=True)
class Program:
    """A family, ready to be explored. `native` None: by the Python engine only."""

    family: Family
    subject: Subject
    system: PythonSystem
    native: NativeModel | None
    patience: float
    kernel: Kernel | None = None
    starts: dict[Value, tuple[Value, ...]] = field(default_factory=dict)

    def findings(
        self, member: Member, questions: tuple[Question, ...], max_seconds: float | None
    ) -> tuple[Finding, ...]:
        """One for each question."""
        first = self._first(member)
        places = [ANSWERS.index(question.answer) for question in questions]
        state = self.system.state(first)
        if self.native is None or self.patience > 0:
            limit = max_seconds if self.native is None else min(self.patience, max_seconds or self.patience)
            begun = monotonic()
            interpreted = explore(Interpreted(self.system, state), places, limit)
            self.patience -= monotonic() - begun
            if interpreted.whole or self.native is None or limit == max_seconds:
                told = {place: list(path) for place, path in interpreted.paths.items()}
                return self._told(questions, places, told, interpreted.distinct, interpreted.whole, member)
        try:
            found, kernel = until_it_fits(lambda: self._compiled(first, places, max_seconds), self._grow)
        except (NotCompilable, NoCompiler, NotEvaluated):
            self.native = None
            return self.findings(member, questions, max_seconds)
        paths = {place: self._decoded(kernel, path) for place, path in found.paths.items()}
        return self._told(questions, places, paths, found.distinct, found.whole, member)

    def _compiled(
        self, first: tuple[Value, ...], places: Sequence[int], max_seconds: float | None
    ) -> tuple[Explored[bytes], Kernel]:
        assert self.native is not None
        if self.kernel is None:
            self.native.compile()
            self.kernel = kernel_of(self.native)
        return explore(Compiled(self.kernel, first), places, max_seconds), self.kernel

    def _decoded(self, kernel: Kernel, path: Sequence[bytes]) -> list[State]:
        return [self.system.state(kernel.decode(_words(state))) for state in path]

    def _grow(self, place: int) -> None:
        assert self.native is not None and self.kernel is not None
        self.kernel.close()
        self.kernel = None
        self.native.grow(place)
        self.kernel = kernel_of(self.native)

    def _first(self, member: Member) -> tuple[Value, ...]:
        """The initial state with these settings, and what is used of the budgets."""
        names = self.system.variables
        if not self.starts:
            for state in self.system.initial_states():
                values = tuple(self.system.values(state))
                self.starts[values[names.index("settings")]] = values
        settings = {name: boolean(value) if isinstance(value, bool) else value for name, value in member.settings}
        values = self.starts[function(settings)]
        used = dict(_items(values[names.index("used")])) | dict(member.used)
        return tuple(function(used) if name == "used" else value for name, value in zip(names, values, strict=True))

    def _told(
        self,
        questions: tuple[Question, ...],
        places: Sequence[int],
        paths: Mapping[int, list[State]],
        distinct: int,
        whole: bool,
        member: Member,
    ) -> tuple[Finding, ...]:
        return tuple(
            Finding(True, distinct, self._behaviour(question, paths[place], member))
            if place in paths
            else Finding(False if whole else None, distinct, None, "" if whole else "The time is over.")
            for question, place in zip(questions, places, strict=True)
        )

    def _behaviour(self, question: Question, states: list[State], member: Member) -> Behaviour:
        """The behaviour of `spec/core/Operations.tla` that these states are."""
        about = sentence(self.system.model.specification.definitions[question.property])
        steps = [Step(None, (), states[0])]
        for before, after in pairwise(states):
            taken = next(t for t in self.system.successors(before) if t.state == after)
            steps.append(Step(self.system.actions[taken.action], tuple(taken.arguments), after))
        behaviour = self.subject.behaviour(steps, question.property, about)
        module = bundled_name(SHIPPED_MODULE if self.family.shipped_rules else REPAIRED_MODULE)
        return replace(
            behaviour,
            variables=tuple(name for name in behaviour.variables if name not in _OWN),
            steps=tuple(replace(step, state=_plain(step.state, member)) for step in behaviour.steps),
            origin=replace(behaviour.origin, specification=module, config="", command=""),
        )


def _plain(state: Mapping[str, Any], member: Member) -> dict[str, Any]:
    """The state without the settings, its budgets counted from 0."""
    before = dict(member.used)
    plain = {name: value for name, value in state.items() if name not in _OWN}
    plain["used"] = {name: number - before.get(name, 0) for name, number in state["used"].items()}
    return plain


@dataclass(slots=True)
class Compiled:
    """States as their packed words. See `exploration.Steps`."""

    kernel: Kernel
    values: tuple[Value, ...]
    size: int = field(init=False)
    masks: list[tuple[int, int, list[tuple[int, int]]]] = field(init=False)
    """By word that holds answers: where it begins, the bits of all, and of each its bit with its place in `ANSWERS`."""

    def __post_init__(self) -> None:
        self.size = 8 * self.kernel.words
        names = self.kernel.description.variables
        at = names.index("answers")
        words: dict[int, list[tuple[int, int]]] = {}
        none = dict.fromkeys(ANSWERS, boolean(False))
        plain = self.kernel.encode((*self.values[:at], function(none), *self.values[at + 1 :]))
        for place, name in enumerate(ANSWERS):
            told = function(none | {name: boolean(True)})
            packed = self.kernel.encode((*self.values[:at], told, *self.values[at + 1 :]))
            word, bit = next((i, a ^ b) for i, (a, b) in enumerate(zip(plain, packed, strict=True)) if a != b)
            words.setdefault(word, []).append((bit, 1 << place))
        self.masks = [(8 * word, sum(bit for bit, _ in bits), bits) for word, bits in words.items()]

    def first(self) -> bytes:
        return b"".join(word.to_bytes(8, sys.byteorder) for word in self.kernel.encode(self.values))

    def fingerprint(self, state: bytes) -> int:
        return int.from_bytes(self.kernel.fingerprints(state), sys.byteorder)

    def answers(self, state: bytes) -> int:
        told = 0
        for at, all_of_them, bits in self.masks:
            hit = int.from_bytes(state[at : at + 8], sys.byteorder) & all_of_them
            if hit:
                told |= sum(place for bit, place in bits if hit & bit)
        return told

    def fresh(self, states: Sequence[bytes], seen: set[int]) -> list[tuple[int, bytes]]:
        batch = self.kernel.expand(b"".join(states))
        for outcome in set(batch.outcomes):
            if outcome == Code.TOO_SMALL:
                raise TooSmall(self.kernel.narrow())
            if outcome != Code.HOLDS:
                raise NotEvaluated
        fingerprints, parents = memoryview(batch.fingerprints).cast("Q"), memoryview(batch.parents).cast("I")
        packed, size = batch.states, self.size
        new = []
        for i, fingerprint in enumerate(fingerprints):
            if fingerprint not in seen:
                seen.add(fingerprint)
                new.append((parents[i], packed[i * size : (i + 1) * size]))
        return new


@dataclass(slots=True)
class Interpreted:
    """States as the Python engine's. See `exploration.Steps`."""

    system: PythonSystem
    start: State
    at: int = field(init=False)

    def __post_init__(self) -> None:
        self.at = self.system.variables.index("answers")

    def first(self) -> State:
        return self.start

    def fingerprint(self, state: State) -> int:
        return self.system.fingerprint(state)

    def answers(self, state: State) -> int:
        told = dict(_items(self.system.values(state)[self.at]))
        return sum(1 << place for place, name in enumerate(ANSWERS) if told[name])

    def fresh(self, states: Sequence[State], seen: set[int]) -> list[tuple[int, State]]:
        new = []
        for row, state in enumerate(states):
            for transition in self.system.successors(state):
                fingerprint = self.system.fingerprint(transition.state)
                if fingerprint not in seen:
                    seen.add(fingerprint)
                    new.append((row, transition.state))
        return new


def _items(value: Value) -> list[tuple[Value, Value]]:
    """The fields of a record."""
    items: list[tuple[Value, Value]] = list(value.items())
    return items


def _words(state: bytes) -> list[int]:
    return list(memoryview(state).cast("Q"))
