"""Random typed expressions: compiled C against the Python engine, value by value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from rmqproof.model.evaluate.system import system_of
from rmqproof.model.native.engine import NativeModel, NativeSearch
from rmqproof.model.native.errors import NotCompilable
from rmqproof.model.tla import core
from rmqproof.model.tla.model import load_model
from rmqproof.model.tla.source import TlaError
from tests.evaluate.test_random_expressions import DECLARED as GIVEN
from tests.evaluate.test_random_expressions import Maker, careful_outcome, start
from tests.evaluate.trees import AT, binder, builtin, literal, model, reference
from tests.native.differential import FAST, native

RESULTS = ("which", "int", "bool", "set", "seq")
EXTRA = [core.Variable(name, AT, len(GIVEN) + i) for i, name in enumerate(RESULTS)]
DECLARED = [*GIVEN, *EXTRA]
REFERENCES = [core.VariableReference(AT, variable) for variable in DECLARED]
WHICH, OUT = REFERENCES[len(GIVEN)], dict(zip(RESULTS[1:], REFERENCES[len(GIVEN) + 1 :], strict=True))
EMPTY = {
    "int": literal(0),
    "bool": literal(False),
    "set": core.SetEnumeration(AT, ()),
    "seq": core.TupleExpression(AT, ()),
}
Case = tuple[str, core.Expression]


def asking(values: tuple[Any, ...], cases: list[Case]) -> core.Model:
    """A model with one step for each expression, which puts its value into the variable of its kind."""
    initial = builtin(
        "/\\",
        start(*values),
        builtin("\\in", WHICH, builtin("Integers!..", literal(1), literal(len(cases)))),
        *(builtin("=", OUT[kind], EMPTY[kind]) for kind in EMPTY),
    )
    steps = []
    for number, (kind, expression) in enumerate(cases, 1):
        kept = [name for name in REFERENCES if name not in (WHICH, OUT[kind])]
        steps.append(
            builtin(
                "/\\",
                builtin("=", WHICH, literal(number)),
                builtin("=", builtin("'", WHICH), literal(0)),
                builtin("=", builtin("'", OUT[kind]), expression),
                builtin("UNCHANGED", core.TupleExpression(AT, tuple(kept))),
            )
        )
    whole = model(DECLARED, initial, builtin("\\/", *steps))
    return core.Model(whole.specification, initial, whole.next, check_deadlock=False)


def answers(case: core.Model) -> set[tuple[Any, ...]] | None:
    """All states by the Python engine; None where it fails to evaluate."""
    system = system_of(case)
    found = set()
    try:
        for state in system.initial_states():
            found.add(system.values(state))
            found.update(system.values(step.state) for step in system.successors(state))
    except (TlaError, RecursionError):
        return None
    return found


def has_value(values: tuple[Any, ...], expression: core.Expression) -> bool:
    """Whether it has one when all of it is evaluated, as TLC and the compiled program do.

    The Python engine's fast code may see less: it is held to fail only where the careful code does.
    """
    system = system_of(model(GIVEN, start(*values)))
    (state,) = system.initial_states()
    return careful_outcome(system, expression, state) is not None


SMALL = st.integers(-1, 3)
VALUES = st.tuples(
    *(SMALL, st.lists(SMALL, max_size=3), st.lists(SMALL, max_size=3), SMALL),
    *(st.booleans(), st.lists(SMALL, min_size=2, max_size=2)),
)


@settings(max_examples=4, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(values=VALUES, data=st.data())
def test_values_agree(values: tuple[Any, ...], data: Any) -> None:
    draw = data.draw
    cases: list[Case] = []
    for _ in range(12):
        kind = draw(st.sampled_from(sorted(EMPTY)))
        cases.append((kind, Maker(draw).make(kind, draw(st.integers(1, 3)), {})))
    check_values(values, cases)


@settings(max_examples=4, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(values=VALUES, data=st.data())
def test_values_agree_in_nested_loops(values: tuple[Any, ...], data: Any) -> None:
    """What a loop does not change is computed once, and not before it is needed."""
    check_values(values, [("bool", Nester(data.draw).nested(data.draw(st.integers(2, 3)), {})) for _ in range(6)])


class Nester(Maker):
    """Draws loops in loops, with expressions that an outer loop, or none, changes; many of them may have no value."""

    def __init__(self, draw: Any) -> None:
        super().__init__(draw)
        self.outside: dict[str, list[core.Expression]] = {}
        """Expressions of outer names, to be used again inside."""

    def leaves(self, kind: str) -> list[Any]:
        outside = self.outside.get(kind, [])
        return [*super().leaves(kind), *(lambda e=e: e for e in outside for _ in range(3))]

    def set(self, depth: int, names: Any) -> list[Any]:
        """Without DOMAIN: of a function whose values cannot be computed the Python engine has one, unlike TLC."""
        return super().set(depth, names)[:-1]

    def nested(self, levels: int, names: dict[str, list[core.Binding]]) -> core.Expression:
        if levels == 0:
            return self.make("bool", 2, names)
        before = {kind: list(some) for kind, some in self.outside.items()}
        for kind in ("int", self.pick(["set", "seq", "bool", "int"])):
            self.outside.setdefault(kind, []).append(self.repeating(kind, names))
        bound, kind = self.fresh(), self.pick(["int", "int", "set"])
        domain = self.make("set", 1, names) if kind == "int" else self.subsets(names)
        inner = {**names, kind: [*names.get(kind, []), bound]}
        guard, body = self.make("bool", 1, inner), self.nested(levels - 1, inner)
        test = self.pick(
            [
                lambda: builtin("/\\", guard, body),
                lambda: builtin("\\/", guard, body),
                lambda: builtin("=>", guard, body),
                lambda: core.If(AT, guard, body, self.make("bool", 1, inner)),
                lambda: builtin("/\\", body, guard),
            ]
        )()
        loop = self.looped(binder(bound, domain), bound, kind, test, names)
        self.outside = before
        return loop

    def repeating(self, kind: str, names: Any) -> core.Expression:
        """An expression that a loop computes."""
        return self.pick(
            {
                "int": [
                    lambda: self.choose(1, names),
                    lambda: builtin("FiniteSets!Cardinality", self.make("set", 2, names)),
                    lambda: core.FunctionApplication(AT, self.make("seq", 2, names), self.choose(0, names)),
                ],
                "set": self.set(1, names)[1:3],
                "seq": self.seq(1, names)[1:2],
                "bool": self.bool(1, names)[:1],
            }[kind]
        )()

    def subsets(self, names: Any) -> core.Expression:
        chosen = self.fresh()
        inner = {**names, "set": [*names.get("set", []), chosen]}
        domain = builtin("SUBSET", self.make("set", 1, names))
        return core.SetFilter(AT, binder(chosen, domain), self.make("bool", 2, inner))

    def looped(
        self, over: core.Binder, bound: core.Binding, kind: str, test: core.Expression, names: Any
    ) -> core.Expression:
        quantified = [
            lambda: core.Quantified(AT, "\\A", (over,), test),
            lambda: core.Quantified(AT, "\\E", (over,), test),
        ]
        if kind == "set":
            return self.pick(quantified)()
        others = [
            lambda: builtin("=", core.SetFilter(AT, over, test), self.make("set", 1, names)),
            lambda: builtin("=", core.Choose(AT, over, test), self.make("int", 1, names)),
            lambda: builtin(
                "\\in",
                self.make("int", 0, names),
                core.SetMap(AT, core.If(AT, test, reference(bound), literal(1)), (over,)),
            ),
        ]
        return self.pick([*quantified, *others])()


def check_values(values: tuple[Any, ...], cases: list[Case]) -> None:
    """The compiled program has the Python engine's values, and fails where it fails."""
    good: list[Case] = []
    bad: list[Case] = []
    for case in cases:
        if answers(asking(values, [case])) is None:
            bad.append(case)
        elif has_value(values, case[1]):
            try:
                NativeModel(asking(values, [case]), False).generate()
            except NotCompilable:
                continue
            good.append(case)
    if good:
        together = asking(values, good)
        assert set(native(together).states) == answers(together)
    if bad:
        check_failure(asking(values, bad[:1]))


def check_failure(case: core.Model) -> None:
    """The compiled program fails where the Python engine fails, and the Python engine says how.

    Or it gives up, and Python takes over: what EXCEPT changes is converted before the new value fails, and may be of no
    type that the result can have.
    """
    compiled = NativeModel(case, False, flags=FAST)
    try:
        compiled.compile()
        result = NativeSearch(compiled, system_of(case), workers=1).run()
    except NotCompilable:
        return
    assert result.failure is not None


def check_failure_of(folder: Path, body: str) -> None:
    """Likewise, of a module with this text after its first lines."""
    (folder / "M.tla").write_text(f"---- MODULE M ----\nEXTENDS Integers, Sequences\n{body}====\n")
    (folder / "M.cfg").write_text("INIT Init\nNEXT Next\n")
    check_failure(load_model(folder / "M.tla", folder / "M.cfg"))


@pytest.mark.parametrize("range_", ["DOMAIN Tail(<<>>)", "1..1 \\div 0"])
def test_a_range_without_a_value(tmp_path: Path, range_: str) -> None:
    """TLC evaluates the range, whatever the function's values are; once the Python engine did not."""
    check_failure_of(
        tmp_path,
        "VARIABLES f, g\nInit == f = [u |-> -1, v |-> 1] /\\ g = TRUE\n"
        f'Next == UNCHANGED f /\\ g\' = (f \\in [{{"u", "v"}} -> {range_}])\n',
    )


@pytest.mark.parametrize("left", ["{}", "s \\ (0..3)", "DOMAIN q"])
@pytest.mark.parametrize("right", ["{<<Head(q), 1>>[2] : n \\in 0..0}", "{Head(q)}", "{n \\in {1} : n = Head(q)}"])
def test_a_superset_without_a_value(tmp_path: Path, left: str, right: str) -> None:
    """TLC evaluates the right side, also where nothing is asked of it; once machine code did not."""
    (tmp_path / "M.tla").write_text(
        "---- MODULE M ----\nEXTENDS Integers, Sequences\nVARIABLES s, q, b\n"
        "Init == s = {} /\\ q = <<>> /\\ b = FALSE\n"
        f"Next == UNCHANGED <<s, q>> /\\ b' = ({left} \\subseteq {right})\n====\n"
    )
    (tmp_path / "M.cfg").write_text("INIT Init\nNEXT Next\n")
    check_failure(load_model(tmp_path / "M.tla", tmp_path / "M.cfg"))
