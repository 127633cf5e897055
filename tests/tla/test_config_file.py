"""A configuration beside the specification, or in its file; every verdict here is TLC's."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rmqproof.model.cli import main
from rmqproof.model.tla.config_file import config_of, config_text
from rmqproof.model.tla.model_files import NoModel, find_models

CLOCK = """Text before the module.
---- MODULE Clock ----
EXTENDS Hours
VARIABLE hour
Init == hour = 1
Next == hour < Last /\\ hour' = hour + 1
Small == hour < 3
====
---- CONFIG Other ----
INIT Nothing
====
---- MODULE Hours ----
EXTENDS Naturals
CONSTANT Last
====
-------- CONFIG Clock --------
\\* GROUP tiny
INIT Init
NEXT Next
CONSTANT Last = 4
CHECK_DEADLOCK FALSE
=====================
Text after it.
"""


def check(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["check", "--engine", "python", *map(str, arguments)])


@pytest.fixture
def clock(tmp_path: Path) -> Path:
    path = tmp_path / "Clock.tla"
    path.write_text(CLOCK)
    return path


def test_section_is_the_configuration(clock: Path) -> None:
    for arguments in ((clock,), (clock, "--config", clock), (clock.parent,)):
        result = check(*arguments)
        assert result.exit_code == 0, result.output
        assert "4 distinct, " in result.output and "depth 4" in result.output


def test_file_beside_goes_before_the_section(clock: Path) -> None:
    clock.with_suffix(".cfg").write_text("INIT Init NEXT Next CONSTANT Last = 2 CHECK_DEADLOCK FALSE")
    assert config_of(clock) == clock.with_suffix(".cfg")
    assert "2 distinct" in check(clock).output
    assert "4 distinct" in check(clock, "--config", clock).output
    assert "2 distinct" in check(clock.parent).output  # one model, not two


def test_other_configuration_beside(clock: Path) -> None:
    other = clock.with_name("Late.cfg")
    other.write_text("\\* SPEC Clock.tla\nINIT Init NEXT Next CONSTANT Last = 6 CHECK_DEADLOCK FALSE")
    assert [model.name for model in find_models([clock.parent])] == ["Clock", "Late"]
    assert find_models([clock])[0].config == clock


@pytest.mark.parametrize("folder", ["..", "../models", "."])
def test_folder_named_by_dots(clock: Path, monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
    models = clock.parent / "models"
    (models / ".hidden").mkdir(parents=True)
    (models / "Clock.tla").write_text(CLOCK)
    (models / ".hidden" / "Clock.tla").write_text(CLOCK)
    monkeypatch.chdir(models)
    names = [model.spec.resolve() for model in find_models([Path(folder)])]
    assert names == [clock, models / "Clock.tla"][0 if folder == ".." else 1 :]


def test_groups_and_places(clock: Path) -> None:
    assert find_models([clock])[0].group == "tiny"
    clock.write_text(CLOCK.replace("NEXT Next", "NEXT  Nextt"))
    result = check(clock)
    assert result.exit_code == 151
    assert "Clock.tla:19:7: NEXT names Nextt" in result.output
    assert "    NEXT  Nextt\n" in result.output


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("-------- CONFIG Clock", "-------- CONFIG Clocks"),
        ("-------- CONFIG Clock --------", " -------- CONFIG Clock --------"),
        ("-------- CONFIG Clock --------", "-------- CONFIG Clock ---"),
    ],
)
def test_no_section(clock: Path, old: str, new: str) -> None:
    clock.write_text(CLOCK.replace(old, new).replace("CONSTANT Last\n", "Last == 4\n"))
    assert config_of(clock) is None
    assert "write it into Clock.tla as a section" in " ".join(check(clock).output.split())
    result = check(clock, "--config", clock)
    assert result.exit_code == 151
    assert "Clock.tla has no section from ---- CONFIG Clock ---- to ====" in result.output
    with pytest.raises(NoModel):
        find_models([clock.parent])


def test_end_of_a_section_stands_at_the_beginning_of_a_line(clock: Path) -> None:
    clock.write_text(CLOCK.replace("=====================", "  ===="))
    result = check(clock)
    assert result.exit_code == 151
    assert "Clock.tla:22:3: did not expect" in result.output


def test_first_section_of_the_name_counts(clock: Path) -> None:
    clock.write_text(CLOCK + "---- CONFIG Clock ----\nNothing\n====\n")
    assert check(clock).exit_code == 0


def test_no_section_of_a_module_of_constants(tmp_path: Path) -> None:
    path = tmp_path / "Facts.tla"
    path.write_text("---- MODULE Facts ----\nASSUME TRUE\n====\n")
    assert check(path, "--config", path).exit_code == 0
    path.write_text("---- MODULE Facts ----\nASSUME FALSE\n====\n")
    assert check(path, "--config", path).exit_code == 10


def test_carriage_returns(clock: Path) -> None:
    clock.write_bytes(CLOCK.replace("\n", "\r\n").encode())
    assert check(clock).exit_code == 0
    assert "CONSTANT Last = 4" in config_text(clock)


def test_module_of_tlc_goes_before_one_in_the_file(clock: Path) -> None:
    """TLC looks into the file only for a module that it finds nowhere else."""
    clock.write_text(CLOCK.replace("Hours", "Bags"))
    result = check(clock)
    assert result.exit_code == 150
    assert "Last is not known here" in result.output


def test_first_module_is_the_specification(clock: Path) -> None:
    clock.write_text("---- MODULE Hour ----\nLast == 4\n====\n" + CLOCK)
    result = check(clock)
    assert result.exit_code == 150
    assert "the module in Clock.tla is called Hour" in result.output


def test_types_and_graph(clock: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(clock.parent)
    result = CliRunner().invoke(main, ["types", str(clock)])
    assert result.exit_code == 0, result.output
    result = CliRunner().invoke(main, ["graph", str(clock), "-o", "Clock.dot"])
    assert result.exit_code == 0, result.output
    assert "4 states" in result.output


def test_expectation_of_a_section(clock: Path) -> None:
    clock.write_text(CLOCK.replace("\\* GROUP", "\\* EXPECT success distinct 4\n\\* GROUP"))
    assert check("--expect", clock).exit_code == 0
    clock.with_suffix(".cfg").write_bytes(b"\xff\x00")
    result = check("--expect", clock)
    assert result.exit_code == 2
    assert "not UTF-8 text" in result.output
