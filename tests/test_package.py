"""The package is what the folders of the top level hold: in a checkout, in a wheel, and for tools that read files."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import click
import pytest

import rmqproof
from rmqproof.model.cli import main
from rmqproof.parts import files_of
from tools.editable import lay_out

ROOT = Path(__file__).parents[1]
PARTS = ("conformance", "impl", "model", "rocketmq", "spec")


def test_a_module_has_one_path_and_needs_no_link() -> None:
    assert Path(sys.modules[files_of.__module__].__file__ or "").parent == ROOT / "rmqproof"
    import rmqproof.model.tla

    assert Path(rmqproof.model.tla.__file__ or "") == ROOT / "model" / "tla" / "__init__.py"
    assert not [path for path in (ROOT / "rmqproof").iterdir() if path.is_symlink()]


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
def test_an_environment_that_is_a_link_is_not_emptied(tmp_path: Path) -> None:
    """It may be another checkout's, whose files are older than those here."""
    here, others = tmp_path / "here", tmp_path / "others"
    (here / "bin").mkdir(parents=True)
    others.mkdir()
    (others / "kept").write_text("")
    for name in ("Makefile", "requirements.lock", "pyproject.toml"):
        shutil.copy(ROOT / name, here)
    (here / ".venv").symlink_to(others)
    (here / "bin" / "python").write_text(f'#!/bin/sh\nrm -f "{others}/kept"\n')  # in the place of `-m venv --clear`
    (here / "bin" / "python").chmod(0o755)
    command = ["make", "setup", f"PYTHON={here}/bin/python"]
    done = subprocess.run(command, cwd=here, capture_output=True, text=True, check=False)
    assert done.returncode and "is a link to" in done.stderr
    assert (others / "kept").exists()


def test_a_wheel_holds_every_part(tmp_path: Path) -> None:
    build(ROOT, "wheel", tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    there = {f"rmqproof/{name}" for name, _ in files_of(PARTS)}
    assert packed <= there
    assert not {name for name in there - packed if name.endswith((".py", ".tla", ".cfg", ".c", ".h", ".toml"))}
    assert {f"rmqproof/{part}" for part in PARTS} <= {"/".join(name.split("/")[:2]) for name in packed}


TOY = """---- MODULE Toy ----
EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x < 3 /\\ x' = x + 1
Small == x < 3
====
"""


@pytest.mark.large
def test_what_is_made_from_the_source_distribution_checks_a_model(tmp_path: Path) -> None:
    """The sdist holds all that a wheel is made of, and the wheel all that the checker needs beside its dependencies."""
    build(ROOT, "sdist", tmp_path)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path, filter="data")
    source = tmp_path / archive.name.removesuffix(".tar.gz")
    assert {file.name for file in source.iterdir()} >= {"LICENSE", "NOTICE", "README.md", "pyproject.toml", "tests"}
    build(source, "wheel", tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    python, site = empty_environment(tmp_path / "environment")
    zipfile.ZipFile(wheel).extractall(site)
    (tmp_path / "Toy.tla").write_text(TOY, encoding="utf-8")
    (tmp_path / "Toy.cfg").write_text("INIT Init\nNEXT Next\nINVARIANT Small\nCHECK_DEADLOCK FALSE\n", encoding="utf-8")
    where = [str(python), "-I", "-c", "import rmqproof.model.cli as cli; print(cli.__file__)"]
    found = subprocess.run(where, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert Path(found.strip()).is_relative_to(site)
    command = [str(python), "-I", "-m", "rmqproof", "check", "Toy.tla", "--engine", "python", "--json", "-"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 12, done.stderr
    assert {name: json.loads(done.stdout)[name] for name in ("violated", "distinctStates")} == {
        "violated": "Small",
        "distinctStates": 4,
    }


def build(folder: Path, what: str, to: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", what, "-d", str(to)]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


def empty_environment(folder: Path) -> tuple[Path, Path]:
    """Its Python, and where its packages are; dependencies are those that the tests have, rmqproof is not there."""
    venv.EnvBuilder(with_pip=False, symlinks=sys.platform != "win32").create(folder)
    (site,) = [path for path in folder.rglob("site-packages") if path.is_dir()]
    # of a folder that a .pth names no .pth is read, so that the editable install is not met
    (site / "dependencies.pth").write_text(f"{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    return next(folder.glob("[bS][ic][nr]*/python*")), site


def test_tools_find_the_parts_and_what_is_added_later(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    for _ in range(2):
        lay_out(tmp_path, {"model": tmp_path / "model"})
    (tmp_path / "model" / "added.py").touch()
    assert (tmp_path / ".editable" / "rmqproof" / "model" / "added.py").is_file()


def test_the_folders_are_found_beside_the_package() -> None:
    assert list(rmqproof.__path__) == [str(ROOT / "rmqproof"), str(ROOT)]


def test_each_command_is_listed_once_and_by_its_name() -> None:
    """A part of a command lies in that command's folder, or `rmqproof --help` takes it for another command."""
    context = click.Context(main)
    listed = {name: main.get_command(context, name) for name in main.list_commands(context)}
    assert {name: command.name for name, command in listed.items() if command} == {name: name for name in listed}
    inside = [each for group in listed.values() if isinstance(group, click.Group) for each in group.commands.values()]
    assert inside and not [name for name, command in listed.items() if command in inside]
