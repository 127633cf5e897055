"""What `model.actions.footprint` says two steps have not in common commutes, in every state of small specifications."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from rmqproof.model.actions.access_paths import AccessPath, Argument, Field, Key, Known, Unknown, Whose, may_overlap
from rmqproof.model.actions.footprint import Footprint, footprints
from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.tla.core import Model
from tests.tla.specs import load

QUEUES = r"""
EXTENDS Naturals, Sequences, FiniteSets
CONSTANTS Node, Nobody, Fine
VARIABLES log, next, mail, ghost

vars == <<log, next, mail, ghost>>
Half(d) == [d EXCEPT !.end = IF Fine THEN @ + 1 ELSE @]
Longer(d, x) == IF Len(d.items) < 1 THEN Append(d.items, x) ELSE d.items
Without(gone, left) == [n \in Node |-> IF n \in left \/ (next[n] \in gone /\ Fine) THEN Nobody ELSE next[n]]
Pointed(n) == { m \in Node : next[m] = n }
Apply(F(_), x) == F(x)

Write(n)   == /\ log[n].end < 1
              /\ LET d == log[n]
                     with == Half(d)
                 IN log' = [log EXCEPT ![n] = [with EXCEPT !.items = Longer(d, 0)]]
              /\ ghost' = [ghost EXCEPT !.written = @ \cup { m \in Node : log[m].end > 0 }]
              /\ UNCHANGED <<next, mail>>
Point(n, m) == next[n] = Nobody /\ n # m /\ next' = [next EXCEPT ![n] = m] /\ UNCHANGED <<log, mail, ghost>>
Leave(n)   == next' = Without({n}, {n}) /\ UNCHANGED <<log, mail, ghost>>
Copy(n)    == LET from == next[n] IN
              /\ from # Nobody
              /\ Apply(LAMBDA x : log[x].end, from) > log[n].end
              /\ log' = [log EXCEPT ![n].end = log[from].end]
              /\ UNCHANGED <<next, mail, ghost>>
Send(n)    == mail' = mail \cup {[from |-> n, size |-> Len(log[n].items)]} /\ UNCHANGED <<log, next, ghost>>
Receive(r) == log[r.from].end > 0 /\ mail' = mail \ {r} /\ UNCHANGED <<log, next>> /\ UNCHANGED ghost
Judge      == /\ \E n \in Node : Cardinality(Pointed(n)) > 1
              /\ ghost' = [ghost EXCEPT !.seen = TRUE]
              /\ UNCHANGED <<log, next, mail>>

Init == /\ log = [n \in Node |-> [items |-> <<>>, end |-> 0]] /\ next = [n \in Node |-> Nobody] /\ mail = {}
        /\ ghost = [written |-> {}, seen |-> FALSE]
Next == \/ \E n \in Node : Write(n) \/ Leave(n) \/ Copy(n)
        \/ \E n, m \in Node : Point(n, m)
        \/ \E n \in Node : Send(n)
        \/ \E r \in mail : Receive(r)
        \/ Judge
"""
CONFIG = "CONSTANTS Node = {n1, n2} Nobody = Nobody Fine = %s\nINIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n"


@pytest.fixture(params=["TRUE", "FALSE"])
def model(request: pytest.FixtureRequest, tmp_path: Path) -> Model:
    return load(tmp_path, CONFIG % request.param, Queues=QUEUES)


def of(model: Model) -> Mapping[str, Footprint]:
    assert model.next is not None
    return footprints(model.next, model.specification.variables)


def shown(key: Key) -> str:
    match key:
        case Argument(position=position):
            return f"${position}"
        case Field(of=record, name=name):
            return f"{shown(record)}.{name}"
        case Known(value=value):
            return str(value)
        case Whose(variable=variable, value=value):
            return f"{variable}=>{shown(value)}"
        case Unknown():
            return "*"
    return ".".join([key.variable, *map(shown, key.path)])


def texts(accesses: frozenset[AccessPath]) -> set[str]:
    return {shown(access) for access in accesses}


def test_places_are_told_apart_by_arguments_fields_and_values(tmp_path: Path) -> None:
    found = of(load(tmp_path, CONFIG % "TRUE", Queues=QUEUES))
    assert texts(found["Write"].writes) == {"log.$0.end", "log.$0.items"}
    assert texts(found["Write"].reads) == {"log.$0.end", "log.$0.items"}, "what only a ghost is made of is no read"
    assert texts(found["Copy"].reads) == {"next.$0", "log.$0.end", "log.next.$0.end"}
    assert texts(found["Copy"].writes) == {"log.$0.end"}
    assert texts(found["Leave"].writes) == {"next.$0", "next.next=>$0"}
    assert texts(found["Point"].reads) == {"next.$0"}
    assert texts(found["Receive"].reads) == {"log.$0.from.end", "mail"}


def test_what_the_constants_close_is_not_looked_at(tmp_path: Path) -> None:
    found = of(load(tmp_path, CONFIG % "FALSE", Queues=QUEUES))
    assert texts(found["Leave"].writes) == {"next.$0"} and texts(found["Leave"].reads) == set()
    assert texts(found["Write"].writes) == {"log.$0.items"}


@pytest.mark.parametrize("again", ["x' = y", "x' \\in {y}", "UNCHANGED x", "x' > y"])
def test_a_variable_that_has_its_value_already_is_tested(again: str, tmp_path: Path) -> None:
    body = f"EXTENDS Naturals\nVARIABLES x, y\nA == x' = 1 /\\ UNCHANGED y /\\ {again}\nB == y' = 1 /\\ UNCHANGED x\n"
    body += "Init == x = 0 /\\ y = 0\nNext == A \\/ B\n"
    found = of(load(tmp_path, "INIT Init\nNEXT Next\n", Again=body))
    assert texts(found["A"].writes) == {"x"} and texts(found["A"].reads) >= {"x"}
    assert again == "UNCHANGED x" or texts(found["A"].reads) == {"x", "y"}


@pytest.mark.parametrize(
    "next_step",
    [r"x' = 1 /\ A", r"LET F == [b \in BOOLEAN |-> x' = 1] IN F[TRUE]", r"<<A>>_x", r"A \cdot A"],
)
def test_of_an_action_that_is_not_understood_nothing_is_said(next_step: str, tmp_path: Path) -> None:
    body = f"EXTENDS Naturals\nVARIABLE x\nA == x' = 1\nB == {next_step}\nInit == x = 0\n"
    body += "Next == A \\/ B \\/ (x = 0 /\\ A)\n"
    found = of(load(tmp_path, "INIT Init\nNEXT Next\n", Odd=body))
    assert "B" not in found or texts(found["B"].reads) >= {"x"}
    assert "A" not in found, "it also stands in a conjunction of Next, which may ask for more"


# --- what is said to commute does ------------------------------------------------------------------------------------


def conflict(one: list[AccessPath], other: list[AccessPath]) -> bool:
    return any(may_overlap(a, b) for a in one for b in other)


def with_values(
    accesses: frozenset[AccessPath], arguments: tuple[Any, ...], state: Mapping[str, Any]
) -> list[AccessPath]:
    """The accesses of a step: arguments and what stands in the state have values, `Whose` is any key."""

    def value(key: Key) -> Key:
        match key:
            case Argument(position=position):
                return Known(str(arguments[position]))
            case Field(of=Argument(position=position), name=name):
                return Known(str(dict(arguments[position].items())[name]))
            case AccessPath(variable=variable, path=(inner,)):
                found = value(inner)
                by_name = {str(name): inside for name, inside in state[variable].items()}
                return Known(str(by_name[str(found.value)])) if isinstance(found, Known) else Unknown()
            case Known() | Unknown():
                return key
        return Unknown()

    return [AccessPath(access.variable, tuple(map(value, access.path))) for access in accesses]


def steps_of(system: PythonSystem, state: Any) -> dict[Any, Any]:
    return {(system.actions[a], arguments): target for a, arguments, target in system.successors(state)}


def states_of(system: PythonSystem, most: int) -> Iterator[Any]:
    seen = set(system.initial_states())
    waiting = list(seen)
    while waiting and most:
        state = waiting.pop(0)
        yield state
        most -= 1
        for target in steps_of(system, state).values():
            if target not in seen:
                seen.add(target)
                waiting.append(target)


def test_steps_without_a_place_in_common_commute(model: Model) -> None:
    system, found = PythonSystem(model), of(model)
    pairs, ghost = 0, system.variables.index("ghost")
    for state in states_of(system, 400):
        now = dict(zip(system.variables, state, strict=False))
        enabled = steps_of(system, state)
        touched = {
            step: (with_values(found[step[0]].reads, step[1], now), with_values(found[step[0]].writes, step[1], now))
            for step in enabled
        }
        for one, after in enabled.items():
            there = steps_of(system, after)
            reads, writes = touched[one]
            for other in enabled:
                its_reads, its_writes = touched[other]
                if one == other or conflict(writes, its_reads + its_writes) or conflict(reads, its_writes):
                    continue
                pairs += 1
                assert other in there, (one, other)
                back = steps_of(system, enabled[other])
                assert one in back and there[other][:ghost] == back[one][:ghost], (one, other)
    assert pairs > 1_000
