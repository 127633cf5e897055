"""What random specifications found, shrunk: each configuration's EXPECT line is what TLC says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rmqproof.model.checking.expectation import read_expectation
from tools.fuzz.engines import ENGINES
from tools.fuzz.reference import NotCovered
from tools.fuzz.tlc import Tlc, classpath
from tools.fuzz.verdict import Report

FOUND = sorted((Path(__file__).parent / "found").glob("*.cfg"))


def expected(config: Path) -> Report:
    expectation = read_expectation(config.read_text())
    assert expectation is not None
    counts = dict(expectation.counts)
    return Report(
        str(expectation.verdict), counts.get("distinct"), counts.get("total"), counts.get("depth"), expectation.name
    )


@pytest.mark.parametrize("config", FOUND, ids=lambda path: path.stem)
@pytest.mark.parametrize("engine", ["python", "reference", "native"])
def test_engines_say_what_tlc_says(config: Path, engine: str) -> None:
    try:
        said = ENGINES[engine](config.with_suffix(".tla"))
    except NotCovered:
        pytest.skip("the reference evaluator does not check liveness")
    assert not said.differs(expected(config)), f"{said}\n{said.detail}"


@pytest.mark.skipif(classpath() is None, reason="TLC_CLASSPATH is not set")
def test_tlc_says_it(tmp_path: Path) -> None:
    tlc = Tlc(classpath() or "")
    try:
        for config in FOUND:
            said = tlc.check(config.with_suffix(".tla"))
            assert not said.differs(expected(config)), f"{config.stem}: {said}\n{said.detail}"
    finally:
        tlc.close()


def test_a_difference_is_one() -> None:
    report = Report("success", 3, 5, 2)
    assert not report.differs(report)
    assert report.differs(replace(report, total=6))
    assert report.differs(replace(report, verdict="error"))
    assert not Report("error", 3).differs(Report("error", 4))
    assert Report("safety failure", violated="A").differs(Report("safety failure", violated="B"))
