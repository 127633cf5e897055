"""A walk that is debugged: where it stands, what lies ahead of it, and how it goes on to what stops it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from rmqproof.model.debugger.stops import Stop
from rmqproof.model.explore.session import Session, Visit
from rmqproof.model.explore.space import Move, Space
from rmqproof.model.search.system import State
from rmqproof.model.tla.source import TlaError

MOST_SEARCHED = 1_000_000
"""States that going on looks at."""
VIOLATION, DEADLOCK, ERROR = "violation", "deadlock", "error"
"""What stops without a breakpoint, by the names of its filters."""


@dataclass(frozen=True)
class Reason:
    """Why it stopped: at breakpoints, or at something wrong (`wrong`: one of the filters, `name` what, `text` how)."""

    stops: tuple[Stop, ...] = ()
    wrong: str = ""
    name: str = ""
    text: str = ""

    @property
    def stopping(self) -> bool:
        return bool(self.wrong or self.stops)


@dataclass(frozen=True)
class Found:
    """What going on came to. `visits`: the steps to the place, None where there is none; `whole`: all was looked at."""

    visits: tuple[Visit, ...] | None
    reason: Reason = Reason()
    looked_at: int = 0
    whole: bool = False


@dataclass
class Walk:
    """`ahead`: steps that are known: those that were taken back, those of a trace. `told`: where log lines go."""

    session: Session
    told: Callable[[Stop, State | None, State], None] = lambda stop, before, after: None
    stops: list[Stop] = field(default_factory=list)
    filters: frozenset[str] = frozenset((VIOLATION, ERROR))
    ahead: list[Visit] = field(default_factory=list)
    reason: Reason = Reason()
    """Why it stands here."""

    @property
    def space(self) -> Space:
        return self.session.space

    @property
    def path(self) -> list[Visit]:
        return self.session.path

    # --- one step --------------------------------------------------------------------------------------------------

    def restart(self) -> None:
        """To the beginning; everything that was walked lies ahead."""
        self.ahead = [*self.path, *self.ahead]
        self.session.path = []
        self.reason = Reason()
        if self.ahead or len(self.space.initial.moves) == 1:
            self.forward()

    def back(self, steps: int = 1) -> None:
        """Take back steps, the initial state never."""
        kept = max(len(self.path) - steps, min(len(self.path), 1))
        self.ahead = [*self.path[kept:], *self.ahead]
        del self.path[kept:]
        self.reason = Reason()

    def forward(self) -> bool:
        """The next step that is known, else the first that is possible; False where there is none."""
        if self.ahead:
            self._enter(self.ahead.pop(0))
            return True
        moves = self.session.choices.moves
        if not moves:
            return False
        self.take(next((move for move in moves if not move.outside), moves[0]))
        return True

    def take(self, move: Move) -> None:
        """Make this step; what lay ahead is forgotten where it was another."""
        if self.ahead and self.ahead[0].state == move.state:
            self.ahead.pop(0)
        else:
            self.ahead.clear()
        self._enter(Visit(move, move.state))

    def moved(self, before: Sequence[Visit]) -> None:
        """The session was walked by somebody else, from where it was `before`."""
        known = len(self.path)
        if list(before[:known]) == self.path:
            self.ahead = [*before[known:], *self.ahead]
        else:
            self.ahead.clear()
        self.reason = Reason()

    def _enter(self, visit: Visit) -> None:
        before = self.path[-1].state if self.path else None
        self.path.append(visit)
        self.reason = self._met_and_stuck(before, visit.state)

    # --- what stops ------------------------------------------------------------------------------------------------

    def met(self, before: State | None, after: State) -> Reason:
        """What stops a walk at a step. Lines that a breakpoint logs are told."""
        try:
            found = []
            for stop in self.stops:
                if stop.hit(before, after):
                    if stop.log:
                        self.told(stop, before, after)
                    else:
                        found.append(stop)
            wrong = self._broken(before, after)
        except TlaError as error:
            return Reason(wrong=ERROR, name="evaluation", text=error.render())
        return Reason(tuple(found), *wrong)

    def stuck(self, state: State) -> Reason:
        """What stops a walk at a state because of the steps from it."""
        moves = self.space.moves(state)
        if moves.error is not None:
            return Reason(wrong=ERROR, name="Next", text=moves.error.render()) if ERROR in self.filters else Reason()
        if not moves.moves and DEADLOCK in self.filters:
            return Reason(wrong=DEADLOCK, name="deadlock", text="No step is possible here.")
        return Reason()

    def _met_and_stuck(self, before: State | None, after: State) -> Reason:
        reason = self.met(before, after)
        if reason.wrong:
            return reason
        stuck = self.stuck(after)
        return replace(stuck, stops=reason.stops) if stuck.wrong else reason

    def _broken(self, before: State | None, after: State) -> tuple[str, str, str]:
        for standing in self.space.properties(after, before) if VIOLATION in self.filters else ():
            if standing.holds is None:
                return ERROR, standing.name, standing.error
            if not standing.holds and not self._was_broken(standing.name, before):
                return VIOLATION, standing.name, standing.sentence or f"{standing.name} is false."
        return "", "", ""

    def _was_broken(self, name: str, before: State | None) -> bool:
        """Whether an invariant was false before the step already: going on from a violation is to come to another."""
        # a step from a state to itself breaks no property of steps
        standings = self.space.properties(before, before) if before is not None else ()
        return any(standing.name == name and standing.holds is False for standing in standings)

    # --- going on --------------------------------------------------------------------------------------------------

    def resume(self, ended: Callable[[], bool], most: int = MOST_SEARCHED) -> Found:
        """Go on: along what is known, to its end; then by the shortest way to a step that stops.

        `ended`: somebody wants it to stop. Where nothing stops the walk stays where it is.
        """
        while self.ahead and not ended():
            self._enter(self.ahead.pop(0))
            if self.reason.stopping or not self.ahead:
                return Found((), self.reason)
        found = _Search(self, ended, most).run()
        if found.visits is not None:
            self.path.extend(found.visits)
            self.reason = found.reason
        return found

    def reverse(self) -> None:
        """Back to the step before at which something stops, else to the first state."""
        while len(self.path) > 1:
            self.back()
            before = self.path[-2].state if len(self.path) > 1 else None
            self.reason = self.met(before, self.path[-1].state)
            if self.reason.stopping:
                return


class _Search:
    """Breadth-first from where a walk stands, for the nearest step that stops it."""

    def __init__(self, walk: Walk, ended: Callable[[], bool], most: int) -> None:
        self.walk, self.ended, self.most = walk, ended, most
        self.parents: dict[State, State | None] = {}

    def run(self) -> Found:
        walk = self.walk
        level: list[State] = []
        if walk.path:
            level = [walk.path[-1].state]
            self.parents[level[0]] = None
        else:
            for move in walk.space.initial.moves:
                reason = walk.met(None, move.state)
                if reason.stopping:
                    return Found((Visit(move, move.state),), reason, len(self.parents) + 1)
                self.parents.setdefault(move.state, None)
            level = list(self.parents)
        while level:
            following: list[State] = []
            for state in level:
                if self.ended() or len(self.parents) >= self.most:
                    return Found(None, looked_at=len(self.parents))
                found = self._from(state, following)
                if found is not None:
                    return found
            level = following
        return Found(None, looked_at=len(self.parents), whole=True)

    def _from(self, state: State, following: list[State]) -> Found | None:
        """Look at the steps of a state; note the states that are new."""
        system = self.walk.space.system
        possible = False
        try:
            for transition in system.successors(state):
                after, possible = transition.state, True
                new = after not in self.parents
                if not (new or self.walk.stops) or not (system.within(after) and system.allowed(state, after)):
                    continue
                reason = self.walk.met(state, after)
                if reason.stopping:
                    visits = (*self._way(state), _visit(self.walk.space, state, after, reason))
                    return Found(visits, reason, len(self.parents) + new)
                if new:
                    self.parents[after] = state
                    following.append(after)
        except TlaError:
            possible = False
        stuck = self.walk.stuck(state) if not possible and self.parents[state] is not None else Reason()
        return Found(tuple(self._way(state)), stuck, len(self.parents)) if stuck.stopping else None

    def _way(self, state: State) -> list[Visit]:
        """The steps from where the walk stands."""
        states = []
        reached: State | None = state
        while reached is not None:
            states.append(reached)
            reached = self.parents[reached]
        states.reverse()
        space = self.walk.space
        found = [_visit(space, before, after) for before, after in pairwise(states)]
        if not self.walk.path:
            first = next(move for move in space.initial.moves if move.state == states[0])
            found.insert(0, Visit(first, first.state))
        return found


def _visit(space: Space, before: State, after: State, reason: Reason = Reason()) -> Visit:
    """The step between two states, by an action in which the breakpoint stands where several lead there."""
    moves = [move for move in space.moves(before).moves if move.state == after]
    around = {name for stop in reason.stops for name in stop.around}
    return Visit(next((move for move in moves if move.action in around), moves[0]), after)
