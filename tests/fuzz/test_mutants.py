"""Models with a word changed: they are read or refused, and the engines agree about them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from rmqproof.model.tla.model import load_model
from rmqproof.model.tla.source import TlaError
from tools.fuzz.engines import ENGINES
from tools.fuzz.mutants import changed, models_in
from tools.fuzz.outcome import Outcome
from tools.fuzz.reference import NotCovered

TESTS = Path(__file__).parents[1]
MODELS = models_in([TESTS / "evaluate" / "specs", TESTS / "native" / "specs", TESTS / "specs"])
SMALL = models_in([TESTS / "evaluate" / "specs"])


def test_they_are_read_or_refused_with_a_place(tmp_path: Path) -> None:
    said: Counter[str] = Counter()
    for seed in range(150):
        spec = changed(seed, MODELS).write(tmp_path / str(seed))
        try:
            load_model(spec, spec.with_suffix(".cfg"))
            said["read"] += 1
        except TlaError as error:
            said[error.kind] += 1
            assert error.at is not None or error.kind == "config"
    assert said["read"] > 50 and said["parse"] > 20


def test_the_engines_agree(tmp_path: Path) -> None:
    verdicts = set()
    for seed in range(30):
        spec = changed(seed, SMALL).write(tmp_path / str(seed))
        outcome = Outcome(seed)
        try:
            outcome.reports = {engine: ENGINES[engine](spec) for engine in ("python", "reference")}
        except NotCovered:
            continue
        assert not outcome.different
        verdicts.add(outcome.reports["python"].verdict)
    assert {"success", "error"} <= verdicts


def test_the_same_number_is_the_same_change() -> None:
    one, other = (changed(7, MODELS) for _ in range(2))
    assert one == other and one.module is not None and one.text != one.module.read_text()
