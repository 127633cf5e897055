"""The pytest plugin, as a project of somebody else would use it."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from rmqproof.conformance.runs.mapping import RunMapping
from rmqproof.conformance.runs.model import open_run_model
from rmqproof.model.tla.model_files import ModelFiles
from tests.conformance.recording import record, text, two_phase

EXAMPLES = Path(__file__).parent / "examples"

TESTS = """
from tests.conformance.examples.adapter import TwoPhaseAdapter
from tests.conformance.examples import broken

def test_good(conformance):
    result = conformance.check(TwoPhaseAdapter, config="TwoPhase.cfg", paths=5)
    assert result.edges == 105

def test_part(conformance):
    conformance.check(TwoPhaseAdapter, config="TwoPhase.cfg", paths=5, max_states=10)

def test_bad(conformance):
    conformance.check(broken.with_parts(broken.ForgetfulCoordinator), config="TwoPhase.cfg", paths=5)

def test_blind(conformance):
    conformance.check(broken.BlindAdapter, config="TwoPhase.cfg")

def test_run(conformance):
    conformance.validate("good.ndjson", spec="TwoPhase.tla")

def test_bad_run(conformance):
    conformance.validate("bad.ndjson", spec="TwoPhase.tla")

def test_empty_run(conformance):
    conformance.validate("empty.ndjson", spec="TwoPhase.tla")

def test_no_spec(conformance):
    conformance.check(TwoPhaseAdapter, config="Lonely.cfg")

def test_bad_spec(conformance):
    conformance.check(TwoPhaseAdapter, spec="Wrong.tla", config="TwoPhase.cfg")

def test_no_file(conformance):
    conformance.check(TwoPhaseAdapter, config="Nothing.cfg")
"""


def test_the_plugin(pytester: pytest.Pytester) -> None:
    for name in ("TwoPhase.tla", "TwoPhase.cfg"):
        (pytester.path / name).write_text((EXAMPLES / name).read_text(), encoding="utf-8")
    model = open_run_model(ModelFiles(EXAMPLES / "TwoPhase.tla", EXAMPLES / "TwoPhase.cfg"), RunMapping())
    lines = record(model.subject, 10, 1, two_phase, {"GiveUp": 0, "Decide": 1})
    (pytester.path / "good.ndjson").write_text(text(lines), encoding="utf-8")
    (pytester.path / "bad.ndjson").write_text(text([lines[0], {**lines[0], "sequence": 2}]), encoding="utf-8")
    (pytester.path / "empty.ndjson").write_text("", encoding="utf-8")
    (pytester.path / "Lonely.cfg").write_text("SPECIFICATION Spec", encoding="utf-8")
    (pytester.path / "Wrong.tla").write_text("---- MODULE Wrong ----\nx == \n====\n", encoding="utf-8")
    pytester.makepyfile(test_it=TESTS)
    pytester.syspathinsert(Path(__file__).parents[2])
    result = pytester.runpytest_subprocess(
        "--conformance-out",
        "kept",
        "--junit-xml",
        "junit.xml",
        "-p",
        "no:cacheprovider",
    )
    result.assert_outcomes(passed=3, failed=7)
    shown = result.stdout.str()
    assert "coordinator.votes  {p1, p2}  {p2}" in shown
    assert "The variable messages is neither observed nor elided" in shown
    assert 'state[p] = "working"' in shown
    assert "The run is empty" in shown
    assert "There is no file Nothing.cfg" in shown
    assert "Lonely.tla does not exist" in shown and "Wrong.tla:" in shown
    assert "Traceback" not in shown and "rmqproof/conformance" not in shown
    kept = pytester.path / "kept"
    assert (kept / "test_it.py-test_bad" / "difference-1.txt").is_file()
    assert (kept / "test_it.py-test_bad" / "conform.json").is_file()
    assert (kept / "test_it.py-test_bad_run" / "explained.itf.json").is_file()
    cases = ElementTree.parse(pytester.path / "junit.xml").getroot().iter("testcase")
    properties = {
        case.get("name"): {item.get("name"): item.get("value") for item in case.iter("property")} for case in cases
    }
    assert properties["test_good"]["conform.edgesPerformed"] == "105"
    assert properties["test_run"]["validate.result"] == "yes"


def test_the_plugin_is_found_without_being_named(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.pluginmanager.has_plugin("rmqproof")
