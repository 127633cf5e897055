"""`--report` where no search comes to its end, of several models, and of conform, validate and prove."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from rmqproof.model.cli import main
from rmqproof.model.cli.report_option import FORMATS
from rmqproof.model.cli.reports import FILES

EXAMPLES = Path(__file__).parents[1] / "conformance" / "examples"
UP = (
    "---- MODULE Up ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\nNext == x < LAST /\\ x' = x + 1\n"
    "Small == x < 2\nSmaller == x < 1\n====\n"
)
LEMMAS = (
    "---- MODULE Lemmas ----\nEXTENDS Naturals\n\\* Adding does not shrink.\n"
    "THEOREM Good == ASSUME NEW n \\in Nat PROVE n + 1 > n\n"
    "\\* It does.\nTHEOREM Bad == ASSUME NEW n \\in Nat PROVE n + 1 < n\n====\n"
)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def model(last: int, config: str = "INVARIANT Small\n", name: str = "Up") -> str:
    Path(f"{name}.tla").write_text(UP.replace("MODULE Up", f"MODULE {name}").replace("LAST", str(last)))
    Path(f"{name}.cfg").write_text("INIT Init\nNEXT Next\n" + config)
    return f"{name}.cfg"


def run(*words: str) -> Result:
    result = CliRunner().invoke(main, [*words, "--quiet", "--report", "junit=j.xml,sarif=s.json,markdown=m.md,github"])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return result


def came() -> dict[str, str]:
    """What came of each case, `suite case` to the element that says so."""
    found = {}
    for suite in ElementTree.parse("j.xml").getroot():
        for case in suite.findall("testcase"):
            how = next((child.tag for child in case if child.tag in ("failure", "error", "skipped")), "passed")
            found[f"{suite.attrib['name']} {case.attrib['name']}"] = how
    return found


def annotations(result: Result) -> list[str]:
    return [line for line in result.stdout.splitlines() if line.startswith("::error")]


def test_a_deadlock() -> None:
    result = run("check", model(1))
    assert result.exit_code == 11
    assert came() == {"Up Small": "passed", "Up deadlock": "failure"} or came()["Up deadlock"] == "failure"
    assert "line=5," in annotations(result)[0], "the next-state relation"


def test_a_limit_is_an_error_and_properties_are_left_open() -> None:
    result = run("check", model(1000000, "CONSTRAINT Small\n"), "--no-deadlock", "--max-states", "1")
    assert result.exit_code == 152
    assert came()["Up search"] == "error"
    result = run("check", model(1000000, "INVARIANT Wide\n"), "--max-states", "1")
    assert result.exit_code == 151


def test_a_limit_with_a_property() -> None:
    model(1000000)
    Path("Up.tla").write_text(Path("Up.tla").read_text().replace("x < 2", "x < 3000000"))
    assert run("check", "Up.cfg", "--max-states", "5", "--engine", "python").exit_code == 152
    assert came()["Up Small"] == "skipped" and came()["Up search"] == "error"


@pytest.mark.parametrize(
    "what, status, line",
    [("module", 150, "Up.tla,line=5"), ("config", 151, "Up.cfg,line=3"), ("evaluation", 75, "Up.tla,line=5")],
)
def test_what_cannot_be_read_or_evaluated_has_its_place(what: str, status: int, line: str) -> None:
    model(5, "INVARIANT Small\n" if what != "config" else "INVARIANT Nothing\n")
    text = Path("Up.tla").read_text()
    if what == "module":
        Path("Up.tla").write_text(text.replace("x + 1", "x +"))
        line = "Up.tla,line=6"
    if what == "evaluation":
        Path("Up.tla").write_text(text.replace("x + 1", 'x + "a"'))
    result = run("check", "Up.cfg")
    assert result.exit_code == status
    assert came()["Up search"] == "error"
    assert line in annotations(result)[0], annotations(result)


def test_going_on_after_a_violation() -> None:
    result = run("check", model(5, "INVARIANTS Small Smaller\n"), "--continue", "--no-deadlock")
    assert {case: how for case, how in came().items() if "Small" in case} == {
        "Up Small": "failure",
        "Up Smaller": "failure",
    }
    assert len([line for line in annotations(result) if "is violated" in line]) >= 2


def test_several_models_one_of_them_unreadable() -> None:
    model(5, name="Down")
    model(5, "INVARIANT Nothing\n")
    assert run("check", ".").exit_code
    assert came()["Down Small"] == "failure" and came()["Up search"] == "error"
    assert "0 of 2 models" in Path("m.md").read_text()


def test_lemmas() -> None:
    Path("Lemmas.tla").write_text(LEMMAS)
    result = run("prove", "Lemmas.tla", "--workers", "1")
    assert result.exit_code == 1
    assert came() == {"Lemmas Good": "passed", "Lemmas Bad": "failure"}
    assert len(annotations(result)) == 1 and "Bad is refuted" in annotations(result)[0]
    Path("Lemmas.tla").write_text(LEMMAS.replace("n + 1 > n", "n + > n"))
    result = run("prove", "Lemmas.tla", "--workers", "1")
    assert result.exit_code == 150
    assert set(came().values()) == {"error"} and "Lemmas.tla,line=4" in annotations(result)[0]


def test_a_run() -> None:
    model(5)
    Path("run.ndjson").write_text('{"node": "a", "action": "Next", "state": {"x": 1}}\n')
    assert run("validate", "run.ndjson", "--spec", "Up.tla").exit_code == 0
    assert came() == {"run.ndjson run.ndjson": "passed"}
    Path("run.ndjson").write_text('{"node": "a", "action": "Next", "state": {"x": 7}}\n')
    result = run("validate", "run.ndjson", "--spec", "Up.tla")
    assert result.exit_code == 1
    assert came() == {"run.ndjson run.ndjson": "failure"} and annotations(result)
    Path("Up.tla").write_text("nothing")
    result = run("validate", "run.ndjson", "--spec", "Up.tla")
    assert result.exit_code == 150, result.output
    assert set(came().values()) == {"error"}


def test_an_implementation() -> None:
    words = ["conform", str(EXAMPLES / "TwoPhase.tla"), "--workers", "1", "--paths", "5"]
    result = run(*words, "--adapter", "tests.conformance.examples.adapter:TwoPhaseAdapter")
    assert result.exit_code == 0, result.output
    assert set(came().values()) <= {"passed", "skipped"} and "passed" in came().values()
    result = run(*words, "--adapter", "tests.conformance.examples.adapter:Nothing")
    assert result.exit_code
    Path("Bad.tla").write_text("nothing")
    assert run("conform", "Bad.tla").exit_code == 150
    assert set(came().values()) == {"error"}


def test_an_implementation_that_differs() -> None:
    broken = "tests.conformance.examples.broken:"
    names = [line.split("(")[0].removeprefix("class ") for line in _broken().splitlines() if line.startswith("class ")]
    for name in names:
        result = run(
            "conform", str(EXAMPLES / "TwoPhase.tla"), "--adapter", broken + name, "--workers", "1", "--paths", "5"
        )
        if result.exit_code == 1 and "failure" in came().values():
            assert annotations(result)
            return
    pytest.fail(f"none of {names} differs")


def _broken() -> str:
    return (EXAMPLES / "broken.py").read_text()


def test_each_format_has_a_writer() -> None:
    assert (*FILES,) == FORMATS


def test_a_check_reads_only_what_it_needs() -> None:
    """The verdict of a small model is there before what few checks use would have been imported."""
    spec = model(1)
    used = (
        "import sys; from rmqproof.model.cli import main\n"
        f"try: main(['check', {spec!r}, '--quiet', '--no-deadlock'])\n"
        "except SystemExit as end: print(end.code, *sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", used], capture_output=True, text=True, check=True)
    status, *modules = ran.stdout.splitlines()[-1].split()
    rare = (
        "report.junit",
        "report.sarif",
        "explore.language",
        "search.simulate",
        "search.spark.search",
        "native.engine",
    )
    assert status == "0" and "rmqproof.model.search.breadth_first" in modules
    assert not {"secrets", *(f"rmqproof.model.{name}" for name in rare)} & {*modules}


@pytest.mark.parametrize(
    ("options", "status", "failures"),
    [((), 0, set()), (("--strict",), 1, {"property trivial here"}), (("--fail-under", "99"), 1, {"Next"})],
)
def test_an_audit_fails_in_its_report_where_it_fails(options: tuple[str, ...], status: int, failures: set[str]) -> None:
    model(1, "INVARIANT Small Never\nCHECK_DEADLOCK FALSE\n")
    text = Path("Up.tla").read_text()
    Path("Up.tla").write_text(text.replace("Small ==", "Never == x > 5 => x = 9\nSmall =="))
    result = run("audit", "Up.tla", "--mutants", "9", *options)
    assert result.exit_code == status
    failed = {name.removeprefix("Up ").partition(":")[0] for name, how in came().items() if how == "failure"}
    assert failed == failures
    assert ("**wrong**" in Path("m.md").read_text()) == bool(status)
