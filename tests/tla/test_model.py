"""Models: constants, replacements, the parts of SPECIFICATION and of properties, and errors of a configuration."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.tla import core
from rmqproof.model.tla.model import load_model
from rmqproof.model.tla.source import TlaError

from .core_text import text
from .specs import config_refused, load, write

CLOCK = """
EXTENDS Naturals
CONSTANTS N, Extra
VARIABLES x, y
vars == <<x, y>>
Init == x = 0 /\\ y = Extra
Tick == x' = (x + 1) % N /\\ UNCHANGED y
Other == y' = x /\\ UNCHANGED x
Next == Tick \\/ Other
Fair == WF_vars(Tick)
Spec == Init /\\ [][Next]_vars /\\ Fair
\\* The hand stays on the dial.
TypeOK == x \\in 0..N-1
"""
CONSTANTS = "CONSTANTS N = 3 Extra = e\n"


def test_specification(tmp_path: Path) -> None:
    config = "\\* A small clock.\n\\* EXPECT success\n" + CONSTANTS + "SPECIFICATION Spec\nINVARIANT TypeOK\n"
    model = load(tmp_path, config, Clock=CLOCK)
    assert text(model.initial) == "Init" and text(model.next) == "Next"
    assert list(map(text, model.fairness)) == ["[Fairness WF vars Tick]"]
    (invariant,) = model.invariants
    assert (invariant.name, invariant.comment) == ("TypeOK", "The hand stays on the dial.")
    assert (model.description, model.expectation) == ("A small clock.", "success")
    assert model.check_deadlock and model.model_values == ("e",)
    assert [text(c.value) for c in model.specification.constants] == ["3", "`e`"]


def test_init_and_next(tmp_path: Path) -> None:
    config = CONSTANTS + "INIT Init NEXT Next CHECK_DEADLOCK FALSE VIEW x CONSTRAINT TypeOK ACTION_CONSTRAINT Tick"
    model = load(tmp_path, config, Clock=CLOCK)
    assert text(model.initial) == "Init" and text(model.next) == "Next" and model.fairness == ()
    assert not model.check_deadlock
    assert model.view is not None and text(model.view) == "x == %x"
    assert [d.name for d in (*model.constraints, *model.action_constraints)] == ["TypeOK", "Tick"]


_EACH = "[Quantified \\A <k in [SetEnumeration <1>]> [Fairness WF vars Tick]]"


@pytest.mark.parametrize(
    ("definitions", "initial", "step", "fairness"),
    [
        ("S == [][Next]_vars /\\ Init /\\ x = 0", "(/\\ Init (= %x 0))", "Next", []),
        ("S == Spec /\\ SF_vars(Other)", "Init", "Next", ["[Fairness WF vars Tick]", "[Fairness SF vars Other]"]),
        ("S == LET n == Next IN Init /\\ [][n]_vars", "[Let <n == Next> Init]", "[Let <n == Next> n]", []),
        ("Any(i, a) == i /\\ [][a]_vars\nS == Any(Init, Next)", "Init", "Next", []),
        ("By(k) == x = k /\\ [][x' = k]_x\nS == By(4)", "(= %x 4)", "(= (' %x) 4)", []),
        ("S == lab :: (Init /\\ [][Next]_vars)", "Init", "Next", []),
        ("S == Init /\\ [][Next]_vars /\\ \\A k \\in {1} : WF_vars(Tick)", "Init", "Next", [_EACH]),
        ("S == TRUE /\\ Init /\\ [][FALSE]_vars", "Init", "False", []),
    ],
)
def test_parts_of_a_specification(
    tmp_path: Path, definitions: str, initial: str, step: str, fairness: list[str]
) -> None:
    model = load(tmp_path, CONSTANTS + "SPECIFICATION S", Clock=CLOCK + definitions)
    assert text(model.initial) == initial
    assert text(model.next) == step
    assert list(map(text, model.fairness)) == fairness


def test_specification_through_an_instance(tmp_path: Path) -> None:
    model = load(
        tmp_path,
        "SPECIFICATION S\nPROPERTY Refines",
        Clock=CLOCK,
        Top="""
EXTENDS Naturals
VARIABLES h, m
At(k) == INSTANCE Clock WITH x <- h, y <- m, N <- k, Extra <- 0
S == At(12)!Spec
Refines == At(12)!Spec""",
    )
    # a definition whose arguments are constants is opened, so that its conjuncts can be told apart
    assert text(model.initial) == "(/\\ (= %h 0) (= %m 0))"
    assert text(model.next) == "At!Next(12)"
    (refinement,) = model.properties
    assert len(refinement.initial) == 1 and len(refinement.steps) == 1 and len(refinement.liveness) == 1
    assert text(refinement.steps[0]) == "[BoxAction At!Next(12) At!vars(12)]"


@pytest.mark.parametrize(
    ("formula", "counts"),
    [
        ("[](x = 1)", (0, 1, 0, 0)),
        ("x = 1", (1, 0, 0, 0)),
        ("[][x' > x]_x", (0, 0, 1, 0)),
        ("<>(x = 1)", (0, 0, 0, 1)),
        ("x = 0 ~> x = 1", (0, 0, 0, 1)),
        ("[]<>(x = 1) /\\ [](x < N)", (0, 1, 0, 1)),
        ("Spec", (1, 0, 1, 1)),
        ("TypeOK /\\ []TypeOK", (1, 1, 0, 0)),
        ("\\A k \\in {1, 2} : [](x # k) /\\ <>(x = k)", (0, 1, 0, 1)),
        ("\\A k \\in {1, 2} : [][x' # k]_x", (0, 0, 1, 0)),
        ("[](x = 1 => <>(x = 0))", (0, 0, 0, 1)),
        ("LET g == x = 1 IN []g /\\ [][x' # 1]_x", (0, 1, 1, 0)),
    ],
)
def test_parts_of_a_property(tmp_path: Path, formula: str, counts: tuple[int, int, int, int]) -> None:
    config = CONSTANTS + "SPECIFICATION Spec\nPROPERTY P"
    (found,) = load(tmp_path, config, Clock=CLOCK + f"P == {formula}").properties
    assert (len(found.initial), len(found.always), len(found.steps), len(found.liveness)) == counts
    assert found.name == "P"


def test_steps_under_a_quantifier(tmp_path: Path) -> None:
    config = CONSTANTS + "SPECIFICATION Spec\nPROPERTY P"
    model = load(tmp_path, config, Clock=CLOCK + "P == \\A k \\in {1, 2} : [][x' # k]_x")
    (step,) = model.properties[0].steps
    assert text(step) == (
        "[BoxAction [Quantified \\A <k in [SetEnumeration <1, 2>]> [BoxAction (# (' %x) k) %x]] "
        "[TupleExpression <%x, %y>]]"
    )


# --- replacements ----------------------------------------------------------------------------------------------------


def test_replaced_constants_and_definitions(tmp_path: Path) -> None:
    model = load(
        tmp_path,
        "CONSTANTS N <- Five Op <- Swap Old <- New Shown = 9 Nat <- Few\nINIT Init NEXT Next INVARIANT Old",
        A="EXTENDS Naturals\nCONSTANTS N, Op(_, _)\nVARIABLE x\nOld == x = N\nShown == 1\n"
        "Init == x = Op(1, N) /\\ Old /\\ x \\in Nat /\\ x = Shown\nNext == UNCHANGED x",
        B="EXTENDS A\nFive == 5\nSwap(a, b) == <<b, a>>\nNew == x = 7\nFew == 0..3",
    )
    assert model.initial is not None and isinstance(model.initial, core.Call)
    assert text(model.initial.definition.body) == "(/\\ (= %x Swap(1, Five)) New (\\in %x Few) (= %x 9))"
    (invariant,) = model.invariants
    assert text(invariant) == "Old == New"


def test_replacement_in_one_module(tmp_path: Path) -> None:
    def initial(config: str) -> str:
        model = load(
            tmp_path,
            config + " INIT Init NEXT Next",
            Inner="LOCAL INSTANCE Naturals\nVARIABLE v\nBig == Nat\nOk == v \\in Big",
            Top="EXTENDS Naturals\nVARIABLE v\nI == INSTANCE Inner\nSmall == {0}\nInit == I!Ok\nNext == v' \\in Nat",
        )
        assert isinstance(model.initial, core.Call) and isinstance(model.initial.definition.body, core.Call)
        ok = model.initial.definition.body.definition.body
        assert isinstance(ok, core.Builtin) and isinstance(ok.arguments[1], core.Call)
        inside = ok.arguments[1].definition
        assert isinstance(model.next, core.Call)
        return f"{text(inside)}; {text(model.next.definition.body)}"

    assert initial("") == "I!Big == (Nat); (\\in (' %v) (Nat))"
    # the root's name: whoever extends Naturals, not those who instantiate it locally
    assert initial("CONSTANT Nat <- Small") == "I!Big == (Nat); (\\in (' %v) Small)"
    assert initial("CONSTANT Big <- [Inner] Small") == "Small == [SetEnumeration <0>]; (\\in (' %v) (Nat))"
    # the name that the root has for it: not the module's own use
    assert initial("CONSTANT I!Big <- Small") == "I!Big == (Nat); (\\in (' %v) (Nat))"


def test_replacement_of_an_instance_s_definition(tmp_path: Path) -> None:
    model = load(
        tmp_path,
        "CONSTANT I!Base = 5 INIT Init NEXT Next",
        Inner="VARIABLE v\nBase == 1\nOwn == <<Base, v>>",
        Top="VARIABLE v\nI == INSTANCE Inner\nInit == v = <<I!Base, I!Own>>\nNext == v' = v",
    )
    assert isinstance(model.initial, core.Call)
    assert text(model.initial.definition.body) == "(= %v [TupleExpression <5, I!Own>])"


def test_values_of_constant_operators(tmp_path: Path) -> None:
    model = load(
        tmp_path,
        "CONSTANTS F(1) = 2 F(3) = a INIT Init NEXT Next",
        M="CONSTANT F(_)\nVARIABLE x\nInit == x = F(1)\nNext == x' = x",
    )
    assert isinstance(model.initial, core.Call)
    init = model.initial.definition.body
    assert isinstance(init, core.Builtin) and isinstance(init.arguments[1], core.Call)
    assert text(init.arguments[1]) == "F(1)"
    assert text(init.arguments[1].definition.body) == "[Case <<(/\\ (= _1 1)), 2>, <(/\\ (= _1 3)), `a`>> -]"


def test_unknown_settings_are_noted_only(tmp_path: Path) -> None:
    model = load(tmp_path, CONSTANTS + "CONSTANT Gone = 3 INIT Init NEXT Next", Clock=CLOCK)
    assert [name for name, _ in model.unknown_settings] == ["Gone"]


def test_the_same_setting_twice_does_no_harm(tmp_path: Path) -> None:
    twice = "CONSTANTS N = 3 Extra = {a, 1}\n" * 2
    assert load(tmp_path, twice + "INIT Init NEXT Next", Clock=CLOCK).model_values == ("a",)


def test_levels_are_those_of_the_text(tmp_path: Path) -> None:
    """What replaces a constant may prime variables, as long as nothing primes it."""
    modules = {
        "A": "CONSTANT Hash(_)\nVARIABLE x\nKept == x' = Hash(x)",
        "B": "VARIABLE x\nCONSTANT Hash(_)\nI == INSTANCE A\nASSUME Hash(1) = Hash(1)\n"
        "MyHash(a) == IF x' = a THEN 1 ELSE 2\nInit == x = 1\nNext == I!Kept",
    }
    model = load(tmp_path, "CONSTANT Hash <- MyHash INIT Init NEXT Next", **modules)
    assert text(model.next) == "Next"
    modules["B"] += "\nWrong == (x')'"
    with pytest.raises(TlaError) as caught:
        load(tmp_path, "CONSTANT Hash <- MyHash INIT Init NEXT Next", **modules)
    assert caught.value.kind == "parse" and "'" in caught.value.message


def test_without_behaviour(tmp_path: Path) -> None:
    model = load(tmp_path, "", M="EXTENDS Naturals\nASSUME 1 + 1 = 2")
    assert model.initial is None and model.next is None
    assert len(model.specification.assumptions) == 1


def test_without_configuration(tmp_path: Path) -> None:
    model = load_model(write(tmp_path, {"Clock": CLOCK}))
    assert model.initial is None and model.specification.constants[0].value is None


def test_search_path(tmp_path: Path) -> None:
    (tmp_path / "library").mkdir()
    write(tmp_path / "library", {"Util": "One == 1"})
    spec = write(tmp_path, {"M": "EXTENDS Util\nX == One"})
    assert "X" in load_model(spec, search_path=[tmp_path / "library"]).specification.definitions


# --- errors ----------------------------------------------------------------------------------------------------------


WRONG_MODULE = CLOCK + (
    "P(a) == a\nTwo == Spec /\\ [][Tick]_x\nAlways == Init /\\ [](x = 0) /\\ [][Next]_vars\n"
    "Bare == Init /\\ Tick\nHidden == \\EE h : Spec"
)


@pytest.mark.parametrize(
    ("config", "message", "remedy"),
    [
        ("INVARIANT TypeOk", "INVARIANTS names TypeOk, which module M does not define", "Did you mean TypeOK?"),
        ("SPECIFICATION Spek", "SPECIFICATION names Spek", "Did you mean Spec?"),
        ("SPECIFICATION Spec INIT Init", "INIT and SPECIFICATION are both given", "delete INIT"),
        ("INVARIANT P", "P has 1 parameter, and INVARIANTS names a formula", ""),
        (
            "SPECIFICATION Spec INVARIANT Tick",
            "Tick is an action (it has a prime), and an invariant is a state",
            "PROPERTY",
        ),
        ("SPECIFICATION Spec INVARIANT Spec", "Spec is a temporal formula, and an invariant", "PROPERTY"),
        ("SPECIFICATION Spec CONSTRAINT Tick", "Tick is an action (it has a prime), and a constraint", "ACTION_CONSTR"),
        ("INIT Tick NEXT Next", "Tick is an action (it has a prime), and the initial predicate", ""),
        ("INIT Init NEXT Spec", "Spec is a temporal formula, and the next-state action", ""),
        ("NEXT Next", "the configuration does not say where states start", "Add SPECIFICATION"),
        ("INIT Init INVARIANT TypeOK", "the configuration does not say how states step", "Add NEXT"),
        ("SPECIFICATION Two", "there is a second [][...]_v", ""),
        ("SPECIFICATION Always", "[] of a state formula", "invariant"),
        ("SPECIFICATION Bare", "an action is a conjunct of the specification", "[][A]_v"),
        ("SPECIFICATION Spec PROPERTY Tick", "a property is an action", "[][A]_v"),
        ("SPECIFICATION Hidden", "a specification with \\EE cannot be explored", ""),
    ],
)
def test_errors(tmp_path: Path, config: str, message: str, remedy: str) -> None:
    error = config_refused(tmp_path, CONSTANTS + config, M=WRONG_MODULE)
    assert message in error.message, error
    assert remedy in error.remedy, error


@pytest.mark.parametrize(
    ("config", "message", "remedy"),
    [
        ("INIT Init NEXT Next", "M.cfg: constants N, Extra have no value", "CONSTANT N = N"),
        ("CONSTANTS N = 1 Extre = 2", "constant Extra has no value", "gives a value to Extre"),
        ("CONSTANTS N = 1 N = 2", "N is given a meaning twice", "The first is at"),
        ("CONSTANTS N = 1 Extra <- Missing", "Missing is not defined in module M", ""),
        ("CONSTANTS N = 1 Extra = 2 x = 3", "x is a variable, and values are given to constants", ""),
        ("CONSTANTS N <- P Extra = 1", "N is a value, but P takes 1 argument", "as many parameters"),
        ("CONSTANTS N = 1 Extra = 2 P(1, 2) = 3", "P takes 1 argument, but P(…) takes 2 arguments", ""),
        ("CONSTANTS N = 1 Extra(1) = 2", "Extra is a value, but Extra(…) takes 1 argument", ""),
        ("CONSTANTS N = 1 Extra = 2 P <- [M] Tick", "P takes 1 argument, but Tick is a value", "as many parameters"),
        ("CONSTANTS N <- Tick Tick <- Other Extra = 1", "N is replaced by Tick, which is replaced itself", ""),
        ("CONSTANTS N = 1 Extra = 1 Unknown <- Tick", "Unknown is not defined in module M", ""),
        ("CONSTANTS N = 1 Extra = 1 Q <- [Nowhere] Tick", "does not use module Nowhere", ""),
        ("CONSTANTS N = 1 Extra = 1 Q <- [Naturals] Tick", "module Naturals defines no Q", ""),
    ],
)
def test_errors_of_constants(tmp_path: Path, config: str, message: str, remedy: str) -> None:
    error = config_refused(tmp_path, config, M=WRONG_MODULE)
    assert message in error.message, error
    assert remedy in error.remedy, error


def test_errors_of_the_specification_come_first(tmp_path: Path) -> None:
    with pytest.raises(TlaError) as caught:
        load(tmp_path, "SPECIFICATION Spek", M="CONSTANT N\nSpec == n")
    assert caught.value.kind == "parse" and caught.value.message == "n is not known here"


def test_a_missing_configuration(tmp_path: Path) -> None:
    with pytest.raises(TlaError) as caught:
        load_model(write(tmp_path, {"Clock": CLOCK}), tmp_path / "None.cfg")
    assert caught.value.kind == "system"
