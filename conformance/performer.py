"""Makes an implementation take every step of one model state, and asks it for those that the model does not allow."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, NamedTuple

from rmqproof.conformance.abstraction import Abstraction, AbstractionError, Account
from rmqproof.conformance.adapter import Answer
from rmqproof.conformance.difference import Asked, Difference, Kind
from rmqproof.conformance.domains import ActionDomains
from rmqproof.conformance.guard import STEP_SECONDS, AdapterFactory, Broke, Guard
from rmqproof.conformance.subject import ModelSubject
from rmqproof.model.evaluate.itf import to_itf
from rmqproof.model.evaluate.values import Value
from rmqproof.model.search.system import State

_Choice = tuple[tuple[str, tuple[Value, ...]], list[State]]
"""An action with its arguments, and the states that the model has after it."""
StoreKey = tuple[int, int]
"""Where a state lies in a store: its level and its fingerprint there."""


class ModelStep(NamedTuple):
    """One of the model's steps from a state, with the key of the state that it leads to, where there is a store."""

    action: str
    arguments: tuple[Value, ...]
    target: State
    key: StoreKey | None = None


class Task(NamedTuple):
    """A state of the model to be expanded, its number, and the pickled snapshot of the implementation in it."""

    number: int
    state: State
    snapshot: bytes
    key: StoreKey | None = None


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is tried. `disabled`: ask for every action that the model does not allow.

    `probes`: after one edge in so many, go on for `probe_steps` steps without a restore; 0: never; None: as often as
    gives a few thousand of them, in a small model after every edge.
    """

    disabled: bool = True
    probes: int | None = None
    probe_steps: int = 3
    seed: int = 0
    most_arguments: int = 4096
    step_seconds: float = STEP_SECONDS
    """How long the implementation may take for one call; 0: for ever."""
    most_losses: int = 5
    """Once it died or hung so often, a performer asks it for nothing more."""


@dataclass(slots=True)
class Tally:
    """What was done, by action. `edges` counts the model's steps that were performed, each way to take one."""

    edges: dict[str, int] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)
    """Refusals: actions asked for where the model does not allow them."""
    left: dict[tuple[str, str], int] = field(default_factory=dict)
    """Steps of the model that were not performed, by action and reason."""
    probes: int = 0
    probe_steps: int = 0

    def add(self, other: Tally) -> None:
        for mine, more in ((self.edges, other.edges), (self.asked, other.asked)):
            for action, count in more.items():
                mine[action] = mine.get(action, 0) + count
        for key, count in other.left.items():
            self.left[key] = self.left.get(key, 0) + count
        self.probes += other.probes
        self.probe_steps += other.probe_steps


@dataclass(frozen=True, slots=True)
class Reached:
    """A model state that the implementation reached, with the pickled snapshot of the implementation in it."""

    fingerprint: int
    state: State
    snapshot: bytes
    action: str
    arguments: tuple[Value, ...]
    key: StoreKey | None = None


@dataclass(slots=True)
class Expansion:
    """What became of one model state."""

    reached: list[Reached] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)


class Performer:
    """One adapter and the model it is held to. Made in the process that uses it; close it.

    Raise `AbstractionError` when the adapter does not account for everything.
    """

    def __init__(self, subject: ModelSubject, make: AdapterFactory, domains: ActionDomains, effort: Effort) -> None:
        self.subject, self.domains, self.effort = subject, domains, effort
        self.system = subject.system
        self.account = Account()
        self._asked = Asked("Init")
        """What the implementation was asked for last."""
        try:
            self.adapter = Guard(make, effort.step_seconds)
            try:
                self._start()
            except BaseException:
                self.adapter.close()
                raise
        except Broke as error:
            raise AbstractionError([f"The implementation cannot be started: {error.kind}: {error}"]) from error
        self._itf: dict[Value, Any] = {}
        self._known: dict[int, int] = {}
        """Of states that were reached or expanded: the smallest number of a task that told of it."""
        self._told: set[int] = set()
        """Those that the task in hand has told of."""
        self._unsupported: set[str] = set()

    def _start(self) -> None:
        variables = tuple(self.system.variables)
        self.adapter.introduce(self.subject.name, variables, tuple(dict.fromkeys(self.system.actions)))
        self.initial_count = self.adapter.start(self.subject.constants)
        if not isinstance(self.initial_count, int) or self.initial_count < 1:
            raise AbstractionError([f"start() says that there are {self.initial_count!r} initial states."])
        self.elided = dict(self.adapter.elided())
        shown = self.adapter.observe()
        self.check_account()
        self.abstraction = Abstraction.of(variables, self.subject.origin.model_values, shown, self.elided)

    def close(self) -> None:
        self.adapter.close()

    @property
    def lost(self) -> bool:
        """The implementation died or hung so often that it is asked for nothing more."""
        return self.adapter.lost >= self.effort.most_losses

    # --- the initial states --------------------------------------------------------------------------------------

    def initial(self, stored: Mapping[State, StoreKey] | None = None) -> Expansion:
        """Compare the initial states, both ways. `stored`: they come from a store, which has those inside the
        constraints."""
        found = Expansion()
        if stored is None:
            states = list(dict.fromkeys(self.system.initial_states()))
        else:
            outside = (state for state in self.system.initial_states() if not self.system.within(state))
            states = [*stored, *dict.fromkeys(outside if self.system.has_constraints else ())]
        met: set[State] = set()
        asked = Asked("Init")
        for index in range(self.initial_count):
            try:
                self.adapter.initial(index)
                shown = self.adapter.observe()
                snapshot = self.pickled()
            except Broke as error:
                found.differences.append(self.broken(-1, asked, None, error))
                return found
            state = next((state for state in states if self.matches(state, shown)), None)
            if state is None:
                nearest = self._nearest(states, shown)
                found.differences.append(
                    self._difference(Kind.INITIAL, -1, asked, None, nearest, shown, f"initial state {index}")
                )
            elif state not in met:
                met.add(state)
                fingerprint = self.system.fingerprint(state)
                key = stored.get(state) if stored is not None else None
                found.reached.append(Reached(fingerprint, state, snapshot, "", (), key))
        for state in states:
            if state not in met and not found.differences:
                message = "the implementation has no such initial state"
                found.differences.append(self._difference(Kind.INITIAL, -1, asked, None, state, None, message))
        return found

    def check_snapshots(self, reached: Reached) -> Difference | None:
        """Raise `AbstractionError` when `restore` does not bring back what `snapshot` took. What broke meanwhile.

        Most often it keeps the snapshot itself as its state, and the next step changes both.
        """
        before = pickle.loads(reached.snapshot)
        try:
            self.adapter.restore(before)
            for action, arguments, _ in self.system.successors(reached.state):
                answer = self._ask(Asked(self.system.actions[action], self.itf(arguments)), None)
                if isinstance(answer, Broke) and answer.kind is not Kind.CRASHED:
                    raise answer
                self.adapter.restore(before)
                if not self.matches(reached.state, self.adapter.observe()):
                    raise AbstractionError(
                        ["restore() does not bring back what snapshot() took, after a step: copy in both of them."]
                    )
        except Broke as error:
            return self.broken(0, self._asked, reached.state, error)
        return None

    # --- one state -----------------------------------------------------------------------------------------------

    def expand(self, task: Task, ways: Iterable[ModelStep] | None = None) -> Expansion:
        """Take every step from a state, and ask for the others. `ways`: the steps, in the order of the model's
        successors; None: the Python engine finds them."""
        found = Expansion()
        number, state, snapshot, _ = task
        self._known[self.system.fingerprint(state)] = -1
        self._told.clear()
        before = pickle.loads(snapshot)
        steps: dict[tuple[str, tuple[Value, ...]], dict[State, int]] = {}
        keys: dict[State, StoreKey | None] = {}
        for action, arguments, target, key in self._ways(state) if ways is None else ways:
            targets = steps.setdefault((action, arguments), {})
            targets[target] = targets.get(target, 0) + 1
            keys[target] = key
        for position, ((name, arguments), targets) in enumerate(steps.items()):
            if self.lost:
                return found
            asked = self._asked = Asked(name, self.itf(arguments))
            try:
                self._step(found, number, state, before, asked, arguments, targets, position, keys)
            except Broke as error:
                found.differences.append(self.broken(number, asked, state, error))
        if self.lost:
            return found
        self._asked = Asked("(restore)")
        try:
            self.adapter.restore(before)
            shown = self.adapter.observe()
            if not self.matches(state, shown):
                return self._bad_snapshot(number, state, snapshot)
            if self.effort.disabled:
                self._drive_disabled(found, number, state, before, steps)
        except Broke as error:
            found.differences.append(self.broken(number, self._asked, state, error))
        return found

    def _ways(self, state: State) -> Iterator[ModelStep]:
        for action, arguments, target in self.system.successors(state):
            yield ModelStep(self.system.actions[action], arguments, target)

    def cut(self, state: State) -> Iterator[ModelStep]:
        """The steps that the constraints cut, which are in no store."""
        if self.system.has_constraints:
            for way in self._ways(state):
                if not (self.system.within(way.target) and self.system.allowed(state, way.target)):
                    yield way

    def _bad_snapshot(self, number: int, state: State, snapshot: bytes) -> Expansion:
        """Say in what way the snapshot is of no use; nothing else that was found from it means anything."""
        self.adapter.restore(pickle.loads(snapshot))
        shown = self.adapter.observe()
        message = "snapshot() leaves something out, or restore() does"
        if self.matches(state, shown):
            message = "once steps were taken from it: restore() must copy what it is given"
        asked = Asked("(restore)")
        return Expansion([], [self._difference(Kind.SNAPSHOT, number, asked, state, state, shown, message)])

    def _step(
        self,
        found: Expansion,
        number: int,
        state: State,
        before: Any,
        asked: Asked,
        arguments: tuple[Value, ...],
        targets: dict[State, int],
        position: int,
        keys: Mapping[State, StoreKey | None],
    ) -> None:
        """Take one step, or where the adapter can choose, every choice of it."""
        count = 1
        choosing = self.adapter if self.adapter.chooses else None
        if choosing is not None:
            self.adapter.restore(before)
            count = max(1, choosing.choices(asked.action, asked.arguments))
        missing = dict(targets)
        for choice in range(count):
            self.adapter.restore(before)
            answer = self._ask(asked, choice if choosing is not None else None)
            if isinstance(answer, Broke):
                found.differences.append(self.broken(number, asked, state, answer))
                return
            if answer is Answer.UNSUPPORTED:
                self._leave(found, asked.action, sum(targets.values()), self._why(asked.action))
                return
            if answer is Answer.REFUSED:
                found.differences.append(
                    self._difference(Kind.REFUSED, number, asked, state, next(iter(targets)), None)
                )
                return
            shown = self.adapter.observe()
            target = next((target for target in targets if self.matches(target, shown)), None)
            if target is None:
                nearest = self._nearest(list(targets), shown)
                found.differences.append(self._difference(Kind.STATE, number, asked, state, nearest, shown))
                return
            if target in missing:
                found.tally.edges[asked.action] = found.tally.edges.get(asked.action, 0) + missing.pop(target)
            self._arrive(found, number, state, asked, arguments, target, position, keys[target])
        for target, times in missing.items():
            if choosing is not None:
                found.differences.append(self._difference(Kind.UNREACHED, number, asked, state, target, None))
            else:
                self._leave(found, asked.action, times, "the implementation took another of the steps allowed")

    def _arrive(
        self,
        found: Expansion,
        number: int,
        state: State,
        asked: Asked,
        arguments: tuple[Value, ...],
        target: State,
        position: int,
        key: StoreKey | None,
    ) -> None:
        """Keep the implementation in a new state; now and then go on from there as it is."""
        fingerprint = self.system.fingerprint(target)
        inside = self.system.within(target) and self.system.allowed(state, target)
        # whoever comes first in order tells of it, whatever was tried before: tasks may come in any order, and again
        if inside and self._known.get(fingerprint, number) >= number and fingerprint not in self._told:
            self._known[fingerprint] = number
            self._told.add(fingerprint)
            found.reached.append(Reached(fingerprint, target, self.pickled(), asked.action, arguments, key))
        every = self.effort.probes
        source = self.system.fingerprint(state)
        if every and (source ^ (position * 0x9E3779B97F4A7C15)) % every == 0:
            difference = self.probe(number, target, (asked,), Random(f"{self.effort.seed}:{source}:{position}"), found)
            if difference is not None:
                found.differences.append(difference)

    # --- what the model does not allow ---------------------------------------------------------------------------

    def _drive_disabled(
        self, found: Expansion, number: int, state: State, before: Any, enabled: Mapping[Any, Any]
    ) -> None:
        """The implementation is in `state`. Ask for everything else; it must refuse and stay as it is."""
        random = Random(f"{self.effort.seed}:{self.system.fingerprint(state)}")
        refused: list[Asked] = []
        asked_for = found.tally.asked
        for name, arguments in self.domains.candidates(state, random):
            if (name, arguments) in enabled or name in self._unsupported:
                continue
            asked = Asked(name, self.itf(arguments))
            answer = self._ask(asked, None)
            if answer is Answer.REFUSED:
                asked_for[name] = asked_for.get(name, 0) + 1
                refused.append(asked)
                continue
            if answer is Answer.UNSUPPORTED:
                self._unsupported.add(name)
                self._leave(found, name, 0, self._why(name))
            elif isinstance(answer, Broke):
                found.differences.append(self.broken(number, asked, state, answer))
                if self.lost:
                    return
                self.adapter.restore(before)
            else:
                shown = self.adapter.observe()
                found.differences.append(self._difference(Kind.PERFORMED, number, asked, state, state, shown))
                self.adapter.restore(before)
        if not self.matches(state, self.adapter.observe()):
            self._find_change(found, number, state, before, refused)
        elif self.effort.probes and self.system.fingerprint(state) % self.effort.probes == 0:
            difference = self.probe(number, state, (), random, found)
            if difference is not None:
                message = f"{difference.message} after it had refused {len(refused)} other requests".strip()
                found.differences.append(replace(difference, message=message))

    def _find_change(self, found: Expansion, number: int, state: State, before: Any, refused: Sequence[Asked]) -> None:
        for asked in refused:
            self.adapter.restore(before)
            self._ask(asked, None)
            shown = self.adapter.observe()
            if not self.matches(state, shown):
                found.differences.append(self._difference(Kind.CHANGED, number, asked, state, state, shown))

    # --- going on without a restore ------------------------------------------------------------------------------

    def probe(
        self, number: int, state: State, since: tuple[Asked, ...], random: Random, found: Expansion
    ) -> Difference | None:
        """Go on from `state` in the implementation as it is: some steps in a row, then every other first step.

        The first difference from the model, which says that what the path left behind is more than the model's state.
        """
        found.tally.probes += 1
        try:
            return self._probe(number, state, since, random, found)
        except Broke as error:
            return self.broken(number, self._asked, state, error, since)

    def _probe(
        self, number: int, state: State, since: tuple[Asked, ...], random: Random, found: Expansion
    ) -> Difference | None:
        kept = self.pickled()
        choices = self._choices(state)
        random.shuffle(choices)
        for position, choice in enumerate(choices):
            if position:
                self.adapter.restore(pickle.loads(kept))
            reached, difference = self._probe_step(number, state, since, choice, found)
            asked = (*since, Asked(choice[0][0], self.itf(choice[0][1])))
            for _ in range(self.effort.probe_steps - 1 if not position else 0):
                following = self._choices(reached) if reached is not None and difference is None else []
                if not following:
                    break
                assert reached is not None
                choice = random.choice(following)
                reached, difference = self._probe_step(number, reached, asked, choice, found)
                asked = (*asked, Asked(choice[0][0], self.itf(choice[0][1])))
            if difference is not None:
                return difference
        return None

    def _choices(self, state: State) -> list[_Choice]:
        """The steps that the model allows in a state, those that the adapter can drive."""
        steps: dict[tuple[str, tuple[Value, ...]], list[State]] = {}
        for action, arguments, target in self.system.successors(state):
            name = self.system.actions[action]
            if name not in self._unsupported:
                steps.setdefault((name, arguments), []).append(target)
        return list(steps.items())

    def _probe_step(
        self, number: int, state: State, since: tuple[Asked, ...], choice: _Choice, found: Expansion
    ) -> tuple[State | None, Difference | None]:
        (name, arguments), targets = choice
        asked = Asked(name, self.itf(arguments))
        answer = self._ask(asked, None)
        if answer is Answer.UNSUPPORTED:
            return None, None
        found.tally.probe_steps += 1
        if isinstance(answer, Broke):
            return None, self.broken(number, asked, state, answer, since)
        if answer is Answer.REFUSED:
            return None, self._difference(Kind.HIDDEN, number, asked, state, targets[0], None, "refused", since)
        shown = self.adapter.observe()
        reached = next((target for target in targets if self.matches(target, shown)), None)
        if reached is None:
            nearest = self._nearest(targets, shown)
            return None, self._difference(Kind.HIDDEN, number, asked, state, nearest, shown, "", since)
        return reached, None

    def check_account(self, last: bool = False) -> None:
        """Raise `AbstractionError` for a field that is there now and unaccounted; `last`: and for one never there."""
        try:
            problems = self.adapter.account(self.account.ask)
            if last:
                problems += self.adapter.account(self.account.stale, tuple(self.system.variables))
        except Broke as error:
            problems = [f"The implementation gives no account of its fields: {error.kind}: {error}"]
        if problems:
            raise AbstractionError(problems)

    # --- helpers -------------------------------------------------------------------------------------------------

    def matches(self, state: State, shown: Mapping[str, Any]) -> bool:
        try:
            return self.abstraction.matches(state, shown)
        except (ValueError, TypeError):
            return False  # what is no value is shown as it is in the report

    def pickled(self) -> bytes:
        """The adapter's snapshot. Raise `AbstractionError` when it cannot be pickled."""
        try:
            return pickle.dumps(self.adapter.snapshot(), protocol=pickle.HIGHEST_PROTOCOL)
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            raise AbstractionError(
                [f"A snapshot cannot be pickled: {error}. Return plain data from snapshot()."]
            ) from None

    def itf(self, arguments: tuple[Value, ...]) -> tuple[Any, ...]:
        known = self._itf
        found = []
        for value in arguments:
            if value not in known:
                known[value] = to_itf(value)
            found.append(known[value])
        return tuple(found)

    def _ask(self, asked: Asked, choice: int | None) -> Answer | Broke:
        self._asked = asked
        try:
            if choice is not None:
                answer = self.adapter.perform_choice(asked.action, asked.arguments, choice)
            else:
                answer = self.adapter.perform(asked.action, asked.arguments)
        except Broke as error:
            return error
        if not isinstance(answer, Answer):
            return Broke(Kind.CRASHED, f"TypeError: perform() returned {answer!r}, which is no Answer")
        return answer

    def _why(self, action: str) -> str:
        return self.elided.get(action, "")

    def _leave(self, found: Expansion, action: str, times: int, reason: str) -> None:
        found.tally.left[action, reason] = found.tally.left.get((action, reason), 0) + times

    def _nearest(self, states: Sequence[State], shown: Mapping[str, Any]) -> State | None:
        """The state that differs from what is shown in the fewest parts."""

        def distance(state: State) -> int:
            return len(self._difference(Kind.STATE, 0, Asked(""), None, state, shown).changes())

        return min(states, key=distance, default=None)

    def broken(
        self, number: int, asked: Asked, state: State | None, error: Broke, since: tuple[Asked, ...] = ()
    ) -> Difference:
        return self._difference(error.kind, number, asked, state, None, None, error.message, since)

    def _difference(
        self,
        kind: Kind,
        number: int,
        asked: Asked,
        before: State | None,
        expected: State | None,
        shown: Mapping[str, Any] | None,
        message: str = "",
        since: tuple[Asked, ...] = (),
    ) -> Difference:
        return Difference(
            kind,
            number,
            asked,
            self.system.to_itf(before) if before is not None else None,
            self.abstraction.expected(expected) if expected is not None else None,
            self.abstraction.shown(shown) if shown is not None else None,
            message,
            since,
            self.system.fingerprint(before) if before is not None else None,
        )
