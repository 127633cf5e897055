"""What the project is delivered by, carried out where it is not at home: `make delivery`.

There is no container and no GitHub here: of the image its commands are run, of the action its steps, and the hooks as
pre-commit installs them.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
TUTORIAL = ROOT / "docs" / "tutorial"
pytestmark = pytest.mark.large


def run(command: list[str], folder: Path, **environment: str) -> str:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=folder, env=kept | environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def python_of(folder: Path) -> str:
    venv.create(folder, with_pip=True, symlinks=True)
    return str(folder / "bin" / "python")


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    for file in [*TUTORIAL.glob("Lock*.tla"), *TUTORIAL.glob("Lock*.cfg")]:
        shutil.copy(file, folder)
    return folder


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands by which the image is made, in two clean environments: one builds the wheels, one has them alone."""
    folder = tmp_path_factory.mktemp("image")
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    build, install = re.findall(r"python (-m pip (?:wheel|install) [^&\n]*)", text)
    wheels = str(folder / "wheels")
    run([python_of(folder / "build"), *build.replace("/wheels", wheels).split()], ROOT)
    run([python_of(folder / "clean"), *install.replace("/wheels", wheels).split()], folder)
    return folder / "clean" / "bin"


def test_what_is_installed_in_the_image_checks_a_folder(image: Path, models: Path, tmp_path: Path) -> None:
    """As its ENTRYPOINT, by a user who has written nothing before."""
    said = run([str(image / "rmqproof"), "check", ".", "--expect"], models, HOME=str(tmp_path))
    assert "4 of 4 models as expected." in said
    said = run([str(image / "rmqproof"), "check", "LockFixed.cfg", "--engine", "native"], models, HOME=str(tmp_path))
    assert "8 distinct" in said


def test_the_steps_of_the_action(image: Path, models: Path, tmp_path: Path) -> None:
    steps = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
    (wheel,) = (image.parents[1] / "wheels").glob("rmqproof-*.whl")
    given = {
        "PATH": f"{image}{os.pathsep}{os.environ['PATH']}",
        "PACKAGE": str(wheel),
        "MODELS": "LockFixed.cfg Lock.cfg",
        "OPTIONS": "--workers 1",
        "EXPECT": "true",
        "REPORTS": str(tmp_path / "reports"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
    }
    for step in steps:
        if "run" in step:
            run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], models, **given)
    assert {"junit.xml", "rmqproof.sarif", "Lock.itf.json"} <= {path.name for path in (tmp_path / "reports").iterdir()}
    assert "| ok | Lock | safety failure |" in (tmp_path / "summary.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("hook", ["rmqproof-check", "rmqproof-translate"])
def test_a_hook_as_pre_commit_installs_it(hook: str, models: Path, tmp_path: Path) -> None:
    pytest.importorskip("pre_commit")
    repository = tmp_path / "repository"
    shutil.copytree(models, repository)
    run(["git", "init", "-q"], repository)
    run(["git", "add", "-A"], repository)
    command = [sys.executable, "-m", "pre_commit", "try-repo", str(ROOT), hook, "--all-files", "--verbose"]
    said = run(command, repository, PRE_COMMIT_HOME=str(tmp_path / "home"))
    assert f"hook id: {hook}" in said and "Passed" in said
