"""What counts as equal to a published result."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rmqproof.model.suite.collection import Counts, PublishedModel
from rmqproof.model.suite.judgement import Observed, Standing, judge, unsuitable
from rmqproof.model.suite.reporting import as_json, summary

PUBLISHED = PublishedModel(
    "A/M", Path("."), Path("M.tla"), Path("M.cfg"), "exhaustive search", "success", Counts(10, 30, 4), 1.0
)
FOUND = Observed("success", Counts(10, 30, 4), 0.5)


def test_equal_counts() -> None:
    judgement = judge(PUBLISHED, FOUND)
    assert (judgement.standing, judgement.reason) == (Standing.EQUAL, "counts equal")


@pytest.mark.parametrize(
    ("counts", "missed"),
    [(Counts(9, 30, 4), True), (Counts(10, 29, 4), True), (Counts(11, 30, 4), False), (Counts(10, 31, 4), False)],
)
def test_another_count_differs_and_a_smaller_one_is_a_miss(counts: Counts, missed: bool) -> None:
    judgement = judge(PUBLISHED, replace(FOUND, counts=counts))
    assert judgement.standing is Standing.DIFFERENT
    assert judgement.missed is missed


def test_another_depth_is_told_but_is_no_difference() -> None:
    judgement = judge(PUBLISHED, replace(FOUND, counts=Counts(10, 30, 5)))
    assert judgement.standing is Standing.EQUAL
    assert "depth 5 (published 4)" in judgement.reason


def test_a_success_in_place_of_a_failure_is_a_miss() -> None:
    judgement = judge(replace(PUBLISHED, result="safety failure"), FOUND)
    assert judgement.standing is Standing.DIFFERENT
    assert judgement.missed


def test_counts_of_a_failure_are_not_compared() -> None:
    failing = replace(PUBLISHED, result="safety failure")
    assert judge(failing, Observed("safety failure", Counts(3, 5, 2), 0.1)).standing is Standing.EQUAL


def test_liveness_left_out() -> None:
    partly = replace(FOUND, unchecked=("Live",))
    assert judge(PUBLISHED, partly).reason == "counts equal, liveness not checked"
    judgement = judge(replace(PUBLISHED, result="liveness failure"), partly)
    assert (judgement.standing, judgement.missed) == (Standing.SKIPPED, False)


def test_a_search_that_did_not_end_says_nothing() -> None:
    stopped = Observed("error", Counts(3, 5, 2), 9.0, "limit", ended=False)
    judgement = judge(PUBLISHED, stopped)
    assert judgement.standing is Standing.SKIPPED
    assert "time out" in judgement.reason


def test_errors_differ_unless_the_construct_is_not_supported() -> None:
    assert judge(PUBLISHED, Observed("error", Counts(), 0.0, "M.tla:3:4: unknown name")).standing is Standing.DIFFERENT
    refused = judge(PUBLISHED, Observed("error", Counts(), 0.0, "Reals!Real is not supported"))
    assert refused.standing is Standing.SKIPPED


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (replace(PUBLISHED, mode="symbolic"), "symbolic"),
        (replace(PUBLISHED, mode="simulate"), "simulate mode"),
        (replace(PUBLISHED, result="unknown"), "no published result"),
        (PUBLISHED, ""),
    ],
)
def test_models_that_cannot_be_compared(model: PublishedModel, reason: str) -> None:
    assert unsuitable(model).startswith(reason)
    assert bool(unsuitable(model)) is bool(reason)


def test_the_summary_counts_standings_and_reasons() -> None:
    judgements = [
        judge(PUBLISHED, FOUND),
        judge(PUBLISHED, replace(FOUND, unchecked=("Live",))),
        judge(PUBLISHED, replace(FOUND, counts=Counts(9, 30, 4))),
        judge(PUBLISHED, replace(FOUND, ended=False)),
    ]
    assert summary(judgements) == "2 equal (1 of them with liveness not checked), 1 different, 1 skipped: 1 time out."
    document = as_json(judgements)
    assert document["summary"] == {"equal": 2, "different": 1, "skipped": 1}
    assert document["models"][2]["missed"] is True
