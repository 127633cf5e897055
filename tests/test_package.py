"""The package is what the folders of the top level hold: in a checkout, in a wheel, and for tools that read files."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import rmqproof
from rmqproof.parts import files_of
from tools.editable import lay_out

ROOT = Path(__file__).parents[1]
PARTS = ("conformance", "impl", "model", "rocketmq", "spec")


def test_a_module_has_one_path_and_needs_no_link() -> None:
    assert Path(sys.modules[files_of.__module__].__file__ or "").parent == ROOT / "rmqproof"
    import rmqproof.model.tla

    assert Path(rmqproof.model.tla.__file__ or "") == ROOT / "model" / "tla" / "__init__.py"
    assert not [path for path in (ROOT / "rmqproof").iterdir() if path.is_symlink()]


def test_a_wheel_holds_every_part(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    there = {f"rmqproof/{name}" for name, _ in files_of(PARTS)}
    assert packed <= there
    assert not {name for name in there - packed if name.endswith((".py", ".tla", ".cfg", ".c", ".h", ".toml"))}
    assert {f"rmqproof/{part}" for part in PARTS} <= {"/".join(name.split("/")[:2]) for name in packed}


def test_tools_find_the_parts_and_what_is_added_later(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    for _ in range(2):
        lay_out(tmp_path, {"model": tmp_path / "model"})
    (tmp_path / "model" / "added.py").touch()
    assert (tmp_path / ".editable" / "rmqproof" / "model" / "added.py").is_file()


def test_the_folders_are_found_beside_the_package() -> None:
    assert list(rmqproof.__path__) == [str(ROOT / "rmqproof"), str(ROOT)]
