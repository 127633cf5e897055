"""Random simulation: behaviours chosen at random, for state spaces too large to exhaust.

Each behaviour starts at an initial state and takes successors with equal chances, among those inside the constraints,
until it has `depth` states or has nowhere to go. The n-th behaviour of a seed is always the same one.

With equal chances, what can always happen (a heartbeat, a poll) crowds out what takes several rare steps in a row. In a
swarm each behaviour has likings of its own: every action a weight, by which the next action is chosen among those that
can be taken, then one of its successors with equal chances. Source: Holzmann, Joshi and Groce, *Swarm verification
techniques*, 2011.

A guided simulation remembers what its behaviours have met, and goes where they have not been (`Guide`): its n-th
behaviour depends on those before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from rmqproof.model.search.control import Control, Halted
from rmqproof.model.search.guide import Guide
from rmqproof.model.search.lengths import Lengths
from rmqproof.model.search.result import Failure, PropertyKind, Result, Step, Stopped, Verdict, Violation
from rmqproof.model.search.statistics import Counters
from rmqproof.model.search.system import Drawing, Observing, State, System, Transition

LIKINGS = (1, 8, 64)
"""Weights that an action has in a behaviour of a swarm."""
LOOK_AFTER = 1024
"""So many states are met before the simulation looks whether it is to stop."""


class _Ended(Exception):  # control flow, not an error
    def __init__(self, violation: Violation | None = None, failure: Failure | None = None) -> None:
        super().__init__()
        self.violation = violation
        self.failure = failure


class Simulation:
    """`behaviours` random behaviours of at most `depth` states each, with `swarm` one of a swarm each; `guided`: by
    what was covered before, and no more than are needed to meet every state. `told` is given each that violates
    nothing.

    `run` may be called once.
    """

    def __init__(
        self,
        system: System,
        *,
        behaviours: int,
        depth: int,
        seed: int,
        control: Control | None = None,
        engine: str = "python",
        swarm: bool = False,
        guided: bool = False,
        told: Callable[[Sequence[Step]], object] = lambda steps: None,
    ) -> None:
        self.system, self.told = system, told
        self._observing = system if isinstance(system, Observing) else None
        self._drawing = system if isinstance(system, Drawing) else None
        self.behaviours, self.depth, self.seed = behaviours, depth, seed
        self.control = control if control is not None else Control()
        self.engine = engine
        self.swarm = swarm
        self.guide = Guide(system.fingerprint) if guided else None
        self.counters = Counters.of(len(system.actions))
        self.done = 0
        self.longest = 0
        self.visited = 0
        self.lengths = self.control.lengths = Lengths()
        self._steps: list[Step] = []
        self._during = "initial states"

    def run(self) -> Result:
        """`Result.distinct` is the number of states visited, repeated ones included: nothing is remembered."""
        self.control.start()
        violation: Violation | None = None
        failure: Failure | None = None
        self.control.inside[0] = True  # nothing of a simulation is saved: it may end anywhere
        try:
            starts = self._initial_states()
            for number in range(self.behaviours if starts else 0):
                if self._should_stop():
                    break
                random = Random(f"{self.seed}:{number}")
                if self.guide is None:
                    self._behave(random, starts, self._likings(random))
                else:
                    begin = self.guide.start(random, starts)
                    if begin is None:
                        break
                    self._behave(random, [begin], [])
                    self.guide.end()
                self.done += 1
        except _Ended as ended:
            violation, failure = ended.violation, ended.failure
        except Halted:
            pass
        finally:
            self.control.inside[0] = False
        return self._result(violation, failure)

    def _initial_states(self) -> list[State]:
        """The initial states inside the constraints; all are checked."""
        inside: list[State] = []
        self._tell(0)
        try:
            for state in self.system.initial_states():
                self._steps = [Step(None, (), state)]
                self.counters.initial += 1
                self._check(PropertyKind.INVARIANT, state)
                self._check(PropertyKind.INITIAL, state)
                if self.system.within(state):
                    inside.append(state)
                self._during = "initial states"
                if not self.counters.initial % LOOK_AFTER and self._should_stop():
                    return []
        except _Ended:
            raise
        except Exception as error:
            raise _Ended(failure=Failure(error, self._during, tuple(self._steps))) from error
        return inside

    def _likings(self, random: Random) -> list[int]:
        """Of a behaviour of a swarm the weight of each action, of another behaviour nothing."""
        return [random.choice(LIKINGS) for _ in self.system.actions] if self.swarm else []

    def _behave(self, random: Random, starts: Sequence[State], likings: Sequence[int]) -> None:
        state = random.choice(starts)
        self._steps = [Step(None, (), state)]
        self.visited += 1
        try:
            while len(self._steps) < self.depth and not self._should_stop():
                chosen = self._choose(random, state, likings)
                if chosen is None:
                    break
                before, state = state, chosen.state
                self._steps.append(Step(self.system.actions[chosen.action], chosen.arguments, state))
                self.visited += 1
                self.counters.distinct[chosen.action] += 1
                self._check(PropertyKind.INVARIANT, state)
                for step in self.system.step_properties:
                    self._during = f"step property {step.name}"
                    if not step.holds(before, state):
                        raise _Ended(Violation(PropertyKind.STEP, step.name, step.sentence, tuple(self._steps)))
        except _Ended:
            raise
        except Exception as error:
            raise _Ended(failure=Failure(error, self._during, tuple(self._steps))) from error
        finally:
            self._behaved(len(self._steps))
        self.told(self._steps)

    def _behaved(self, length: int) -> None:
        self.longest = max(self.longest, length)
        self.lengths.add(length)

    def _choose(self, random: Random, state: State, likings: Sequence[int]) -> Transition | None:
        self._during = "successors"
        self._tell(len(self._steps))
        if self._drawing is not None:
            self._drawing.draw_anew(f"{self.seed}:{self.done}:{len(self._steps)}")
        successors = []
        for transition in self.system.successors(state):
            successors.append(transition)
            self.counters.reserve(len(self.system.actions))
            self.counters.generated[transition.action] += 1
            if not len(successors) % LOOK_AFTER and self._should_stop():
                return None
        for action in {transition.action for transition in successors}:
            self.counters.enabled[action] += 1
        if not successors and self.system.check_deadlock:
            raise _Ended(Violation(PropertyKind.DEADLOCK, "deadlock", "", tuple(self._steps)))
        self._during = "constraint"
        if self.system.has_constraints:
            allowed = [t for t in successors if self.system.within(t.state) and self.system.allowed(state, t.state)]
            self.counters.cut += len(successors) - len(allowed)
            successors = allowed
        if self.guide is not None:
            return self.guide.choose(random, state, successors)
        if likings and successors:
            liked = _liked(random, sorted({t.action for t in successors}), likings)
            successors = [t for t in successors if t.action == liked]
        return random.choice(successors) if successors else None

    def _tell(self, level: int) -> None:
        if self._observing is not None:
            left = self.behaviours - self.done
            self._observing.now(level, self.counters.total, self.visited, left, self.longest)

    def _check(self, kind: PropertyKind, state: State) -> None:
        properties = self.system.invariants if kind is PropertyKind.INVARIANT else self.system.initial_properties
        for prop in properties:
            self._during = f"{kind} {prop.name}"
            if not prop.holds(state):
                raise _Ended(Violation(kind, prop.name, prop.sentence, tuple(self._steps)))

    def _should_stop(self) -> bool:
        if self._observing is not None and self._observing.stops():
            self.control.stopped = self.control.stopped or Stopped.ASKED
        return self.control.should_stop(self.counters.total, self.visited, self.behaviours - self.done, self.longest)

    def _result(self, violation: Violation | None, failure: Failure | None) -> Result:
        stopped = self.control.stopped if violation is None and failure is None else None
        if violation is not None:
            verdict = violation.kind.verdict
            what = f"{violation.kind.capitalize()} {violation.name} is violated"
            message = f"{what} by behaviour {self.done} of seed {self.seed}."
        elif failure is not None or stopped is not None:
            verdict = Verdict.ERROR
            message = (
                str(failure.error) if failure is not None else f"Stopped ({stopped}) after {self.done} behaviours."
            )
        else:
            verdict = Verdict.SUCCESS
            message = (
                f"No violation in {self.done} random behaviours of at most {self.depth} states: nothing is proved."
            )
        return Result(
            verdict=verdict,
            distinct=self.visited,
            total=self.counters.total,
            depth=self.longest,
            seconds=self.control.seconds(),
            engine=self.engine,
            workers=1,
            message=message,
            initial=self.counters.initial,
            cut=self.counters.cut,
            violations=(violation,) if violation is not None else (),
            failure=failure,
            stopped=stopped,
            coverage=self.counters.coverage(self.system.actions),
            seed=self.seed,
            behaviours=self.done,
            lengths=self.lengths,
        )


def _liked(random: Random, actions: Sequence[int], likings: Sequence[int]) -> int:
    """One of the actions, by their weights."""
    drawn = random.randrange(sum(likings[action] for action in actions))
    for action in actions:
        drawn -= likings[action]
        if drawn < 0:
            return action
    raise AssertionError("a number below the sum of the weights is in one of them")
