"""Model to implementation: every edge of the explored graph, performed.

The model is explored twice. First alone: that gives the number of edges that there are, and the arguments that occur.
Then level by level with the implementation: every state is expanded once, from the implementation's own snapshot of how
it first got there, so a difference is met on a shortest path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from time import monotonic
from typing import Protocol

from rmqproof.conformance.adapter import Answer
from rmqproof.conformance.difference import Asked, Difference, Kind
from rmqproof.conformance.domains import ActionDomains
from rmqproof.conformance.guard import AdapterFactory, Broke
from rmqproof.conformance.performer import Effort, Expansion, Performer, Reached, StoreKey, Tally, Task
from rmqproof.conformance.subject import ModelSubject
from rmqproof.conformance.team import Team
from rmqproof.model.evaluate.values import Value
from rmqproof.model.search.control import Control
from rmqproof.model.search.fingerprint_set import INITIAL, FingerprintSet
from rmqproof.model.search.result import Step
from rmqproof.model.search.system import State
from rmqproof.model.search.trace import behaviour_to
from rmqproof.model.search.workers import available_workers

_PROBES = 2_000
"""Edges after which to go on without a restore, where nothing else is said."""
_BLOCK = 20_000
"""States of a level whose tasks are handed out together."""


@dataclass(slots=True)
class Explored:
    """The model alone. `edges`: its steps by action, each way to take one; `whole`: nothing was left out; `problem`:
    what is wrong with it, as a sentence."""

    states: int = 0
    initial: int = 0
    edges: dict[str, int] = field(default_factory=dict)
    whole: bool = True
    problem: str = ""


@dataclass(slots=True)
class Conformance:
    """What came out. `states`: model states in which the implementation was; `depth` as in a check."""

    subject: ModelSubject
    model: Explored
    actions: tuple[str, ...]
    tally: Tally = field(default_factory=Tally)
    differences: list[Difference] = field(default_factory=list)
    states: int = 0
    expanded: int = 0
    depth: int = 0
    paths: int = 0
    path_steps: int = 0
    seconds: float = 0.0
    edge_seconds: float = 0.0
    """Without the whole paths."""
    workers: int = 1
    stopped: str = ""
    """Why the exploration is not whole: `interrupted`, `states`, `lost` (the implementation died or hung too often);
    empty when it is."""
    elided: Mapping[str, str] = field(default_factory=dict)
    """What the adapter leaves out, with the reasons."""
    cut: frozenset[str] = frozenset()
    """Actions of which only a sample of the arguments was asked for where the model does not allow them."""
    behaviours: dict[int, tuple[Step, ...]] = field(default_factory=dict)
    """The shortest path to the source of each difference, by the source's number."""
    twins: dict[int, tuple[Step, ...]] = field(default_factory=dict)
    """For a difference that depends on the path: one to the same model state after which all is well."""

    @property
    def edges(self) -> int:
        return sum(self.tally.edges.values())

    @property
    def problems(self) -> list[str]:
        """What makes this no success although no difference was found, as sentences."""
        found = []
        if not self.edges:
            found.append("No edge was performed, so nothing was compared.")
        elif not (self.differences or self.stopped or self.tally.left) and self.edges != sum(self.model.edges.values()):
            missing = sum(self.model.edges.values()) - self.edges
            found.append(f"{missing:,} edges were not performed, and nothing says why.")
        if self.model.problem:
            found.append(self.model.problem)
        for (action, reason), count in sorted(self.tally.left.items()):
            if not reason:
                found.append(f"{action} is UNSUPPORTED ({count:,} edges); give the reason in elided().")
        return found

    @property
    def conforms(self) -> bool:
        """No difference, everything accounted for, and the exploration was whole."""
        return not self.differences and not self.problems and not self.stopped

    def groups(self) -> list[tuple[Difference, int]]:
        """The differences that probably have one cause as one: the first met, and how many there are."""
        first: dict[tuple[str, str, str], Difference] = {}
        count: dict[tuple[str, str, str], int] = {}
        for difference in self.differences:
            first.setdefault(difference.group, difference)
            count[difference.group] = count.get(difference.group, 0) + 1
        return [(difference, count[group]) for group, difference in first.items()]


@dataclass(frozen=True, slots=True)
class Options:
    """How far and how hard. `workers` None: as many as there are processors, used for a level with so many states that
    they are `worth_sharing`. `paths`: whole paths from the start."""

    workers: int | None = None
    max_states: int | None = None
    effort: Effort = field(default_factory=Effort)
    paths: int = 200
    path_steps: int = 30
    most_differences: int = 2000
    worth_sharing: int = 150


class Sharers(Protocol):
    """Whoever expands the states of a level; the expansions come in the order of the tasks."""

    def run(self, tasks: Sequence[Task], tick: Callable[[], bool]) -> Iterator[Expansion]: ...

    def __exit__(self, *_: object) -> None: ...


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """An engine that has the model's graph already, and shares out the states to `workers` of its own.

    `notes`: the arguments that actions have in the graph, in the order in which they are met; `initial`: its initial
    states.
    """

    explored: Explored
    initial: Mapping[State, StoreKey]
    notes: Sequence[tuple[str, tuple[Value, ...]]]
    sharers: Callable[[Effort], Sharers]
    workers: int


Report = Callable[[str, int, int, float], None]
"""What is being done, how many of how many, edges a second."""


def conform(
    subject: ModelSubject,
    make_adapter: AdapterFactory,
    options: Options | None = None,
    control: Control | None = None,
    report: Report = lambda *_: None,
    elsewhere: Elsewhere | None = None,
) -> Conformance:
    """Hold an implementation to a model.

    Raise `AbstractionError` when the adapter does not account for everything, `TlaError` when the model is wrong.
    """
    options = options if options is not None else Options()
    return _Run(subject, make_adapter, options, control or Control(), report, elsewhere).run()


class _Run:
    def __init__(
        self,
        subject: ModelSubject,
        make_adapter: AdapterFactory,
        options: Options,
        control: Control,
        report: Report,
        elsewhere: Elsewhere | None = None,
    ) -> None:
        self.subject, self.make_adapter, self.options = subject, make_adapter, options
        self.control, self.report, self.elsewhere = control, report, elsewhere
        self.system = subject.system
        self.domains = ActionDomains(self.system, options.effort.most_arguments)
        self.seen = FingerprintSet()
        self.result = Conformance(subject, Explored(), self.domains.names)
        self.workers = available_workers() if options.workers is None else options.workers
        if elsewhere is not None:
            self.workers = elsewhere.workers
        self._started = self._said = monotonic()
        self._effort = options.effort
        self._lost = 0
        """How often the implementation died or hung."""

    def performer(self) -> Performer:
        return Performer(self.subject, self.make_adapter, self.domains, self._effort)

    def _resolved(self, edges: int) -> Effort:
        effort = self.options.effort
        return replace(effort, probes=max(1, edges // _PROBES)) if effort.probes is None else effort

    def run(self) -> Conformance:
        here = self.performer()  # before the exploration: what is wrong with an adapter is said at once
        try:
            return self._compare(here)
        finally:
            here.close()

    def _compare(self, here: Performer) -> Conformance:
        result = self.result
        result.elided = here.elided
        result.model = self._explore_model() if self.elsewhere is None else self._explored(self.elsewhere)
        result.actions = self.domains.names
        here.effort = self._effort = self._resolved(sum(result.model.edges.values()))
        self._started = monotonic()
        team: Sharers | None = None
        try:
            first = here.initial(self.elsewhere.initial if self.elsewhere is not None else None)
            self._take(first)
            if first.reached:
                broken = here.check_snapshots(first.reached[0])
                self._take(Expansion(differences=[broken] if broken is not None else []))
            level = self._new(first.reached, INITIAL)
            while level and not self._stop():
                result.depth += 1
                if team is None and self._is_shared(level):
                    team = self._team()
                    result.workers = self.workers
                level = self._level(here, team, level)
            result.edge_seconds = monotonic() - self._started
            if not self._stop():
                self._paths(here)
            if result.differences:
                self._look_again(here)
        finally:
            if team is not None:
                team.__exit__()
            result.seconds = monotonic() - self._started
        result.states = len(self.seen)
        result.cut = frozenset(self.domains.cut)
        for difference, _ in result.groups():
            if difference.source >= 0:
                result.behaviours[difference.source] = behaviour_to(self.system, self.seen, difference.source)
        return result

    def _is_shared(self, level: Sequence[Task]) -> bool:
        return self.elsewhere is not None or (self.workers > 1 and len(level) >= self.options.worth_sharing)

    def _team(self) -> Sharers:
        if self.elsewhere is not None:
            return self.elsewhere.sharers(self._effort)
        return Team(self.performer, self.workers)

    # --- the model alone -----------------------------------------------------------------------------------------

    def _explored(self, elsewhere: Elsewhere) -> Explored:
        for action, arguments in elsewhere.notes:
            self.domains.note(action, arguments)
        return elsewhere.explored

    def _explore_model(self) -> Explored:
        """Every state and edge of the model; the arguments that actions have are noted."""
        explored, system = Explored(), self.system
        noted: set[tuple[str, tuple[object, ...]]] = set()
        seen: set[int] = set()
        queue: list[State] = []
        for state in system.initial_states():
            explored.initial += 1
            if system.within(state) and system.fingerprint(state) not in seen:
                seen.add(system.fingerprint(state))
                queue.append(state)
        most = self.options.max_states
        number = -1
        while (number := number + 1) < len(queue):
            if self._stop() or (most is not None and number >= most):
                explored.whole = False
                break
            state = queue[number]
            queue[number] = None  # expanded: only its fingerprint is needed
            for action, arguments, target in system.successors(state):
                name = system.actions[action]
                explored.edges[name] = explored.edges.get(name, 0) + 1
                if (name, arguments) not in noted:
                    noted.add((name, arguments))
                    self.domains.note(name, arguments)
                if system.fingerprint(target) not in seen and system.within(target) and system.allowed(state, target):
                    seen.add(system.fingerprint(target))
                    queue.append(target)
            self._say("exploring the model", number, 0, sum(explored.edges.values()))
        explored.states = len(seen)
        return explored

    # --- the implementation --------------------------------------------------------------------------------------

    def _level(self, here: Performer, team: Sharers | None, level: list[Task]) -> list[Task]:
        """Expand the states of a level; those of the next one."""
        after: list[Task] = []
        for start in range(0, len(level), _BLOCK):
            tasks = level[start : start + _BLOCK]
            most = self.options.max_states
            if most is not None:
                tasks = tasks[: max(0, most - self.result.expanded)]
            expansions = team.run(tasks, self._tick) if team is not None else (here.expand(task) for task in tasks)
            for task, expansion in zip(tasks, expansions, strict=False):
                self._take(expansion)
                self.result.expanded += 1
                after += self._new(expansion.reached, task.number)
                if self._tick():
                    return []
            if len(tasks) < len(level[start : start + _BLOCK]):
                self.result.stopped = self.result.stopped or "states"
                return []
        return after

    def _new(self, reached: Sequence[Reached], parent: int) -> list[Task]:
        found: list[Task] = []
        for item in reached:
            if self.system.within(item.state) and self.seen.add(item.fingerprint, parent):
                found.append(Task(len(self.seen) - 1, item.state, item.snapshot, item.key))
        return found

    def _take(self, expansion: Expansion) -> None:
        result = self.result
        result.tally.add(expansion.tally)
        room = self.options.most_differences - len(result.differences)
        result.differences += expansion.differences[: max(0, room)]
        lost = sum(difference.kind in (Kind.DIED, Kind.HUNG) for difference in expansion.differences)
        self._lost += lost
        if self._lost >= self.options.effort.most_losses:
            result.stopped = result.stopped or "lost"

    def _stop(self) -> bool:
        if self.control.stopped is not None:
            self.result.stopped = "interrupted"
        return bool(self.result.stopped)

    def _tick(self) -> bool:
        self._say("performing", self.result.edges, sum(self.result.model.edges.values()), self.result.edges)
        return self._stop()

    def _say(self, what: str, done: int, all_: int, edges: int) -> None:
        now = monotonic()
        if now - self._said >= self.control.progress_seconds:
            self._said = now
            self.report(what, done, all_, edges / max(now - self._started, 1e-9))

    # --- whole paths ---------------------------------------------------------------------------------------------

    def _paths(self, here: Performer) -> None:
        """Paths from an initial state without a restore: random ones, and shortest ones to states far away."""
        result, options = self.result, self.options
        if not options.paths or not len(self.seen) or result.differences:
            return
        random = Random(f"{options.effort.seed}:paths")
        for number in range(options.paths):
            if self._stop() or here.lost:
                return
            if number % 2:
                target = random.randrange(len(self.seen) // 2, len(self.seen))
                steps: Sequence[Step] = behaviour_to(self.system, self.seen, target)
            else:
                steps = self._walk(random)
            self._path(here, steps, random)
            if not here.lost:
                here.check_account(last=number + 1 == options.paths)
            self._say("whole paths", number, options.paths, result.path_steps)

    def _walk(self, random: Random) -> list[Step]:
        states = [state for state in self.system.initial_states() if self.system.within(state)]
        state = random.choice(states)
        steps = [Step(None, (), state)]
        while len(steps) <= self.options.path_steps:
            choices = [
                t
                for t in self.system.successors(state)
                if self.system.within(t.state)
                and self.system.allowed(state, t.state)
                and self.result.tally.edges.get(self.system.actions[t.action])
            ]
            if not choices:
                break
            action, arguments, state = random.choice(choices)
            steps.append(Step(self.system.actions[action], arguments, state))
        return steps

    def _path(self, here: Performer, steps: Sequence[Step], random: Random) -> None:
        """Perform a path as a whole; the first difference."""
        failed, whole = self.replay(here, steps)
        if not whole:
            return
        self.result.paths += 1
        self.result.path_steps += len(steps) - 1
        if failed is not None:
            if failed.kind is Kind.STATE:
                return  # it took another of several allowed steps, which is its right
            self.result.differences.append(failed)
            return
        expansion = Expansion()
        difference = here.probe(-1, steps[-1].state, _asked(here, steps), random, expansion)
        self.result.tally.add(expansion.tally)
        if difference is not None:
            self.result.differences.append(difference)

    def replay(self, here: Performer, steps: Sequence[Step]) -> tuple[Difference | None, bool]:
        """Perform these steps from the initial state without a restore; how they end otherwise, if they do.

        False where the steps could not be taken for a reason that is no fault: UNSUPPORTED, or no such initial state.
        """
        try:
            start = next((index for index in range(here.initial_count) if self._starts(here, index, steps[0])), None)
        except Broke as error:
            return here.broken(-1, Asked("Init"), None, error), True
        if start is None:
            return None, False
        for position, step in enumerate(steps[1:], 1):
            assert step.action is not None
            asked = Asked(step.action, here.itf(step.arguments))
            since = _asked(here, steps[:position])
            before = steps[position - 1].state
            try:
                answer = here.adapter.perform(asked.action, asked.arguments)
                if answer is Answer.UNSUPPORTED:
                    return None, False
                shown = here.adapter.observe() if answer is Answer.PERFORMED else None
            except Broke as error:
                return here.broken(-1, asked, before, error, since), True
            if shown is None:
                return here._difference(Kind.PATH, -1, asked, before, step.state, None, "refused", since), True
            if not here.matches(step.state, shown):
                others = [
                    t.state
                    for t in self.system.successors(before)
                    if self.system.actions[t.action] == step.action and t.arguments == step.arguments
                ]
                kind = Kind.STATE if any(here.matches(other, shown) for other in others) else Kind.PATH
                return here._difference(kind, -1, asked, before, step.state, shown, "", since), True
        return None, True

    def _starts(self, here: Performer, index: int, step: Step) -> bool:
        here.adapter.initial(index)
        return here.matches(step.state, here.adapter.observe())

    def _look_again(self, here: Performer) -> None:
        """Whether what went wrong without a restore also goes wrong on the shortest path to the same state.

        If it does, it is no hidden state, and it was met from the snapshot too; if not, that path is shown beside.
        """
        result = self.result
        direct = {d.asked.action for d in result.differences if not d.since and d.kind not in (Kind.HIDDEN, Kind.PATH)}
        useless = any(d.kind is Kind.SNAPSHOT for d in result.differences)
        result.differences = [
            d
            for d in result.differences
            if not ((d.since or d.kind is Kind.HIDDEN) and (useless or d.asked.action in direct))
        ]
        numbers = {fingerprint: number for number, fingerprint in enumerate(self.seen.fingerprints)}
        for difference, _ in result.groups():
            number = numbers.get(difference.fingerprint or 0)
            if difference.kind not in (Kind.HIDDEN, Kind.PATH) or number is None:
                continue
            steps = behaviour_to(self.system, self.seen, number)
            after = next(
                (
                    Step(difference.asked.action, t.arguments, t.state)
                    for t in self.system.successors(steps[-1].state)
                    if self.system.actions[t.action] == difference.asked.action
                    and here.itf(t.arguments) == difference.asked.arguments
                ),
                None,
            )
            if after is not None and self.replay(here, (*steps, after)) == (None, True):
                result.twins[id(difference)] = steps


def _asked(here: Performer, steps: Sequence[Step]) -> tuple[Asked, ...]:
    return tuple(Asked(step.action, here.itf(step.arguments)) for step in steps if step.action is not None)
