"""Invariants of some variables: asked once for the values of these, and of every state where that does not pay."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.evaluate.verdicts import memoised_test
from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.result import Verdict
from rmqproof.model.search.system import State
from rmqproof.model.tla.core import Expression, Model
from tests.evaluate.explore import explore, written

BODY = """EXTENDS Naturals, TLC
VARIABLES x, y, z
Init == x = 0 /\\ y = 0 /\\ z = 0
Next == /\\ \\E v \\in {x, x + 1} : v < 5 /\\ x' = v
        /\\ \\E v \\in {y, y + 1} : v < 5 /\\ y' = v
        /\\ z' \\in 0..1
Inv == \\A i \\in 0..x : i < BOUND
Impure == \\A i \\in 0..x : TLCGet("distinct") >= 0
All == \\A i \\in 0..x : i + y + z < 20
Plain == x < 9
"""


class Counting(PythonSystem):
    """Keeps what tests of states are asked of; the test of an invariant calls no other."""

    def __init__(self, model: Model) -> None:
        self.asked: list[object] = []
        super().__init__(model)

    def state_condition(self, node: Expression) -> Callable[[State], bool]:
        test = super().state_condition(node)
        return lambda state: self.asked.append(state) or test(state)


@pytest.mark.parametrize(("name", "times"), [("Inv", 5), ("Impure", 50), ("All", 50), ("Plain", 50)])
def test_an_invariant_is_asked_once_for_the_values_that_it_reads(tmp_path: Path, name: str, times: int) -> None:
    body = BODY.replace("BOUND", "9")
    config = f"INIT Init\nNEXT Next\nINVARIANT {name}\nCHECK_DEADLOCK FALSE\n"
    system = Counting(written(tmp_path, body, config).model)
    assert explore(system).distinct == 50
    assert len(system.asked) == times


def test_what_does_not_hold_is_found(tmp_path: Path) -> None:
    system = written(tmp_path, BODY.replace("BOUND", "3"), "INIT Init\nNEXT Next\nINVARIANT Inv\n")
    result = BreadthFirst(system, workers=1).run()
    assert result.verdict is Verdict.SAFETY and result.violations[0].depth == 4


def test_nothing_is_remembered_where_it_does_not_pay() -> None:
    asked: list[object] = []
    holds = memoised_test(lambda state: asked.append(state) is None, [0], window=10)
    for _ in range(2):
        assert all(holds((number, 0)) for number in range(20))
    assert len(asked) == 40
    assert all(holds((1, 0)) for _ in range(5)) and len(asked) == 45


def test_only_what_holds_is_remembered() -> None:
    asked: list[int] = []
    holds = memoised_test(lambda state: asked.append(state[1]) or state[1] > 0, [1, 2], most=2)
    assert [holds(("a", n, 0)) for n in (0, 0, 1, 1, 2, 3, 1)] == [False, False, True, True, True, True, True]
    assert asked == [0, 0, 1, 2, 3, 1]
