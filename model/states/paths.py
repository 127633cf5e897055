"""Paths to stored states, and the graph around one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rmqproof.model.evaluate.itf import to_itf
from rmqproof.model.report.behaviour import Behaviour, Origin
from rmqproof.model.report.behaviour import Step as ShownStep
from rmqproof.model.report.state_graph import Edge, Graph
from rmqproof.model.search.spark.store import states_file
from rmqproof.model.search.system import State
from rmqproof.model.states.frames import edges
from rmqproof.model.states.looking import StoredState
from rmqproof.model.states.reading import Opened, Reader, reader_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def origin_of(opened: Opened, reader: Reader) -> Origin:
    manifest = opened.manifest
    return Origin(
        specification=f"{manifest.model['specification']}.tla",
        config=manifest.description,
        command=f"rmqproof states {opened.store.name}",
        tool=manifest.tool,
        model_values=frozenset(reader.system.model.model_values),
    )


def behaviour_to(opened: Opened, reached: StoredState) -> Behaviour:
    """The way by which the search found a state: a shortest one."""
    reader = reader_of(opened.reading)
    steps = opened.past(reader).behaviour(reached.level, reached.fingerprint)
    shown = tuple(
        ShownStep(index, step.action, tuple(map(to_itf, step.arguments)), reader.system.to_itf(step.state))
        for index, step in enumerate(steps)
    )
    return Behaviour(tuple(reader.system.variables), shown, None, "", "", origin_of(opened, reader))


def behaviour_at(opened: Opened, level: int, order: int) -> Behaviour:
    """The way to the state of a level with this order."""
    for owner in range(opened.manifest.partitions):
        table = opened.store.columns(states_file(level, owner), ["order", "fingerprint"])
        found = table.column("order").to_numpy().searchsorted(order)
        if found < len(table) and table.column("order")[int(found)].as_py() == order:
            fingerprint = table.column("fingerprint")[int(found)].as_py() % (1 << 64)
            return behaviour_to(opened, StoredState(level, order, fingerprint))
    raise opened.store.refuse(f"states/level={level:05}", f"it lacks the state with order {order}")


def neighbourhood(session: SparkSession, opened: Opened, reached: StoredState, radius: int, most: int) -> Graph:
    """The states at most `radius` steps before and after a state, as far as `most` of them."""
    reader = reader_of(opened.reading)
    past = opened.past(reader)
    way = past.behaviour(reached.level, reached.fingerprint)
    centre = way[-1].state
    around = _Around(reader, most)
    around.number(centre)
    for step in way[max(0, len(way) - 1 - radius) :]:
        around.number(step.state)
    if opened.manifest.edges:
        for before in _before(session, opened, reader, reached, radius):
            around.number(before)
    row = [centre]
    for _ in range(radius):
        row = [after for state in row for after in around.step(state)]
    around.close()
    system = reader.system
    return Graph(
        variables=tuple(system.variables),
        states=tuple(system.to_itf(state) for state in around.states),
        edges=tuple(around.edges),
        initial=frozenset({around.known[way[0].state]}) if way[0].state in around.known else frozenset(),
        violating=frozenset({0}),
        violated="the expression",
        origin=origin_of(opened, reader),
    )


class _Around:
    """States by number, and the steps between them."""

    def __init__(self, reader: Reader, most: int) -> None:
        self.system, self.most = reader.system, most
        self.states: list[State] = []
        self.known: dict[State, int] = {}
        self.edges: list[Edge] = []

    def number(self, state: State) -> bool:
        """Whether the state is new, and there was room for it."""
        if state in self.known or len(self.states) == self.most:
            return False
        self.known[state] = len(self.states)
        self.states.append(state)
        return True

    def step(self, state: State) -> list[State]:
        """The new states after one."""
        found = [step.state for step in self.system.successors(state) if self._inside(state, step.state)]
        return [after for after in found if self.number(after)]

    def close(self) -> None:
        """All the steps between the states that are known."""
        for before in self.states:
            for action, arguments, after in self.system.successors(before):
                if after in self.known and self._inside(before, after):
                    shown = tuple(map(to_itf, arguments))
                    self.edges.append(Edge(self.known[before], self.known[after], self.system.actions[action], shown))

    def _inside(self, before: State, after: State) -> bool:
        return self.system.within(after) and self.system.allowed(before, after)


def _before(session: SparkSession, opened: Opened, reader: Reader, reached: StoredState, radius: int) -> list[State]:
    """The states from which the state is reached in at most `radius` steps, by the stored edges."""
    frame = edges(session, opened)
    past = opened.past(reader)
    found: dict[int, int] = {}
    row = [_signed(reached.fingerprint)]
    for _ in range(radius):
        rows = frame.where(frame.target.isin(row)).select("source", "level").distinct().collect()
        row = [r.source for r in rows if r.source not in found]
        found.update((r.source, r.level) for r in rows)
    return [past.behaviour(level, source % (1 << 64))[-1].state for source, level in sorted(found.items())]


def _signed(fingerprint: int) -> int:
    return fingerprint - (1 << 64) if fingerprint >= 1 << 63 else fingerprint
