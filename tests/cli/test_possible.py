"""`_POSSIBLE`: every formula that it names is true of some reachable state or step. The exit statuses are TLC's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rmqproof.model.cli import main

LAMP = """---- MODULE Lamp ----
EXTENDS Naturals, FiniteSets, TLC
VARIABLES lamp, uses
Init == lamp = "off" /\\ uses = 0
On == lamp = "off" /\\ uses < 3 /\\ lamp' = "on" /\\ uses' = uses + 1
Off == lamp = "on" /\\ lamp' = "off" /\\ UNCHANGED uses
Next == On \\/ Off
Spec == Init /\\ [][Next]_<<lamp, uses>>
Start == uses = 0
End == uses = 3 /\\ lamp = "off"
Broken == uses = 4
SwitchOn == On /\\ uses = 2
Idle == UNCHANGED <<lamp, uses>>
LastOff == uses' = 3 /\\ Off
Able == uses = 2 /\\ ENABLED On
Few == uses < 3
Short == uses' < 3
Third == uses = 3
ToThird == uses' = 3
Apart == lamp = 1
Constant == 1 = 1
Always == [](uses < 9)
Small == uses < 2
Deep == TLCGet("level") = 7
Enough == TLCGet("distinct") > 100
Counted == TLCGet("all:named")["s:_possible"][1] = [Start |-> 1, Able |-> 1, LastOff |-> 1, Third |-> 2, Broken |-> 0]
Others == DOMAIN TLCGet("all:named") = {}
====
"""


def run(folder: Path, config: str, *more: str) -> tuple[int, dict[str, Any], str]:
    (folder / "Lamp.tla").write_text(LAMP)
    (folder / "Lamp.cfg").write_text(f"SPECIFICATION Spec\nCHECK_DEADLOCK FALSE\n{config}\n")
    to = folder / "result.json"
    result = CliRunner().invoke(main, ["check", str(folder / "Lamp.tla"), "--json", str(to), *more])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return result.exit_code, json.loads(to.read_text()) if to.exists() else {}, result.output


@pytest.mark.parametrize("engine", ["python", "auto"])
@pytest.mark.parametrize(
    ("config", "missed"),
    [
        ("_POSSIBLE Start End", ""),
        ("_POSSIBLE SwitchOn LastOff Able", ""),
        ("_POSSIBLE Deep", ""),
        ("_POSSIBLE Broken", "Broken"),
        ("_POSSIBLE Start Broken Idle\n_POSSIBLE End", "Broken, Idle"),
        ("_POSSIBLE Third\nCONSTRAINT Few", "Third"),
        ("_POSSIBLE ToThird\nCONSTRAINT Few", "ToThird"),
        ("_POSSIBLE ToThird\nACTION_CONSTRAINT Short", "ToThird"),
        ("_POSSIBLE Third\nACTION_CONSTRAINT Short", ""),
    ],
)
def test_what_is_possible(tmp_path: Path, config: str, missed: str, engine: str) -> None:
    """A state is looked at before the action constraints cut the step to it, as in TLC."""
    status, found, _ = run(tmp_path, config, "--engine", engine)
    assert status == (10 if missed else 0), found
    assert found["result"] == ("assumption failure" if missed else "success")
    assert found["message"].endswith(f"makes {missed} true." if missed else "")
    assert "constraint cut nothing" not in {finding["kind"] for finding in found["findings"]}


def test_what_goes_before(tmp_path: Path) -> None:
    assert run(tmp_path, "_POSSIBLE Broken\nINVARIANT Small")[0] == 12
    assert run(tmp_path, "_POSSIBLE Broken\nPOSTCONDITION Enough")[1]["message"].startswith("The postcondition Enough")
    status, _, output = run(tmp_path, "_POSSIBLE Apart")
    assert (status, "Lamp.tla:" in output) == (75, True), output


def test_counts_in_the_register_of_tlc(tmp_path: Path) -> None:
    status, found, _ = run(tmp_path, "_POSSIBLE Start Able LastOff Third Broken\nPOSTCONDITION Counted")
    assert (status, found["message"][:12]) == (10, "Not possible"), found
    assert run(tmp_path, "POSTCONDITION Others")[0] == 0


@pytest.mark.parametrize(
    ("name", "cause"), [("Constant", "is a constant"), ("Always", "a temporal formula"), ("Nothing", "does not define")]
)
def test_what_cannot_be_asked(tmp_path: Path, name: str, cause: str) -> None:
    status, _, output = run(tmp_path, f"_POSSIBLE {name}")
    assert (status, cause in output) == (151, True), output


def test_part_of_a_search_tells_nothing(tmp_path: Path) -> None:
    assert run(tmp_path, "_POSSIBLE Broken", "--max-states", "2")[0] == 152
    assert run(tmp_path, "_POSSIBLE Broken", "--max-states", "2", "--checkpoint", str(tmp_path / "saved"))[0] == 152
    status, _, output = run(tmp_path, "_POSSIBLE Broken", "--checkpoint", str(tmp_path / "saved"), "--resume")
    assert (status, "cannot be resumed" in output) == (2, True), output


def test_another_section_is_refused_by_name(tmp_path: Path) -> None:
    status, _, output = run(tmp_path, "_RL_REWARD Start")
    assert (status, "_RL_REWARD is not supported" in output) == (151, True), output


def test_what_tlc_evaluates_while_it_simulates_is_said_to_be_left_out(tmp_path: Path) -> None:
    """A search leaves it out in TLC, too."""
    status, _, output = run(tmp_path, "_PERIODIC Start")
    assert (status, "is not evaluated" in output) == (0, False), output
    status, _, output = run(tmp_path, "_PERIODIC Start", "--simulate", "3")
    assert (status, "Start of _PERIODIC is not evaluated" in " ".join(output.split())) == (0, True), output
    status, _, output = run(tmp_path, "_PERIODIC Nowhere")
    assert (status, "Nowhere" in output) == (151, True), output
