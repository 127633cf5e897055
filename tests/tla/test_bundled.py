"""What comes with rmqproof is found by its name, in whichever folder of `spec/` it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.cli import main
from rmqproof.model.tla.library import ASKED, PROTOCOL, bundled, bundled_models, bundled_name
from rmqproof.model.tla.model_files import NoModel, find_models

FILES = [path for path in PROTOCOL.rglob("*") if path.suffix in (".tla", ".cfg")]


def test_no_two_files_have_one_name() -> None:
    assert len(FILES) > 500
    assert {bundled(path.name) for path in FILES} == set(FILES)


def test_nothing_lies_outside_of_the_folders() -> None:
    assert {len(path.relative_to(PROTOCOL).parts) for path in FILES} == {2}


def test_a_name_that_nothing_has() -> None:
    assert not bundled("Nothing.cfg").exists()
    assert bundled_name("TwoBrokers.cfg") == "spec/models/TwoBrokers.cfg"


def test_the_models_that_are_checked_where_none_is_named_are_in_the_order_of_their_names() -> None:
    names = [path.name for path in bundled_models()]
    assert names == sorted(names)
    assert {path.parent.name for path in bundled_models()} == set(ASKED)


def test_a_configuration_and_its_specification_in_another_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Named without the way from one to the other, which traces and messages show."""
    (files,) = find_models([bundled("TwoBrokers.cfg")])
    assert files.spec == bundled("ControllerMode.tla")
    monkeypatch.chdir(PROTOCOL.parent)
    (files,) = find_models([Path("spec/models/TwoBrokers.cfg")])
    assert files.spec == Path("spec/core/ControllerMode.tla")


def test_a_link_is_followed_as_the_system_does(tmp_path: Path) -> None:
    """Where the folder before `..` is a link, the file is not where the shorter path says."""
    for folder in ("here/models", "there/core", "here/core"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "there" / "models").mkdir()
    (tmp_path / "here" / "linked").symlink_to(tmp_path / "there" / "models")
    for folder in ("here", "there"):
        (tmp_path / folder / "core" / "M.tla").write_text(f'---- MODULE M ----\nWhere == "{folder}"\n====\n')
    (tmp_path / "there" / "models" / "A.cfg").write_text("\\* SPEC ../core/M.tla\n")
    (files,) = find_models([tmp_path / "here" / "linked" / "A.cfg"])
    assert "there" in files.spec.read_text()


def test_a_specification_without_a_configuration_of_its_name_says_which_there_are() -> None:
    with pytest.raises(NoModel, match=r"spec/models/TwoBrokers\.cfg"):
        find_models([bundled("ControllerMode.tla")])


def test_a_command_takes_a_name_of_what_comes_with_rmqproof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["check", "rmqproof:SettingsUnclean.cfg", "--expect"])
    assert done.exit_code == 0, done.output
    assert "AckedDurability is violated" in " ".join(done.output.split())
    done = CliRunner().invoke(main, ["types", "rmqproof:LogHeads.tla"])
    assert done.exit_code == 0 and "figure" in done.output
    done = CliRunner().invoke(main, ["check", "rmqproof:Nothing.cfg"])
    assert done.exit_code == 2 and "Nothing.cfg" in done.output
