"""The generator draws the whole language, and the same for the same seed."""

from __future__ import annotations

from random import Random

import pytest

from tools.fuzz.generate import generate
from tools.fuzz.naming import apart, is_apart
from tools.fuzz.shrink import shrunk
from tools.fuzz.specification import Specification

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
)! T_ ^^ shiftR & Bitwise TLCGet("level") PrintT( Print(
"""


@pytest.mark.parametrize("form", FORMS.split())
def test_it_draws(form: str, texts: list[str]) -> None:
    assert sum(form in text for text in texts) >= 3


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
