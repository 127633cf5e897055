"""The generator draws the whole language, and the same for the same seed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from rmqproof.model.tla.resolve.name_table import hashed
from tools.fuzz.campaign import Plan, examine
from tools.fuzz.generate import generate
from tools.fuzz.naming import TABLES, apart, is_apart
from tools.fuzz.shrink import shrunk
from tools.fuzz.specification import Role, Specification
from tools.fuzz.types import Name

MANY = range(3_000, 3_400)


def whole(spec: Specification) -> str:
    return "\n".join(spec.files().values())


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return [whole(generate(seed)) for seed in MANY]


def test_a_seed_is_a_specification() -> None:
    assert whole(generate(7)) == whole(generate(7)) != whole(generate(8))


FORMS = r"""
SUBSET UNION \cup \cap \subseteq \notin \X DOMAIN EXCEPT @ CHOOSE LET RECURSIVE LAMBDA CASE OTHER INSTANCE WITH :> @@
Append Head Tail SubSeq SelectSeq \o Len Cardinality SetToBag BagToSet CopiesIn (+) (-) \sqsubseteq \div % * ^ 1000000
(-7) => <=> \A \E << UNCHANGED ' [][ WF_ SF_ []<> <>[] ~> VIEW SYMMETRY Permutations CONSTRAINT IF ACTION_CONSTRAINT
INVARIANT PROPERTY SPECIFICATION INIT CHECK_DEADLOCK MODULE EXTENDS BOOLEAN BagUnion BagOfAll IsABag Nat Seq( STRING
)! T_ ^^ shiftR & Bitwise TLCGet("level") PrintT( Print( ALIAS
"""


@pytest.mark.parametrize("form", FORMS.split())
def test_it_draws(form: str, texts: list[str]) -> None:
    assert sum(form in text for text in texts) >= 3


BESIDE = """
SYMMETRY VIEW
SYMMETRY CONSTRAINT ACTION_CONSTRAINT
SYMMETRY VIEW CONSTRAINT
SYMMETRY VIEW ALIAS
SYMMETRY []<>
SYMMETRY VIEW WF_
VIEW WF_
"""


@pytest.mark.parametrize("together", BESIDE.strip().splitlines())
def test_it_draws_together(together: str, texts: list[str]) -> None:
    """What restricts a search is mistaken where it meets something else."""
    assert any(all(word in text for word in together.split()) for text in texts)


def test_model_values_are_exchanged_in_many_ways() -> None:
    """More than 24 permutations, from where on they are not listed; of several sets; of one that is a part."""
    specs = [spec for spec in map(generate, MANY) if spec.with_role(Role.SYMMETRY)]
    counts = {sum(name.kind == "model value" for name in spec.all_names()) for spec in specs}
    assert counts >= {2, 3, 4, 5, 6}
    drawn = ["".join(str(part) for part in spec.with_role(Role.SYMMETRY)[0].body.parts) for spec in specs]
    for form in (" \\cup ", "Permutations(", "{"):
        assert sum(form in text for text in drawn) >= 3
    assert len(specs) > len(MANY) / 5


def test_variables_are_written_in_the_order_in_which_tlc_has_them() -> None:
    assert [hashed(word) for word in ("ab", "leader", "zzzzzzzz")] == [3105, 1040729353, 237460736]  # Java says
    specs = [spec for spec in map(generate, MANY) if spec.with_role(Role.SYMMETRY) and spec.with_role(Role.VIEW)]
    assert len(specs) > 20
    for spec in specs:
        words = [spec.words[name] for name in spec.main.variables]
        for size in TABLES:
            assert words == sorted(words, key=lambda word: hashed(word) % size)


def test_names_mean_nothing() -> None:
    """Some specifications have names that are used once each; all of those names can be others."""
    specs = [spec for spec in map(generate, range(20)) if is_apart(spec)]
    assert specs
    for spec in specs:
        names = apart(spec, Random(1_000))  # no seed of theirs
        assert len(set(names.values())) == len(names) == len(spec.words)
        assert whole(spec) != "\n".join(spec.files(names).values())


def test_some_names_mean_two_things() -> None:
    """A string is called as a variable, say: the order of strings is that in which TLC reads any word."""
    specs = [spec for spec in map(generate, range(40)) if not is_apart(spec)]
    assert any(len(set(spec.words.values())) < len(spec.words) for spec in specs)


def test_what_shows_is_kept_and_the_rest_goes() -> None:
    seed = next(seed for seed in MANY if "CHOOSE" in whole(generate(seed)))
    small = shrunk(generate(seed), lambda spec: "CHOOSE" in whole(spec), attempts=3000)
    assert "CHOOSE" in whole(small)
    assert len(whole(small)) < len(whole(generate(seed))) / 2


def test_some_definitions_are_replaced(texts: list[str]) -> None:
    """By the configuration: by what they were, or in one module only by another value."""
    assert sum(" <- " in text.rpartition("CONSTANTS\n")[2] for text in texts) >= 30
    assert sum(" <- [" in text.rpartition("CONSTANTS\n")[2] for text in texts) >= 3


def test_what_is_replaced_means_what_it_meant(tmp_path: Path) -> None:
    plan = Plan(("python", "reference"), (("renamed", 0.0), ("permuted", 0.0)))
    asked = 0
    for seed in range(900_000, 900_200):
        if " <- [" in (spec := generate(seed)).config(spec.words) or replaced_names(spec) == ():
            continue
        found = [examine(each, plan, None, tmp_path / f"{seed}-{i}") for i, each in enumerate((spec, as_it_was(spec)))]
        assert len({tuple(map(str, each.reports.values())) for each in found}) == 1, seed
        asked += 1
    assert asked >= 10


def replaced_names(spec: Specification) -> tuple[tuple[Name, Name], ...]:
    """Pairs of a definition's name and the one that is meant."""
    lines = (each.parts for each in spec.given if " <- " in each.parts)
    return tuple((parts[0], parts[2]) for parts in lines)


def as_it_was(spec: Specification) -> Specification:
    """With what is meant in the places of what is replaced."""
    meant = dict(replaced_names(spec))
    bodies = {each.name: each.body for each in spec.definitions()}
    modules = tuple(
        replace(
            module,
            definitions=tuple(
                replace(each, body=bodies[meant[each.name]]) if each.name in meant else each
                for each in module.definitions
                if each.name not in meant.values()
            ),
        )
        for module in spec.modules
    )
    return replace(spec, modules=modules, given=tuple(each for each in spec.given if " <- " not in each.parts))
