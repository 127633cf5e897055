"""Every configuration in spec/ and tests/specs comes out as its EXPECT line says."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from zlib import crc32

import pytest

from rmqproof.model.checking.check import check
from rmqproof.model.checking.expectation import read_expectation
from rmqproof.model.checking.options import Options
from rmqproof.model.cli.models import DEFAULT_GROUP, ModelFiles, find_models
from rmqproof.model.search.result import Result
from rmqproof.model.tla.library import bundled
from tools.engine_runs import LOG, current, logged, size_of
from tools.exercised import THREE, TWO, wanted

ROOT = Path(__file__).parents[2]
MODELS = find_models([ROOT / "spec", ROOT / "tests" / "specs"])


def _name(files: ModelFiles) -> str:
    assert files.config is not None
    return str(files.config.relative_to(ROOT))


def test_there_are_models() -> None:
    assert len(MODELS) > 20


@pytest.mark.parametrize("files", MODELS, ids=_name)
def test_a_configuration_says_what_it_shows_and_what_to_expect(files: ModelFiles) -> None:
    assert files.config is not None
    text = files.config.read_text(encoding="utf-8")
    comments = [line for line in text.splitlines() if line.startswith("\\*")]
    first = comments[0].removeprefix("\\*").split()
    assert first[0] not in ("EXPECT", "SPEC", "GROUP"), "the first comment says what the model shows"
    assert read_expectation(text) is not None


def actions_missing(name: str, result: Result) -> set[str]:
    """Which the table of exercised actions says the model takes, and which it has not taken."""
    taken = {action.action for action in result.coverage if action.total}
    return wanted(Path(name).stem) - taken


def test_an_action_that_is_not_taken_is_found() -> None:
    (files,) = find_models([bundled("TwoBrokersFirstElection.cfg")])
    result = check(files, Options(workers=1, engine="python", max_states=2_000)).result
    assert {"BytesAreFlushed", "MachineCrashes"} <= actions_missing("spec/models/TwoBrokersFlushLoss.cfg", result)


def _quick(files: ModelFiles) -> bool:
    return files.group == DEFAULT_GROUP or (files.config is not None and files.config.parent.name == "lemmas")


LONG = 4_000
"""Distinct states from which on `make check` and `make check-large` check a model, and not every run of the tests."""
SMALL = 15_000
"""Distinct states that the Python engine has met before a compiler is done."""


SIZES = size_of()


def _states(files: ModelFiles) -> int:
    expectation = read_expectation(files.config_text)
    return SIZES.get(files.name) or (dict(expectation.counts).get("distinct", 0) if expectation is not None else 0)


EVERY = 16
"""Of the models that the engines have explored since their texts changed (`make engines`) one in 16 is explored."""


@cache
def _explored() -> frozenset[str]:
    """Those models."""
    runs = current(logged(LOG), find_models([ROOT / "spec"]))
    return frozenset(name for name, found in runs.items() if "python" in found and not found["python"]["unexpected"])


def _is_explored_anew(files: ModelFiles) -> bool:
    """Those that take long are, where they are asked for."""
    name = files.name
    return _states(files) >= LONG or name in TWO or name in THREE or crc32(name.encode()) % EVERY == 0


def test_a_model_whose_texts_have_changed_is_explored() -> None:
    (files,) = find_models([bundled("WeakElection.cfg")])
    (run,) = [line for line in logged(LOG) if (line["model"], line["asked"]) == (files.name, "python")]
    assert files.name in _explored()
    assert current([{**run, "texts": "others"}], [files]) == {files.name: {}}


def _marked(files: ModelFiles) -> object:
    long = _states(files) >= LONG and files.name not in TWO
    return pytest.param(files, marks=[pytest.mark.large] if long else [])


@pytest.mark.parametrize("files", [_marked(m) for m in MODELS if _quick(m)], ids=_name)
def test_a_model_comes_out_as_expected(files: ModelFiles) -> None:
    """In machine code `make check` runs all of them, and tests/native those that were made for it."""
    assert files.config is not None
    if files.config.is_relative_to(ROOT / "spec") and not _is_explored_anew(files) and files.name in _explored():
        return  # nothing that it says has changed since
    expectation = read_expectation(files.config_text)
    small = _states(files) <= SMALL
    options = Options(workers=1, engine="python", max_states=SMALL + 1) if small else Options(workers=1)
    outcome = check(files, options, expectation=expectation)
    if outcome.result.stopped is not None:
        outcome = check(files, Options(workers=1), expectation=expectation)
    assert outcome.difference == "", outcome.result.message
    assert actions_missing(_name(files), outcome.result) == set()
