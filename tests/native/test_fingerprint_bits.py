"""Fingerprints of 128 bits: the same search, in which states are told apart that have the same 64 bits."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof import check, load
from rmqproof.model.cli import main
from rmqproof.model.evaluate.system import PythonSystem, system_of
from rmqproof.model.native.engine import NativeModel, NativeSearch, permutations_of
from rmqproof.model.native.saved import Folder
from rmqproof.model.search.control import Control
from rmqproof.model.search.result import Stopped, Verdict
from rmqproof.model.tla.model import load_model
from tests.native.differential import FAST, outcome

SPECS = Path(__file__).parents[1] / "specs"
LITTLE = 200_000
"""Bytes: less than the tables of a thousand states and what a round finds."""
SIXTEEN_BITS = "-DFINGERPRINT_MASK=0xFFFF0000u"
"""The lower word has sixteen bits that differ."""


def compiled(spec: str, config: str, bits: int, *flags: str) -> tuple[NativeModel, PythonSystem]:
    model = load_model(SPECS / f"{spec}.tla", SPECS / f"{config}.cfg")
    system = system_of(model)
    native = NativeModel(model, model.check_deadlock, flags=(*FAST, *flags), group=permutations_of(system))
    native.fingerprint_bits = bits
    native.compile()
    return native, system


@pytest.mark.parametrize("memory", [None, LITTLE])
@pytest.mark.parametrize(
    ("spec", "config"),
    [
        ("Paxos", "Paxos"),
        ("PaxosSymmetric", "PaxosSymmetric"),
        pytest.param("TwoPhaseCommit", "TwoPhaseCommit7", marks=pytest.mark.large),
    ],
)
def test_the_search_is_the_same(spec: str, config: str, memory: int | None) -> None:
    narrow, system = compiled(spec, config, 64)
    wide, _ = compiled(spec, config, 128)
    expected = NativeSearch(narrow, system, workers=2).run()
    found = NativeSearch(wide, system, workers=3, memory=memory).run()
    assert outcome(found) == outcome(expected)
    assert found.collision.optimistic < expected.collision.optimistic / 2**63


@pytest.mark.parametrize("memory", [None, LITTLE])
def test_states_with_the_same_64_bits_are_told_apart(memory: int | None) -> None:
    true = NativeSearch(*compiled("Paxos", "Paxos", 64), workers=1).run()
    narrow, system = compiled("Paxos", "Paxos", 64, SIXTEEN_BITS)
    wide, _ = compiled("Paxos", "Paxos", 128, SIXTEEN_BITS)
    assert NativeSearch(narrow, system, workers=2, memory=memory).run().distinct < true.distinct
    assert outcome(NativeSearch(wide, system, workers=2, memory=memory).run()) == outcome(true)


def test_a_search_is_resumed_with_other_bits(tmp_path: Path) -> None:
    """States are saved, and their fingerprints are computed anew."""
    folder = Folder(tmp_path / "saved", "identity")
    narrow, system = compiled("Paxos", "Paxos", 64)
    wide, _ = compiled("Paxos", "Paxos", 128)
    expected = NativeSearch(narrow, system, workers=1).run()
    part = NativeSearch(narrow, system, control=Control(max_states=500), workers=2, folder=folder).run()
    assert part.stopped is Stopped.STATES
    assert outcome(NativeSearch(wide, system, workers=2, folder=folder, resume=True).run()) == outcome(expected)


def test_the_chance_is_said() -> None:
    arguments = ["check", str(SPECS / "Paxos.tla"), "--engine", "native", "--fingerprint-bits", "128"]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    chance = done.output.partition("chance that a state was missed: ")[2].split()[0]
    assert 0 < float(chance) < 1e-25


def test_from_python() -> None:
    result = check(load(SPECS / "Paxos.tla"), engine="native", fingerprint_bits=128)
    assert result.outcome.result.verdict is Verdict.SUCCESS
    assert result.collision.optimistic < 1e-25


@pytest.mark.parametrize("engine", ["python", "spark"])
def test_other_engines_have_64(engine: str) -> None:
    done = CliRunner().invoke(main, ["check", "--engine", engine, "--fingerprint-bits", "128"])
    assert done.exit_code == 2
    assert "--fingerprint-bits goes with a search by --engine auto or native" in done.output
