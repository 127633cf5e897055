"""The public benchmark: which models, what a row is, and that a regression shows."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.cli import main
from rmqproof.model.suite.collection import Counts, PublishedModel
from rmqproof.model.suite.timing import (
    Row,
    Taken,
    TimedModel,
    geometric_mean,
    middle,
    models_of,
    read,
    run_ours,
    written,
)
from rmqproof.model.suite.timing_tables import compared, table_of

SPECS = Path(__file__).parents[1] / "specs"
TLC = Taken(20.0, 11.0, 900.0, (10, 30, 4), "success")
OURS = Taken(2.0, 1.5, 80.0, (10, 30, 4), "success")
ROW = Row("A", TLC, replace(OURS, processor=4.0), OURS)


def test_models_are_those_that_the_manifests_say_take_a_while() -> None:
    def published(name: str, seconds: float | None, **other: str) -> PublishedModel:
        given = {"mode": "exhaustive search", "result": "success", **other}
        return PublishedModel(name, Path(), Path(f"{name}.tla"), Path(), counts=Counts(), seconds=seconds, **given)

    models = [
        published("quick", 1.0),
        published("taken", 10.0),
        published("broken", 20.0, result="safety failure"),
        published("drawn", 20.0, mode="simulate"),
        published("unknown", None),
        published("long", 900.0),
    ]
    assert [model.name for model in models_of(models, 10.0, 300.0)] == ["taken"]


def test_a_run_of_ours_counts_what_it_starts() -> None:
    model = TimedModel("DieHard", SPECS, SPECS / "DieHard.tla", SPECS / "DieHard.cfg")
    taken = run_ours(model, "", 1, 600)
    assert (taken.result, taken.complete) == ("safety failure", True)
    assert taken.processor > 0 and taken.memory > 1


def test_a_run_that_is_stopped_is_in_no_way_a_result() -> None:
    model = TimedModel("DieHard", SPECS, SPECS / "DieHard.tla", SPECS / "DieHard.cfg")
    taken = run_ours(model, "", 1, 0.0)
    assert (taken.result, taken.complete) == ("stopped", False)


def test_rows_are_written_and_read(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(written([ROW], {"commit": "abc", "workers": 2}))
    assert read(path) == ({"commit": "abc", "workers": 2}, [ROW])


def test_a_row_with_other_counts_is_in_no_mean() -> None:
    wrong = Row("B", TLC, OURS, replace(OURS, counts=(9, 30, 4)))
    assert ROW.same and not wrong.same
    table = table_of([ROW, wrong], "abc")
    cells = [list(column.cells) for column in table.columns]
    assert cells[0][:3] == ["geometric mean of 1", "worst of 1", "best of 1"]
    assert cells[6][0] == "5.0" and cells[7][0] == "10.0"
    assert any("(10, 30, 4), ours success" in str(cell) for cell in cells[0])


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ([ROW], []),
        ([replace(ROW, warm=replace(OURS, processor=1.0))], []),
        ([replace(ROW, warm=replace(OURS, processor=3.0))], ["A"]),
        ([replace(ROW, cold=replace(OURS, processor=8.0))], ["A"]),
        ([replace(ROW, tlc=replace(TLC, processor=40.0), warm=replace(OURS, processor=4.0))], []),
        ([replace(ROW, warm=replace(OURS, counts=(9, 30, 4)))], ["A"]),
        ([replace(ROW, name="B")], ["A"]),
    ],
    ids=["same", "faster", "slower", "slower cold", "a slower machine", "other counts", "gone"],
)
def test_a_regression_shows(after: list[Row], expected: list[str]) -> None:
    assert compared([ROW], after)[1] == expected


def test_a_program_that_was_lost_shows() -> None:
    """A row of the public models fell back to Python for a day."""
    native = replace(ROW, warm=replace(OURS, engine="native"))
    lost = replace(ROW, warm=replace(OURS, processor=8.0, engine="python"))
    table, bad = compared([native], [lost])
    assert bad == ["A"] and "slower, no more in machine code" in table.columns[-1].cells
    assert "A (in Python)" in table_of([lost], "abc").columns[0].cells


def test_the_middle_of_several_runs_is_one_of_them() -> None:
    runs = [replace(OURS, processor=seconds) for seconds in (3.0, 1.0, 2.0, 9.0)]
    assert middle(runs) in runs and middle(runs).processor in (2.0, 3.0)
    assert geometric_mean([2.0, 8.0]) == pytest.approx(4.0)


def test_a_model_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Times are those of this machine; the verdict and the counts are the model's."""
    monkeypatch.delenv("TLC_CLASSPATH", raising=False)
    rows, runner = tmp_path / "rows.json", CliRunner()
    done = runner.invoke(main, ["bench", str(SPECS / "DieHard.cfg"), "--quiet", "--json", str(rows)])
    assert done.exit_code == 0, done.output
    about, (row,) = read(rows)
    assert (row.name, row.tlc, row.warm.result, about["workers"]) == ("DieHard", None, "safety failure", 1)
    assert "DieHard" in done.output and "TLC" not in done.output
    content = json.loads(rows.read_text())
    content["rows"][0]["warm"]["processor"] /= 1e6
    rows.write_text(json.dumps(content))
    done = runner.invoke(main, ["bench", str(SPECS / "DieHard.cfg"), "--quiet", "--compare", str(rows)])
    assert done.exit_code == 1 and "slower" in done.output


def test_what_is_no_earlier_run(tmp_path: Path) -> None:
    config = str(SPECS / "DieHard.cfg")
    done = CliRunner().invoke(main, ["bench", config, "--compare", config])
    assert done.exit_code == 2 and "--json has written" in done.output


def test_what_gives_no_verdict_is_no_time(tmp_path: Path) -> None:
    (tmp_path / "Broken.tla").write_text("---- MODULE Broken ----\nInit == \n====\n")
    (tmp_path / "Broken.cfg").write_text("INIT Init\nNEXT Next\n")
    done = CliRunner().invoke(main, ["bench", str(tmp_path / "Broken.cfg"), "--quiet"])
    assert done.exit_code == 1 and "error" in done.output


def test_a_row_that_was_stopped_is_in_no_mean() -> None:
    stopped = replace(ROW, name="B", warm=replace(OURS, result="stopped", complete=False))
    assert stopped.same and not stopped.timed
    cells = [list(column.cells) for column in table_of([ROW, stopped], "abc").columns]
    assert cells[0][0] == "geometric mean of 1" and "B: stopped" in cells[0]
