"""For an editable installation: a folder in which tools that read files find the package as it is when installed.

`rmqproof/__init__.py` finds `model/`, `impl/` and the others beside it when it runs. Mypy, Pyright and editors do not
run it: for them `.editable/rmqproof/` has an entry for each of these folders (`mypy_path` and `stubPath` in
pyproject.toml). Nothing is imported from there, and it is not under version control. On Windows the entries are
junctions, which need no privilege.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDER = ".editable"


class EditableBuildHook(BuildHookInterface[Any]):
    """Called by the build backend for each build; `version` is `editable` or `standard`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            root = Path(self.root)
            folders = self.build_config.target_config["sources"]
            lay_out(root, {Path(there).name: root / here for here, there in folders.items()})


def lay_out(root: Path, folders: dict[str, Path]) -> None:
    """Write `.editable/rmqproof/` anew: each folder under its name."""
    package = root / FOLDER / "rmqproof"
    package.mkdir(parents=True, exist_ok=True)
    for old in package.iterdir():
        if old.is_symlink():
            old.unlink()
        else:
            old.rmdir()  # a junction: the folder that it stands for stays
    for name, folder in folders.items():
        _enter(folder, package / name)


def _enter(folder: Path, entry: Path) -> None:
    if sys.platform == "win32":
        import _winapi

        _winapi.CreateJunction(str(folder), str(entry))
    else:
        entry.symlink_to(os.path.relpath(folder, entry.parent), target_is_directory=True)
