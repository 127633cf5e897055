"""`check --report`: the formats at once, places in the specification, and what was expected."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from rmqproof.model.cli import main

TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorial"


@pytest.fixture(autouse=True)
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for file in TUTORIAL.glob("Lock*"):
        shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)


def check(*words: str) -> Result:
    return CliRunner().invoke(main, ["check", "--quiet", *words], catch_exceptions=False)


def annotations(result: Result) -> list[str]:
    return [line for line in result.stdout.splitlines() if line.startswith("::")]


def line_of(text: str, file: str = "Lock.tla") -> int:
    return 1 + next(i for i, line in enumerate(Path(file).read_text().splitlines()) if text in line)


def test_every_format_at_once() -> None:
    result = check(
        "Lock.cfg", "LockFixed.cfg", "--report", "junit=j.xml,sarif=s.json", "--report", "markdown=m.md,github"
    )
    assert result.exit_code == 12
    first, second = annotations(result)
    assert first.startswith(f"::error file=Lock.tla,line={line_of('OneInside ==')},")
    assert second.startswith(f"::error file=Lock.tla,line={line_of('Take(w) ==')},")
    lock, fixed = ElementTree.parse("j.xml").getroot()
    failure = lock.find("testcase[@name='OneInside']/failure")
    assert failure is not None and "5. Take(w2)" in (failure.text or "")
    assert not fixed.findall(".//failure") and fixed.attrib["skipped"] == "0"
    assert json.loads(Path("s.json").read_text())["runs"][0]["results"][0]["ruleId"] == "safety-failure"
    assert "1 of 2 models" in Path("m.md").read_text()


def test_no_step_is_blamed_for_a_liveness_failure() -> None:
    (only,) = annotations(check("LockWeak.cfg", "--report", "github"))
    assert f"line={line_of('EveryoneGetsIn ==')}," in only


def test_an_expected_failure_is_a_success() -> None:
    result = check("Lock.cfg", "--expect", "--report", "junit=j.xml,github")
    assert result.exit_code == 0 and not annotations(result)
    (case,) = ElementTree.parse("j.xml").getroot().iter("testcase")
    assert case.attrib["name"] == "EXPECT safety failure OneInside depth 5" and not len(case)


def test_an_expected_failure_that_does_not_happen() -> None:
    config = Path("LockFixed.cfg")
    lines = [line for line in config.read_text().splitlines() if "EXPECT" not in line]
    config.write_text("\n".join([lines[0], "\\* EXPECT safety failure OneInside", *lines[1:]]))
    result = check("LockFixed.cfg", "--expect", "--report", "github,sarif=s.json")
    assert result.exit_code == 1
    (only,) = annotations(result)
    assert only.startswith("::error file=LockFixed.cfg,line=2,") and "got success" in only
    (found,) = json.loads(Path("s.json").read_text())["runs"][0]["results"]
    assert found["ruleId"] == "expected-failure-does-not-happen"


def test_a_property_that_nobody_checked() -> None:
    result = check("LockWeak.cfg", "--ignore-liveness", "--report", "github,junit=j.xml")
    assert any(f"line={line_of('EveryoneGetsIn ==')}," in line for line in annotations(result))
    assert ElementTree.parse("j.xml").find(".//testcase[@name='EveryoneGetsIn']/skipped") is not None


def test_an_error_has_its_place() -> None:
    spec = Path("Lock.tla")
    spec.write_text(spec.read_text().replace("OneInside ==", "OneInside == unknown /\\", 1))
    result = check("Lock.cfg", "--report", "github,junit=j.xml")
    assert result.exit_code == 150
    assert annotations(result)[0].startswith(f"::error file=Lock.tla,line={line_of('unknown')},")
    assert ElementTree.parse("j.xml").find(".//testcase[@name='search']/error") is not None
    assert check("Lock.cfg", "--expect", "--report", "junit=j.xml").exit_code == 1
    error = ElementTree.parse("j.xml").findtext(".//error") or ""
    assert "got error" in error and "unknown is not known here" in error


@pytest.mark.parametrize("asked", ["junit=gone/j.xml", "junit", "html=x", "github=x", "", "junit=j.xml,"])
def test_what_cannot_be_written_is_said_before_the_search(asked: str) -> None:
    result = check("Lock.cfg", "--report", asked)
    assert result.exit_code == 2 and "Traceback" not in result.output
    assert not Path("j.xml").exists()


def test_json_has_the_counterexample() -> None:
    found = json.loads(check("Lock.cfg", "--json", "-", "--report", "github").stdout)
    assert len(found["counterexample"]["states"]) == found["behaviourLength"] == 5
