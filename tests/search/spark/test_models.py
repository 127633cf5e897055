"""TLA+ models: with both kernels and any number of partitions the Python engine's result, to the last count."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from rmqproof.model.checking.opening import open_subject
from rmqproof.model.checking.options import SparkOptions
from rmqproof.model.checking.spark_engine import search, sources_of
from rmqproof.model.cli.models import ModelFiles, find_models
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.control import Control
from rmqproof.model.search.result import Verdict
from rmqproof.model.search.spark.known_states import KnownStates
from rmqproof.model.tla.model import load_model
from tests.at_length import every

from ..test_random_graphs import comparable

ROOT = Path(__file__).parents[3]
MODELS = [
    "spec/models/SettingsUnclean.cfg",
    "tests/specs/DieHard.cfg",
    "tests/specs/InstanceForms.cfg",
    "tests/specs/PaxosSymmetric.cfg",
    "tests/specs/TwoPhaseCommit.cfg",
    "tests/evaluate/specs/LockActionConstrained.cfg",
    "tests/evaluate/specs/LockConstrained.cfg",
    "tests/evaluate/specs/LockSymmetric.cfg",
    "tests/evaluate/specs/LockView.cfg",
    "tests/native/specs/Broken.cfg",
    "tests/native/specs/BrokenStart.cfg",
    "tests/native/specs/BrokenStep.cfg",
    "tests/native/specs/CountedWays.cfg",
    "tests/native/specs/CutAndBroken.cfg",
    "tests/native/specs/GrowingFunctions.cfg",
    "tests/native/specs/NoTypes.cfg",
    "tests/native/specs/Partial.cfg",
    "tests/native/specs/SymmetricSets.cfg",
    "tests/native/specs/Viewed.cfg",
    "tests/fuzz/found/NothingInside.cfg",
]
EACH_WAY = (
    "tests/specs/TwoPhaseCommit.cfg",
    "tests/evaluate/specs/LockSymmetric.cfg",
    "tests/native/specs/BrokenStep.cfg",
)
"""With one partition, too."""
HERE = 10**9
"""States of a level from which on Spark would take over: never."""


def files_of(path: str) -> ModelFiles:
    config = ROOT / path
    if config.name.startswith("Lock"):
        return ModelFiles(config.parent / "Lock.tla", config)
    return find_models([config])[0]


LONG = pytest.param("spec/models/AsShippedAckedDurability.cfg", marks=pytest.mark.large)


@pytest.mark.parametrize("path", [*every(4, MODELS), LONG], ids=lambda path: Path(path).stem)
def test_same_as_the_python_engine(path):
    subject = open_subject(files_of(path))
    expected = BreadthFirst(subject.system, workers=1).run()
    for partitions in (1, 7) if path in EACH_WAY else (7,):
        found = subject.spark(SparkOptions(partitions=partitions, hand_over=HERE), Control(), lambda text: None)
        assert comparable(found) == comparable(expected)
        assert (found.violations, found.queue) == (expected.violations, expected.queue)
        assert str(found.failure) == str(expected.failure)
        assert not found.judged.refuted
        if expected.verdict is Verdict.SUCCESS:
            assert found.judged.examined >= min(found.distinct, 1) and not found.judged.left_out


@pytest.mark.parametrize("path", ["tests/specs/TwoPhaseCommit.cfg", "tests/native/specs/NoTypes.cfg"])
def test_a_state_that_the_store_lacks_is_missed(path, monkeypatch):
    subject = open_subject(files_of(path))
    lost: list[int] = []
    original = KnownStates.knows

    def knows(known, fingerprint):
        lost.append(fingerprint)
        return fingerprint != lost[0] and original(known, fingerprint)

    monkeypatch.setattr(KnownStates, "knows", knows)
    found = subject.spark(SparkOptions(partitions=2, hand_over=HERE), Control(), lambda text: None)
    assert "the search has not met" in found.judged.refuted


def test_packed_states_in_little_memory(tmp_path):
    """What comes for an owner goes to files and is merged from them: the same states and edges."""
    files = files_of("tests/specs/Paxos.cfg")
    model = load_model(files.spec, files.config)
    system = system_of(model)
    whole = SparkOptions(partitions=3, hand_over=HERE, store=str(tmp_path / "whole"), edges=True)
    expected = search(model, system, "identity", files, whole, Control(), lambda text: None)
    measured = []
    little = replace(whole, store=str(tmp_path / "little"), incoming_bytes=300)
    found = search(model, system, "identity", files, little, Control(), lambda text: None, measured.append)
    assert comparable(found) == comparable(expected)
    assert measured[0].spilled > 5
    for kind in ("states", "edges"):
        for path in sorted((tmp_path / "whole" / kind).glob("*/*")):
            other = tmp_path / "little" / path.relative_to(tmp_path / "whole")
            assert (
                pq.read_table(path, partitioning=None).to_pylist()
                == pq.read_table(other, partitioning=None).to_pylist()
            )


@pytest.mark.parametrize("path", ["tests/specs/DieHard.cfg", "tests/evaluate/specs/LockView.cfg"])
def test_without_a_compiler(path, monkeypatch):
    """The Python engine is the kernel, and its states travel as pickles."""
    monkeypatch.setenv("CC", "no-compiler")
    files = files_of(path)
    model = load_model(files.spec, files.config)
    system = system_of(model)
    expected = BreadthFirst(system, workers=1).run()
    options = SparkOptions(partitions=3, hand_over=HERE)
    told: list[str] = []
    found = search(model, system, "identity", files, options, Control(), told.append)
    assert "CC names no-compiler" in told[0]
    assert comparable(found) == comparable(expected)


def test_a_layout_that_is_too_narrow_is_widened(tmp_path):
    """The search starts over, and a resume takes up the wide layout."""
    files = find_models([ROOT / "tests/native/specs/GrowingFunctions.cfg"])[0]
    subject = open_subject(files)
    options = SparkOptions(partitions=2, hand_over=HERE, store=str(tmp_path / "store"))
    found = subject.spark(options, Control(), lambda text: None)
    again = SparkOptions(partitions=2, hand_over=HERE, store=str(tmp_path / "store"), resume=True)
    assert comparable(subject.spark(again, Control(), lambda text: None)) == comparable(found)


def test_the_texts_in_a_store_are_the_whole_specification():
    files = find_models([ROOT / "spec/models/TwoBrokers.cfg"])[0]
    names = {Path(name).name for name in sources_of(load_model(files.spec, files.config))}
    assert {"ControllerMode.tla", "Properties.tla", "EpochFile.tla"} <= names


def test_a_verdict_for_each_kind():
    """The list above has all of them, so that none is compared with nothing."""
    found = {open_verdict(path) for path in MODELS}
    assert {Verdict.SUCCESS, Verdict.SAFETY, Verdict.LIVENESS, Verdict.ERROR} <= found


def open_verdict(path: str) -> Verdict:
    subject = open_subject(files_of(path))
    return BreadthFirst(subject.system, workers=1, control=Control(max_states=2_000)).run().verdict
