"""What is said of all names is said of few; hypotheses are found by what is false where a search without them ended."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest
import z3

from rmqproof.model.prove import ask
from rmqproof.model.prove.ask import Asker, Attempt, Extent, Naming
from rmqproof.model.prove.cores import Cores
from rmqproof.model.prove.decide import PROVED, prove_parts
from rmqproof.model.prove.grounded import Grounded
from rmqproof.model.prove.lemma_obligations import obligations_of
from rmqproof.model.prove.modules import ANY, Sizes, chosen, open_module, used_by
from rmqproof.model.prove.name_cases import cases_of
from rmqproof.model.prove.obligation import Selection
from rmqproof.model.prove.pieces import Axioms, Piece, Texts
from rmqproof.model.prove.subject import Subject
from rmqproof.model.prove.terms import subterms
from rmqproof.model.prove.theorems import lemmas_of
from rmqproof.model.tla.library import bundled
from tests.at_length import first
from tests.prove.test_cores import MODULE as LEASE
from tests.prove.test_named import (
    ATOM,
    FALSE,
    FIRST,
    HAS,
    IN,
    ITEM,
    ONE,
    OPEN,
    OTHER,
    SECOND,
    SET,
    TO,
    TRUE,
    VALUES,
    World,
    formula,
    proved,
)

ANYTHING = z3.Const("any!0", ATOM)
X, Y = z3.Consts("x y", ATOM)
N = z3.Const("n", ITEM)


def worlds(world: World, part: z3.ExprRef) -> Iterator[World]:
    """The world with each choice of what constants stand for that it does not know."""
    constants = [e for e in subterms([part]) if e.num_args() == 0 and z3.is_const(e) and not z3.is_bool(e)]
    unknown = [e for e in constants if e.decl().name() not in world.tables]
    for values in product(*(VALUES[e.sort()] for e in unknown)):
        chosen_ = {e.decl().name(): lambda value=value: value for e, value in zip(unknown, values, strict=True)}
        yield World(world.tables | chosen_)


@pytest.mark.parametrize("number", [ITEM, z3.IntSort()])
@pytest.mark.parametrize("least", [False, True])
def test_what_is_said_of_few_follows(number: z3.SortRef, least: bool) -> None:
    """Of a world where a formula is true, what is said of few is true if the constants for what there is are chosen."""
    draw, found = random.Random(7), 0
    for _ in range(30):
        tried = formula(draw, 2, [ONE, OTHER], [FIRST, SECOND])
        (said,) = Grounded(frozenset(), least=least, number=number).of([IN(ONE)], [tried], frozenset())
        if said.eq(tried) or len(str(said)) > 4_000:
            continue
        for _ in range(3):
            world = World.at_random(draw)
            if world.says(tried):
                assert any(one.says(said) for one in worlds(world, said)), tried
                found += 1
    assert found >= 12


def test_no_quantifier_over_names_is_left() -> None:
    each = z3.ForAll([X], z3.Exists([Y], z3.And(TO(X) == Y, z3.ForAll([N], HAS(Y, N)))))
    (said,) = Grounded(frozenset(), number=ITEM).of([IN(ONE), IN(OTHER)], [each], frozenset())
    quantifiers = [part for part in z3.And(said, True).children() if z3.is_quantifier(part)]
    assert not quantifiers and "forall ((x" not in said.sexpr() and "exists" not in said.sexpr()


def test_the_same_is_chosen_again() -> None:
    """Names come to an end although each question is made anew until none is added."""
    differ = z3.Not(z3.Store(SET, ONE, IN(OTHER)) == SET)
    names = Grounded(frozenset())
    first = names.of([IN(ONE)], [differ], frozenset())
    assert not names.has_too_many and len(names.all) == 2
    assert names.of([IN(ONE)], [differ], frozenset())[0].eq(first[0])


def test_a_number_that_depends_on_all_names() -> None:
    number, low, high = z3.Function("rank", ATOM, z3.IntSort()), z3.Int("low"), z3.Int("high")
    depends = number(ONE) == z3.If(z3.ForAll([X], IN(X)), low, high)
    said = Grounded(frozenset()).of([IN(ONE), IN(OTHER)], [depends], frozenset())
    solver = z3.Solver()
    solver.add(*said, z3.Not(IN(OTHER)), number(ONE) != high)
    assert solver.check() == z3.unsat and "forall" not in said[0].sexpr()


def test_cases_are_the_piece() -> None:
    """In each world a piece is true of every name if all cases are."""
    draw, found = random.Random(3), 0
    for _ in range(20):
        parts = [formula(draw, 1, [ANYTHING, ONE, OTHER], [FIRST, SECOND]) for _ in range(2)]
        piece = Piece((parts[0],), z3.Or(parts[1], z3.And(ANYTHING == ONE, IN(ONE)), OTHER == ANYTHING))
        cases = cases_of(piece, [ONE, OTHER])
        assert [len(case.apart) for case in cases] == [0, 0, 4]
        for _ in range(5):
            world = World.at_random(draw)
            of_all = [World(world.tables | {"any!0": lambda value=value: value}) for value in (0, 1)]
            whole = all(implied(one, piece, ()) for one in of_all)
            assert whole == all(implied(one, case.piece, case.apart) for one in of_all for case in cases)
            found += not whole
    assert found >= 5


def implied(world: World, piece: Piece, apart: tuple[z3.BoolRef, ...]) -> bool:
    premises = [world.says(part) for part in piece.premises] + [not world.says(equation) for equation in apart]
    return not all(premises) or bool(world.says(piece.conclusion))


def test_without_an_equation_there_is_one_case() -> None:
    assert len(cases_of(Piece((IN(ONE),), IN(ANYTHING)), [ONE])) == 1
    assert len(cases_of(Piece((), ANYTHING == ONE), [OTHER])) == 1


def test_how_many_elements_there_are_is_said_where_numbers_are_spoken_of() -> None:
    """Also where that names what nothing else names: whoever has acknowledged an offset that was chosen."""
    few, many = z3.Int("count!0"), z3.Int("count!1")
    of_choice, of_size, of_both = z3.Int("chosen!0") > 0, z3.Int("chosen!0") < few, few <= many
    axioms = Axioms([of_choice, of_size, of_both], Texts())
    assert axioms.needed([IN(ONE)]) == []
    assert set(axioms.needed([few > 3])) == {of_choice, of_size}
    assert set(axioms.needed([few > 3, many < 2])) == {of_choice, of_size, of_both}


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch) -> Callable[[Naming, bool], None]:
    """Let questions be asked in no other way."""

    def ways(naming: Naming, cases: bool) -> None:
        attempts = (Attempt(1, Extent.FALSE, named=naming), Attempt(1, Extent.FALSE, named=naming, cases=True))
        hopeless = Attempt(1e-6, Extent.ALL)
        monkeypatch.setattr(ask, "_OPEN_ATTEMPTS", (hopeless, *attempts[: 1 + cases]))

    return ways


@pytest.mark.parametrize("cases", first(1, [True, False]))
@pytest.mark.parametrize("naming", [Naming.GROUND, Naming.LEAST_GROUND])
def test_nothing_false_is_proved(
    only: Callable[[Naming, bool], None], naming: Naming, cases: bool, tmp_path: Path
) -> None:
    only(naming, cases)
    assert proved(tmp_path, FALSE + OPEN, 0.2) == []
    if naming is Naming.GROUND:
        assert len(proved(tmp_path, TRUE, 1)) >= 5


def test_hypotheses_are_found(only: Callable[[Naming, bool], None], tmp_path: Path) -> None:
    """Those of a step that a part needs, without a proof for few elements that shows which."""
    only(Naming.GROUND, True)
    path = tmp_path / "Lease.tla"
    path.write_text(LEASE)
    path.with_suffix(".cfg").write_text("SPECIFICATION Spec\nCONSTANT Node = {n1, n2, n3}\n")
    subject = open_module(path, path.with_suffix(".cfg"), Sizes(any=("Node",)))
    for lemma, verdicts in zip(lemmas_of(subject.model.specification), ({PROVED}, {PROVED, "unknown"}), strict=True):
        for obligation in obligations_of(subject, lemma, None):
            asker = Asker(obligation, 1.0)
            goals = [goal for goal in obligation.goals if not goal.places and goal.truth is not True]
            assert {PROVED if asker.follows(goal) else "unknown" for goal in goals} <= verdicts
    assert {part.verdict for part in prove_parts(subject, lemmas_of(subject.model.specification)[1], 0.5)} != {PROVED}


EXCEPT = """---- MODULE Kept ----
EXTENDS Integers
CONSTANT Node
VARIABLES of
Init == of = [n \\in Node |-> [log |-> <<1>>, end |-> 0, seen |-> {1}, owner |-> n]]
Next == \\E n \\in Node : of' = [of EXCEPT ![n].end = @ + 1, ![n].owner = of[n].owner]
Same(n) == of'[n].log = of[n].log /\\ of'[n].seen = of[n].seen /\\ of'[n].owner = of[n].owner
Spec == Init /\\ [][Next]_of
THEOREM Kept == ASSUME Next, NEW n \\in Node PROVE Same(n)
THEOREM End == ASSUME Next, NEW n \\in Node PROVE of'[n].end = of[n].end
====
"""


def test_what_a_step_leaves_alone_is_said_without_asking_of_which_name_it_is(tmp_path: Path) -> None:
    path = tmp_path / "Kept.tla"
    path.write_text(EXCEPT)
    path.with_suffix(".cfg").write_text("SPECIFICATION Spec\nCONSTANT Node = {n1, n2}\n")
    subject = open_module(path, path.with_suffix(".cfg"), Sizes(any=("Node",)))
    goals = {}
    for lemma in lemmas_of(subject.model.specification):
        (obligation,) = obligations_of(subject, lemma, None)
        goals[lemma.name] = obligation.goals[0].truth
    assert goals["Kept"] is True or "ite" not in goals["Kept"].sexpr()
    assert "ite" in goals["End"].sexpr()


def parts() -> Subject:
    return open_module(bundled("InductiveInvariant.tla"), sizes=Sizes(ANY))


RESISTED = [
    ("ProposeExpand(?, ?)", "DeposedAreHeldBack"),
    ("AcknowledgePut(?, ?)", "AckedAreFlushed"),
    ("AcknowledgePut(?, ?)", "AckedAreAtSources"),
    ("AcknowledgePut(?, ?)", "AckedAreReadable"),
    ("SlaveAppendsBatch(?)", "FilesLabel"),
    ("SlaveConnectsAndTruncates(?)", "FilesLabel"),
]


@pytest.mark.large
@pytest.mark.parametrize(("title", "part"), RESISTED)
def test_parts_that_resisted(title: str, part: str) -> None:
    subject = parts()
    (lemma,) = chosen(subject, ("InvIsInductive",))
    used = used_by(subject, lemma)
    cores = Cores(subject, lemma, used, 15.0)
    (obligation,) = obligations_of(subject, lemma, None, used, Selection(frozenset({title})))
    asker = Asker(obligation, 15.0, needed=cores.needed)
    if part == "FilesLabel":  # it rests on a lemma about the state after the step
        others = [goal for goal in obligation.goals if goal.name != part and not goal.places]
        asker.assume(others, [later.given for later in obligation.later])
    found = [asker.follows(goal) for goal in obligation.goals if goal.name == part and not goal.places]
    assert found and all(found)
