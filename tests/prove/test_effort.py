"""The work that makes a question has an end, which does not depend on the machine."""

from __future__ import annotations

import pickle
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.api import proofs
from rmqproof.model.cli.commands.prove import command
from rmqproof.model.prove import effort
from rmqproof.model.prove.ask import Z3_ALONE
from rmqproof.model.prove.decide import PROVED, UNKNOWN, decide
from rmqproof.model.prove.effort import Effort, Unmade
from rmqproof.model.prove.lemma_obligations import obligations_of
from rmqproof.model.prove.modules import chosen, open_module
from rmqproof.model.prove.subject import Subject
from rmqproof.model.prove.vacuity import Vacuity, vacuities
from rmqproof.model.tla.source import Location, Source

MODULE = """---- MODULE Long ----
EXTENDS Integers
VARIABLE x
RECURSIVE Twice(_)
Twice(n) == IF n = 0 THEN 1 ELSE Twice(n - 1) + Twice(n - 1)
Init == x = 0
Short == x' = x + 1
Long == \\E a, b, c, d \\in 1..9 : x' = a + b + c + d
Next == Short \\/ Long
Inv == x >= 0
THEOREM Small == ASSUME NEW n \\in Int, n > 0 PROVE n + Twice(2) > 4
THEOREM Large == ASSUME NEW n \\in Int, n > 0 PROVE n + Twice(40) > 4
THEOREM Stays == ASSUME Inv, Next PROVE Inv'
THEOREM Listed == ASSUME NEW n \\in Int, n > 0 PROVE \\A a, b, c, d \\in 1..40 : a + b + c + d + n > 0
====
"""
FEW = 2_000
"""Expressions: enough for what is small, and soon over."""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("long") / "Long.tla"
    path.write_text(MODULE)
    path.with_suffix(".cfg").write_text("INIT Init\nNEXT Next\nINVARIANT Inv\n")
    return path


@pytest.fixture(scope="module")
def subject(path: Path) -> Subject:
    return replace(open_module(path), most=FEW)


def test_a_question_that_takes_too_much_work_is_unknown(subject: Subject) -> None:
    (small,), (large,) = chosen(subject, ("Small",)), chosen(subject, ("Large",))
    assert decide(subject, small, 5).verdict == PROVED
    found = decide(subject, large, 5)
    assert found.verdict == UNKNOWN
    assert found.reason.startswith("Long.tla:5:")
    assert found.reason.endswith(": the question was not made, there are more than 2,000 expressions to translate")


def test_values_that_take_too_much_work_are_not_found(subject: Subject) -> None:
    """Within bounds each number is translated; without them it is one formula, and proved."""
    (listed,) = chosen(subject, ("Listed",))
    found = decide(subject, listed, 5)
    assert [part.verdict for part in found.parts] == [PROVED]
    assert found.verdict == UNKNOWN and found.satisfiable is None


def test_each_way_to_take_a_step_is_a_question_of_its_own(subject: Subject) -> None:
    (stays,) = chosen(subject, ("Stays",))
    spent = [one.translator.effort.spent for one in islice(obligations_of(subject, stays, None), 300)]
    assert all(0 < each < FEW for each in spent) and sum(spent) > FEW


@pytest.mark.parametrize("is_in_ways", [False, True])
def test_ways_that_take_too_much_work_to_find(path: Path, monkeypatch: pytest.MonkeyPatch, is_in_ways: bool) -> None:
    """There are 9^4, and each is asked about by itself only where there are many conjuncts."""
    monkeypatch.setattr(effort, "_WORK", 100)
    subject = open_module(path)
    if is_in_ways:
        monkeypatch.setattr(proofs, "_MANY", 0)
        (found,) = proofs.settled([(subject, "")], ("Stays",), timeout=1, workers=1, asked=Z3_ALONE)
        assert found.answer is not None and found.answer.verdict == UNKNOWN and found.whole
        assert "the question was not made" in found.answer.reason
    else:
        (told,) = vacuities(subject, ["Stays"], 1, 1, Z3_ALONE)
        assert isinstance(told, Vacuity)
        assert "the question was not made" in told.open[0]


def test_where_it_is_counted() -> None:
    at = Location(Source("L", ""), 1, 1, 1, 2)
    two = Effort(2)
    two.spend(at)
    two.spend(at)
    two.renew()
    two.spend(at)
    two.spend(at)
    with pytest.raises(Unmade) as caught:
        two.spend(at)
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.reason == caught.value.reason and str(again) == str(caught.value), "it comes from another process"


@pytest.mark.parametrize("options", [(), ("--vacuity",)])
def test_the_command(path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]) -> None:
    monkeypatch.setattr(effort, "_WORK", 100)
    done = CliRunner().invoke(command, [str(path), "--lemma", "Large", "--timeout", "1", "--workers", "1", *options])
    assert done.exit_code == 1, done.output
    assert ": the question was not made" in " ".join(done.output.split())


def test_a_bounded_search_ends(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effort, "_WORK", 100)
    done = CliRunner().invoke(command, [str(path.with_suffix(".cfg")), "--bounded", "2", "--timeout", "1"])
    assert done.exit_code == 152, done.output
    assert "no violation within 0 steps" in done.output
    assert "the question was not made" in done.output
