"""The collection next to this file comes out with TLC's verdicts and counts.

Each of its specifications shows something that was once counted otherwise; `rmqproof suite tests/suite/collection` is
the same from the command line.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.checking.check import check
from rmqproof.model.checking.options import Options
from rmqproof.model.cli.models import find_models
from rmqproof.model.suite.collection import PublishedModel, read_collection
from rmqproof.model.suite.judgement import Observed, judge

MODELS = read_collection(Path(__file__).parent / "collection")


@pytest.mark.parametrize("model", MODELS, ids=[model.name for model in MODELS])
def test_counts_are_those_of_tlc(model: PublishedModel) -> None:
    (files,) = find_models([model.spec], [model.config])
    outcome = check(files, Options(workers=1))
    assert judge(model, Observed.of_json(outcome.json())).reason == (
        "counts equal" if model.result == "success" else model.result
    )
