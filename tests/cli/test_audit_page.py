"""The page of `rmqproof audit`."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from rmqproof.model.audit.mutation import Mutant
from rmqproof.model.audit.scoring import Fate, Trial
from rmqproof.model.audit.vacuity import Kind, covered
from rmqproof.model.cli import main
from rmqproof.model.tla import core
from rmqproof.model.tla.source import Location, Source

SPEC = r"""---- MODULE Little ----
EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x < 3 /\ x' = x + 1
Low == x <= 3
Lower == "<script>" # "a" /\ x < 4
====
"""


def test_the_page_has_scores_the_matrix_and_the_text(tmp_path: Path) -> None:
    (tmp_path / "Little.tla").write_text(SPEC)
    (tmp_path / "Little.cfg").write_text("INIT Init\nNEXT Next\nINVARIANTS Low Lower\nCHECK_DEADLOCK FALSE\n")
    page = tmp_path / "audit.html"
    result = CliRunner().invoke(main, ["audit", str(tmp_path / "Little.tla"), "--html", str(page), "--quiet"])
    assert result.exit_code == 0, result.output
    text = page.read_text()
    assert "<h1>Little</h1>" in text and "mutants:" in text
    assert '<td class="killed' in text and '<td class="survived' in text
    assert "x &lt; 3 /\\ x&#x27; = x + 1" in text and "x < 3" not in text
    assert "<script" not in text and "http" not in text, "it needs nothing else"


def test_mutants_print_nothing(tmp_path: Path) -> None:
    spec = tmp_path / "Little.tla"
    spec.write_text(
        SPEC.replace("EXTENDS Naturals", "EXTENDS Naturals, TLC").replace("x < 3", 'PrintT("at") /\\ x < 3')
    )
    spec.with_suffix(".cfg").write_text("INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n")
    result = CliRunner().invoke(main, ["audit", str(spec), "--mutants", "5"])
    assert "5 of" in result.stdout and result.stdout.count('"at"\n') <= 4, "the specification's own four states"


def trial(number: int, *killers: str) -> Trial:
    source = Source("A.tla", "")
    at = Location(source, 1, 1, 1, 2)
    one = core.Literal(at, 1)
    mutant = Mutant(number, "number", None, at, "", one, one, one)
    return Trial(mutant, Fate.KILLED, killers)


def test_a_property_that_another_covers() -> None:
    both = [trial(number, "Weak", "Strong") for number in range(3)]
    (gap,) = covered([*both, trial(3, "Strong")])
    assert gap.kind is Kind.COVERED and gap.subject == "Weak" and "Strong notices each of them" in gap.sentence
    assert not list(covered([*both, trial(3, "Strong"), trial(4, "Weak")]))
    assert not list(covered(both)), "each covers the other"
    assert not list(covered([*both[:2], trial(3, "Strong")])), "too few to say so"
