"""Random temporal formulas: the engines agree about them, and what a broken one says shows in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.search.liveness import automaton
from tools.fuzz.engines import ENGINES
from tools.fuzz.temporal import SPEC, temporal

SEEDS = range(40)
LET_IN_AN_EQUIVALENCE = SPEC.format(
    a="(0 :> {0, 1}) @@ (1 :> {0})",
    b="(0 :> {}) @@ (1 :> {1})",
    initial="0, 1",
    fair="",
    instance="",
    formula="(LET v == <>[](ENABLED A) IN v) <=> (x # 1)",
)


def test_the_engines_agree(tmp_path: Path) -> None:
    verdicts = set()
    for seed in SEEDS:
        spec = temporal(seed).write(tmp_path / str(seed))
        said = ENGINES["python"](spec)
        verdicts.add(said.verdict)
        if seed % 10 == 0:
            assert not ENGINES["native"](spec).differs(said)
    assert {"success", "liveness failure"} <= verdicts


def test_promises_that_nobody_keeps_show_in_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    specs = [temporal(seed).write(tmp_path / str(seed)) for seed in SEEDS]
    right = [ENGINES["python"](spec) for spec in specs]
    monkeypatch.setattr(automaton, "_promises", lambda formula, found: None)
    assert any(ENGINES["python"](spec).differs(report) for spec, report in zip(specs, right, strict=True))


def test_the_judge_follows_a_let_into_a_temporal_formula(tmp_path: Path) -> None:
    spec = temporal(0).write(tmp_path / "spec")
    spec.write_text(LET_IN_AN_EQUIVALENCE)
    assert ENGINES["python"](spec).verdict == "liveness failure"
