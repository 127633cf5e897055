"""Bounded checking against the explicit search: the same verdict at the same depth."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.cli.commands.prove import command
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.prove.bounded import search_bounded
from rmqproof.model.prove.modules import open_module
from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.tla.library import bundled
from rmqproof.model.tla.source import TlaError
from tests.at_length import first

COUNTER = r"""---- MODULE Counter ----
EXTENDS Integers, Sequences, FiniteSets
VARIABLES x, log, seen
Init == x \in 0..1 /\ log = <<>> /\ seen = {}
Grow == x < 3 /\ x' = x + 1 /\ log' = Append(log, x) /\ UNCHANGED seen
See(i) == log[i] \notin seen /\ seen' = seen \cup {log[i]} /\ UNCHANGED <<x, log>>
Drop == Len(log) > 1 /\ log' = SelectSeq(log, LAMBDA y : y \notin seen) /\ x' = 0 /\ seen' = {}
Next == Grow \/ (\E i \in DOMAIN log : See(i)) \/ Drop
Bounded == Len(log) <= 3
Small == x < 3
FewSeen == Cardinality(seen) < 2
Never == x >= 0 /\ \A i \in DOMAIN log : log[i] < 3
Short == Len(log) < 3
NoOneSeen == 1 \notin seen
FirstSeen == \A i \in seen : i < 1
====
"""


def counter(folder: Path, invariant: str) -> tuple[Path, Path]:
    spec, config = folder / "Counter.tla", folder / "Counter.cfg"
    spec.write_text(COUNTER)
    config.write_text(f"INIT Init NEXT Next CONSTRAINT Bounded INVARIANT {invariant} CHECK_DEADLOCK FALSE")
    return spec, config


@pytest.mark.parametrize("invariant", ["Small", "FewSeen", "Short", "NoOneSeen", "FirstSeen", "Never"])
def test_agrees_with_the_search(tmp_path: Path, invariant: str) -> None:
    subject = open_module(*counter(tmp_path, invariant))
    explicit = BreadthFirst(system_of(subject.model), workers=1).run()
    found = search_bounded(subject, 4, 120)
    if invariant == "Never":
        assert (found.violated, found.steps) == ("", 4)
        return
    assert explicit.violation is not None
    assert found.violated == invariant
    assert len(found.path) == len(explicit.violation.behaviour)


GROWING = r"""---- MODULE Growing ----
EXTENDS Integers, Sequences, FiniteSets
VARIABLES x, log, seen
Init == x = 0 /\ log = <<0, 1>> /\ seen = {}
Double == x' = x + 1 /\ log' = log \o log /\ UNCHANGED seen
Add == x' = x + 1 /\ seen' = seen \cup {[at |-> x, of |-> i] : i \in 1..9} /\ UNCHANGED log
Rest == UNCHANGED <<x, log, seen>>
DoubleOrRest == Double \/ Rest
AddOrRest == Add \/ Rest
Guess == \E more \in Seq(Nat) : log' = more /\ UNCHANGED <<x, seen>>
Short == Len(log) < 40
Few == Cardinality(seen) < 20
Holds == x >= 0
====
"""


@pytest.mark.parametrize(
    ("action", "invariant"),
    [("DoubleOrRest", "Short"), ("DoubleOrRest", "Holds"), ("AddOrRest", "Few")],
)
def test_what_leaves_the_bounds_does_not_hold(tmp_path: Path, action: str, invariant: str) -> None:
    """A sequence that doubles, a set that grows faster than the search foresees: never silently no violation."""
    spec, config = tmp_path / "Growing.tla", tmp_path / "Growing.cfg"
    spec.write_text(GROWING)
    config.write_text(f"INIT Init NEXT {action} INVARIANT {invariant} CHECK_DEADLOCK FALSE")
    found = search_bounded(open_module(spec, config), 5, 60)
    assert found.violated == ""
    assert "outside of the bounds" in found.reason
    assert found.steps < 5


@pytest.mark.parametrize(("action", "invariant", "depth"), [("Double", "Short", 5), ("Add", "Few", 3)])
def test_a_path_without_choices_needs_no_bounds(tmp_path: Path, action: str, invariant: str, depth: int) -> None:
    spec, config = tmp_path / "Growing.tla", tmp_path / "Growing.cfg"
    spec.write_text(GROWING)
    config.write_text(f"INIT Init NEXT {action} INVARIANT {invariant} CHECK_DEADLOCK FALSE")
    found = search_bounded(open_module(spec, config), 5, 60)
    assert (found.violated, found.steps) == (invariant, depth)


def test_a_choice_of_any_length_is_refused(tmp_path: Path) -> None:
    spec, config = tmp_path / "Growing.tla", tmp_path / "Growing.cfg"
    spec.write_text(GROWING)
    config.write_text("INIT Init NEXT Guess INVARIANT Short CHECK_DEADLOCK FALSE")
    with pytest.raises(TlaError, match="a choice among all of"):
        search_bounded(open_module(spec, config), 2, 60)


@pytest.mark.parametrize(
    ("config", "depth"),
    first(1, [("TwoBrokersFirstElection.cfg", 1), ("Issue7017.cfg", None), ("CleaningKeepsDeadMaster.cfg", None)]),
)
def test_agrees_on_the_protocol(config: str, depth: int | None) -> None:
    """Violations at small depth, and none where the search finds none."""
    from rmqproof.model.checking.expectation import read_expectation

    path = bundled(config)
    expected = read_expectation(path.read_text(encoding="utf-8"))
    assert expected is not None
    name = path.stem if depth is None else "ControllerMode"
    subject = open_module(bundled(f"{name}.tla"), path)
    found = search_bounded(subject, depth if depth is not None else 2, 300)
    assert found.reason == ""
    assert found.violated == expected.name
    if depth is None:
        assert len(found.path) == dict(expected.counts)["depth"]


def test_needs_invariants(tmp_path: Path) -> None:
    spec, config = counter(tmp_path, "Small")
    config.write_text("INIT Init NEXT Next")
    with pytest.raises(TlaError, match="invariants"):
        search_bounded(open_module(spec, config), 1, 10)


LAPSES = r"""---- MODULE Lapses ----
EXTENDS Integers, Sequences
VARIABLES x, log
Init == x = 0 /\ log = <<>>
Grow == x < 4 /\ x' = x + 1 /\ log' = Append(log, x)
{rule}
Next == Grow \/ Rule
Holds == x >= 0
Asks == {asks}
====
"""
RULES = {
    "Rule == log[3] = 2 /\\ UNCHANGED <<x, log>>": 0,
    "Rule == x > 1 /\\ log[3] = 2 /\\ UNCHANGED <<x, log>>": 2,
    "Rule == x = 2 /\\ x' = log[3] /\\ UNCHANGED log": 2,
    "Rule == x = 1 /\\ x' = x /\\ log' = Tail(Tail(log))": 1,
    "Rule == \\E i \\in 1..x : x = 1 /\\ log[i + 1] = 0 /\\ UNCHANGED <<x, log>>": 1,
    "Rule == x = 2 /\\ x' = (CHOOSE i \\in DOMAIN log : log[i] = 7) /\\ UNCHANGED log": 2,
    "Rule == x = 1 /\\ (CASE x = 0 -> TRUE [] x = 2 -> TRUE) /\\ UNCHANGED <<x, log>>": 1,
    "Rule == 3 \\in DOMAIN log /\\ log[3] = 2 /\\ UNCHANGED <<x, log>>": None,
    "Rule == (x < 3 \\/ log[3] = 2) /\\ UNCHANGED <<x, log>>": 0,  # each is an alternative of the step
    "Either(y) == y < 3 \\/ log[3] = 2\nRule == Either(x) /\\ UNCHANGED <<x, log>>": 0,
    "Rule == (IF x < 3 THEN TRUE ELSE log[3] = 2) /\\ UNCHANGED <<x, log>>": None,
    "Rule == ((x < 3 \\/ log[3] = 2) = TRUE) /\\ UNCHANGED <<x, log>>": None,
}


@pytest.mark.parametrize(("rule", "asks", "depth"), [
    *((rule, "TRUE", depth) for rule, depth in RULES.items()),
    ("Rule == FALSE /\\ UNCHANGED <<x, log>>", "x # 2 \\/ log[3] = 0", 2),
    ("Rule == FALSE /\\ UNCHANGED <<x, log>>", "x < 3 \\/ log[3] = 2", None),
])  # fmt: skip
def test_what_has_no_value_is_said(tmp_path: Path, rule: str, asks: str, depth: int | None) -> None:
    """A guard, a new value, an invariant without a value: after so many steps, as where the explicit search ends."""
    spec, config = tmp_path / "Lapses.tla", tmp_path / "Lapses.cfg"
    spec.write_text(LAPSES.replace("{rule}", rule).replace("{asks}", asks))
    config.write_text("INIT Init NEXT Next INVARIANTS Holds Asks CHECK_DEADLOCK FALSE")
    subject = open_module(spec, config)
    found = search_bounded(subject, 4, 60)
    assert (found.reason, found.doubted) == ("", ())
    explicit = BreadthFirst(system_of(subject.model), workers=1).run()
    assert (explicit.failure is None) is (depth is None)
    assert (found.undefined is None) is (depth is None)
    if depth is None:
        assert found.steps == 4
    else:
        assert len(found.path) == depth + 1
        result = CliRunner().invoke(command, [str(spec), "--bounded", "4"])
        assert result.exit_code == 75, result.output
        assert f"after {depth} step" in result.output


@pytest.mark.parametrize(("property_", "violated", "steps"), [("Never", "Never", 1), ("Always", "", 3)])
def test_a_prime_reaches_what_arguments_read(tmp_path: Path, property_: str, violated: str, steps: int) -> None:
    config = tmp_path / "PrimedParts.cfg"
    config.write_text(f"INIT Init NEXT Plain PROPERTY {property_}")
    found = search_bounded(open_module(Path(__file__).parents[1] / "native/specs/PrimedParts.tla", config), 3, 60)
    assert (found.violated, found.steps, found.reason) == (violated, steps, "")
