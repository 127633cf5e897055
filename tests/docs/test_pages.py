"""What is made from the code is current, and commands print what stands below them."""

from __future__ import annotations

import difflib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from rmqproof.model.cli.commands.check import command as check
from rmqproof.model.cli.commands.translate import command as translate
from tools.docs.examples import PAGES, anew, same
from tools.docs.reference import REFERENCE

ROOT = Path(__file__).parents[2]


DOCUMENTS = """
import json
from tools.docs.reference import documents
print(json.dumps({path.name: text for path, text in documents().items()}))
"""


def test_the_reference_is_current() -> None:
    """As a process of its own makes it: click keeps what a command was like where a test called it first."""
    made = subprocess.run([sys.executable, "-c", DOCUMENTS], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    wanted = json.loads(made.stdout)
    for name, text in wanted.items():
        page = (REFERENCE / name).read_text("utf-8")
        found = "\n".join(difflib.unified_diff(page.splitlines(), text.splitlines(), "page", "code", n=1, lineterm=""))
        assert not found, f"run `make pages`\n{found}"
    assert {path.name for path in REFERENCE.glob("*.md")} == wanted.keys()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_print_what_stands_below_them(page: Path) -> None:
    now, then = anew(page, PAGES[page]), page.read_text(encoding="utf-8")
    difference = "\n".join(difflib.unified_diff(then.splitlines(), now.splitlines(), "page", "printed", lineterm=""))
    assert same(then, now), f"run `make pages`\n{difference}"


def test_another_output_is_no_same_one() -> None:
    assert same("8 states in 0.1 s, 1,234 states/s", "8 states in 12.0 s, 9 states/s")
    assert not same("8 states in 0.1 s", "9 states in 0.1 s")
    assert not same("OneInside is violated", "OneInside holds")


def test_the_site_has_every_page_of_its_navigation() -> None:
    assert not [page for page in _pages(_yaml(ROOT / "mkdocs.yml")["nav"]) if not (ROOT / "docs" / page).is_file()]


def test_the_hosted_workflow_runs_what_the_readme_says() -> None:
    """Its syntax was looked at with actionlint; here that it parses, and that the Pythons are those of the package."""
    jobs = _yaml(ROOT / ".github" / "workflows" / "ci.yml")["jobs"]
    assert jobs["test"]["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13"]
    commands = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    assert commands == [".ci/run", "make site"]
    assert "make test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_the_action_passes_options_that_there_are() -> None:
    """Its syntax was looked at with GitHub's schema; here that the command line that it makes is understood."""
    steps = _yaml(ROOT / "action.yml")["runs"]["steps"]
    script = steps[-1]["run"]
    assert set(re.findall(r"\$([A-Z_]+)", script)) - {"GITHUB_STEP_SUMMARY"} <= set(steps[-1]["env"])
    options = {name for param in check.params for name in (*param.opts, *param.secondary_opts)}
    assert set(re.findall(r"--[a-z-]+", script)) <= options


def test_the_hooks_are_commands() -> None:
    for hook in _yaml(ROOT / ".pre-commit-hooks.yaml"):
        _, name, *options = hook["entry"].split()
        command = {"check": check, "translate": translate}[name]
        assert set(options) <= {option for param in command.params for option in param.opts}
        assert re.search(hook["files"], "spec/models/TwoBrokers.cfg" if name == "check" else "spec/core/Operations.tla")


def _yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def _pages(entry: Any) -> list[str]:
    if isinstance(entry, str):
        return [entry]
    values = entry.values() if isinstance(entry, dict) else entry
    return [page for value in values for page in _pages(value)]
