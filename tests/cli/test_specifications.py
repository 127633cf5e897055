"""`rmqproof check` on specifications: exit status, counts and verdict are TLC's (run with one worker)."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.cli import main
from tests.observing import wait_until, written_again

SPEC = Path(__file__).with_name("specs") / "Steps.tla"
SPECS = Path(__file__).parents[1] / "specs"

ENDS = [
    # configuration, exit status, result, violated, (generated, distinct, depth)
    ("SPECIFICATION Spec\nCONSTRAINT Small\nPROPERTY Grows", 0, "success", None, (66, 16, 4)),
    ("INIT Init\nNEXT Next\nCONSTRAINT Shallow", 0, "success", None, (82, 20, 4)),
    ("INIT Init\nNEXT Next\nACTION_CONSTRAINT ShallowStep", 0, "success", None, (82, 20, 4)),
    ("INIT Init\nNEXT Next\nCONSTRAINT Small\nINVARIANT LevelAtMostFive", 0, "success", None, (66, 16, 4)),
    ("SPECIFICATION Spec\nCONSTRAINT Small\nPROPERTY NeverByThree", 13, "liveness failure", "NeverByThree", (6, 5, 2)),
    (
        "SPECIFICATION Spec\nCONSTRAINT Small\nPROPERTY StaysBelowSix",
        12,
        "safety failure",
        "StaysBelowSix",
        (22, 11, 3),
    ),
    ("SPECIFICATION Spec\nPROPERTY StartsWithoutBit", 13, "liveness failure", "StartsWithoutBit", (2, 2, 1)),
    ("SPECIFICATION Spec\nCONSTRAINT Small\nPOSTCONDITION TenStates", 10, "assumption failure", None, (66, 16, 4)),
    ("SPECIFICATION Spec\nCONSTRAINT Small\nPOSTCONDITION SixteenStates", 0, "success", None, (66, 16, 4)),
    ("SPECIFICATION Spec\nVIEW Number\nINVARIANT NeverComparable", 76, "error", None, (10, 5, 3)),
    ("INIT Init\nNEXT Climb", 11, "deadlock failure", "deadlock", (8, 8, 4)),
    ("INIT Init\nNEXT Climb\nCHECK_DEADLOCK FALSE", 0, "success", None, (8, 8, 4)),
    ("INIT Init\nNEXT Insist", 14, "error", None, (6, 6, 3)),
    ("INIT Init\nNEXT Forgetful", 75, "error", None, (2, 2, 1)),
    ("INIT Init\nNEXT Divide", 75, "error", None, (14, 14, 7)),
    ("INIT Nowhere\nNEXT Next", 0, "success", None, (0, 0, 0)),
    ("INIT Init\nNEXT Next\nINVARIANT Absent", 151, "error", None, (0, 0, 0)),
    (
        "SPECIFICATION Spec\nCONSTRAINT Small\nPROPERTY ReachesThree",
        13,
        "liveness failure",
        "ReachesThree",
        (66, 16, 4),
    ),
]


def run(*words: str) -> tuple[int, dict]:
    result = CliRunner().invoke(main, ["check", *words, "--json", "-", "--quiet"], catch_exceptions=False)
    return result.exit_code, json.loads(result.stdout)


@pytest.mark.parametrize(
    ("config", "status", "verdict", "violated", "counts"), ENDS, ids=lambda value: str(value)[-24:]
)
def test_each_way_to_end(tmp_path, config, status, verdict, violated, counts):
    path = tmp_path / "Model.cfg"
    path.write_text(config)
    code, found = run(str(SPEC), "--config", str(path))
    assert (code, found["exitStatus"], found["result"], found["violated"]) == (status, status, verdict, violated)
    assert (found["totalStates"], found["distinctStates"], found["stateDepth"]) == counts


def test_specification_that_does_not_parse(tmp_path):
    (tmp_path / "Bad.tla").write_text("---- MODULE Bad ----\nInit == (\n====\n")
    (tmp_path / "Bad.cfg").write_text("INIT Init\nNEXT Init\n")
    code, found = run(str(tmp_path / "Bad.tla"))
    assert code == 150
    assert f"{tmp_path / 'Bad.tla'}:" in found["message"]
    assert "^" in found["message"]


def test_false_assumption(tmp_path):
    (tmp_path / "Bad.tla").write_text("---- MODULE Bad ----\nASSUME Odd == 1 = 2\n====\n")
    code, found = run(str(tmp_path / "Bad.tla"))
    assert (code, found["result"]) == (10, "assumption failure")
    assert "Odd" in found["message"]


def test_an_axiom_is_not_evaluated(tmp_path):
    """As in TLC: it speaks to a prover. ASSUMPTION is another word for ASSUME."""
    text = "---- MODULE Given ----\nVARIABLE x\nInit == x = 0\nNext == x' = x\n"
    text += "AXIOM 1 = 2\nAXIOM All == \\A n : n = n\n%s\n====\n"
    (tmp_path / "Given.cfg").write_text("INIT Init\nNEXT Next\n")
    (tmp_path / "Given.tla").write_text(text % "")
    code, found = run(str(tmp_path / "Given.tla"))
    assert (code, found["result"], found["distinctStates"]) == (0, "success", 1)
    (tmp_path / "Given.tla").write_text(text % "ASSUMPTION 1 = 2")
    code, found = run(str(tmp_path / "Given.tla"))
    assert (code, found["result"]) == (10, "assumption failure")


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("name", ["DieHard", "Paxos", "PaxosSymmetric", "TokenRing", "TwoPhaseCommit"])
def test_textbook_models_as_expected(name, workers):
    result = CliRunner().invoke(main, ["check", str(SPECS / f"{name}.cfg"), "--expect", "--workers", workers])
    assert result.exit_code == 0, result.output


def test_alias_shows_what_it_says_and_the_trace_file_has_the_variables(tmp_path):
    (tmp_path / "Model.cfg").write_text("SPECIFICATION Spec\nPROPERTY NeverByThree\nALIAS Shown\n")
    words = ["check", str(SPEC), "--config", str(tmp_path / "Model.cfg"), "--out", str(tmp_path)]
    result = CliRunner().invoke(main, words)
    assert "level: 1 -> 2" in result.stdout
    assert "/\\ next = 3" in result.stdout
    trace = json.loads((tmp_path / "Model.itf.json").read_text())
    assert trace["vars"] == ["x", "y"]
    assert trace["states"][1]["#meta"] == {"index": 1, "action": "Add", "arguments": [3]}


def test_simulation_of_a_specification(tmp_path):
    (tmp_path / "Model.cfg").write_text("SPECIFICATION Spec\nPROPERTY StaysBelowSix\n")
    words = (str(SPEC), "--config", str(tmp_path / "Model.cfg"), "--simulate", "100", "--seed", "3")
    code, found = run(*words)
    assert (code, found["violated"], found["seed"]) == (12, "StaysBelowSix", 3)
    assert run(*words)[1]["behaviourLength"] == found["behaviourLength"]


def test_killed_and_resumed(tmp_path):
    """Kill the command with signal 9 again and again; resumed, it ends with the counts of TLC."""
    saved = tmp_path / "saved"
    words = [sys.executable, "-m", "rmqproof", "check", str(SPECS / "Paxos.cfg"), "--json", "-", "--quiet"]
    words += ["--checkpoint", str(saved), "--checkpoint-seconds", "0", "--workers", "1", "--engine", "python"]
    chance = random.Random(2)
    resumed = 0
    while resumed < 3:
        again = ["--resume"] if (saved / "manifest.json").exists() else []
        seen = written_again(saved / "manifest.json", chance.randint(1, 40))
        process = subprocess.Popen(words + again, stdout=subprocess.DEVNULL, env=os.environ | {"COLUMNS": "100"})
        resumed += wait_until(seen, process) and bool(again)
        process.kill()
        process.wait()
    words[words.index("--checkpoint-seconds") + 1] = "60"
    output = subprocess.run([*words, "--resume"], capture_output=True, text=True, check=True).stdout
    found = json.loads(output)
    assert (found["distinctStates"], found["totalStates"], found["stateDepth"]) == (3921, 23467, 17)


def test_changed_specification_refuses_the_checkpoint(tmp_path):
    spec = tmp_path / "Steps.tla"
    spec.write_text(SPEC.read_text())
    (tmp_path / "Steps.cfg").write_text("SPECIFICATION Spec\nCONSTRAINT Small\n")
    words = ["check", str(spec), "--checkpoint", str(tmp_path / "saved")]
    assert CliRunner().invoke(main, [*words, "--max-states", "5"]).exit_code == 152
    spec.write_text(SPEC.read_text().replace("2..3", "2..4"))
    result = CliRunner().invoke(main, [*words, "--resume"])
    assert result.exit_code == 2
    assert "belongs to another model" in result.stderr
    assert "Steps.cfg" in result.stderr


CYCLE = r"""---- MODULE Cycle ----
EXTENDS Naturals
VARIABLE x
Up == x < 3 /\ x' = x + 1
Back == x = 3 /\ x' = 1
Spec == x = 0 /\ [][Up \/ Back]_x /\ WF_x(Up \/ Back)
\* The counter never comes home.
Home == []<>(x = 0)
Top == []<>(x = 3)
Parity == x % 2
Varying == \A i \in {x} : <>(x = i)
====
"""


@pytest.fixture
def cycle(tmp_path):
    (tmp_path / "Cycle.tla").write_text(CYCLE)

    def check(config: str, *words: str) -> tuple[int, dict]:
        (tmp_path / "Cycle.cfg").write_text("SPECIFICATION Spec\n" + config)
        return run(str(tmp_path / "Cycle.tla"), *words)

    return check


def test_liveness_failure_is_a_prefix_and_a_cycle(cycle, tmp_path):
    code, found = cycle("PROPERTIES Top Home", "--out", str(tmp_path / "out"))
    assert (code, found["result"], found["violated"]) == (13, "liveness failure", "Home")
    verdicts = {prop["name"]: prop["verdict"] for prop in found["properties"]}
    assert verdicts == {"Top": "holds", "Home": "violated", "deadlock": "holds"}
    trace = json.loads(Path(found["trace"]).read_text())
    assert trace["loop"] == 1 and [state["x"] for state in trace["states"]] == [0, 1, 2, 3]
    assert "goes on as from step 2" in (tmp_path / "out" / "Cycle.txt").read_text()


def test_liveness_is_checked_on_what_a_view_identifies(cycle):
    code, found = cycle("PROPERTY Top\nVIEW Parity\nCHECK_DEADLOCK FALSE")
    assert (code, found["distinctStates"]) == (0, 2)
    assert any("without VIEW, on 4 states" in finding["sentence"] for finding in found["findings"])


def test_liveness_that_cannot_be_checked_is_refused_with_its_place(cycle):
    code, found = cycle("PROPERTY Varying")
    assert (code, found["result"]) == (77, "error")
    assert "Cycle.tla:11" in found["message"] and "varies" in found["message"]
    assert cycle("PROPERTY Varying", "--ignore-liveness")[0] == 0


def test_liveness_after_a_resume(cycle, tmp_path):
    checkpoint = ("--checkpoint", str(tmp_path / "kept"))
    assert cycle("PROPERTY Home", *checkpoint, "--max-states", "2")[0] == 152
    assert cycle("PROPERTY Home", *checkpoint, "--resume")[0] == 13


def test_violated_invariant_leaves_liveness_undecided(cycle, tmp_path):
    text = CYCLE.replace("Parity ==", "Small == x < 2\nParity ==")
    (tmp_path / "Cycle.tla").write_text(text)
    for words in ((), ("--continue",)):
        code, found = cycle("INVARIANT Small\nPROPERTY Home", *words)
        assert code == 12
        assert {prop["name"]: prop["verdict"] for prop in found["properties"]}["Home"] != "holds"


def written(folder, body, config="INIT Init\nNEXT Next\nINVARIANT Inv\n"):
    text = f"---- MODULE Small ----\nEXTENDS Naturals\nVARIABLES x, unread\nInv == x = 0\n{body}\n====\n"
    (folder / "Small.tla").write_text(text)
    (folder / "Small.cfg").write_text(config)
    return str(folder / "Small.tla")


def test_the_part_of_an_assumption_that_is_false_has_its_place(tmp_path):
    spec = written(
        tmp_path, "ASSUME 1 = 1 /\\ (2 = 2 /\\ 3 = 4)\nInit == x = 0 /\\ unread = 0\nNext == UNCHANGED <<x, unread>>"
    )
    _, found = run(spec)
    assert "Small.tla:5:27: this assumption is false, because this is" in found["message"]
    assert "\n" + " " * 30 + "^^^^^\n" in found["message"]


def test_a_next_state_action_without_a_step_is_refused_where_tlc_does(tmp_path):
    body = "Init == x = 0 /\\ unread = 0\nNext == FALSE\nSpec == Init /\\ [][Next]_<<x, unread>>"
    code, found = run(written(tmp_path, body))
    assert (code, found["result"]) == (151, "error")
    assert "the next-state action Next is a constant" in found["message"]
    assert run(written(tmp_path, body, "SPECIFICATION Spec\n"))[1]["result"] == "deadlock failure"


def test_an_action_that_is_never_possible_is_a_deadlock(tmp_path):
    spec = written(tmp_path, "Init == x = 0 /\\ unread = 0\nNext == FALSE /\\ x' = 1 /\\ unread' = 0")
    assert run(spec)[1]["result"] == "deadlock failure"
    code, found = run(spec, "--no-deadlock")
    assert (code, found["result"], found["distinctStates"]) == (0, "success", 1)
    assert any(finding["subject"] == "Next" for finding in found["findings"])


def test_no_initial_state_is_said_even_when_quiet(tmp_path):
    spec = written(tmp_path, "Init == x = 0 /\\ x = 1 /\\ unread = 0\nNext == UNCHANGED <<x, unread>>")
    result = CliRunner().invoke(main, ["check", spec, "--quiet"])
    assert result.exit_code == 0
    assert "No state was explored" in result.output


def test_what_looks_suspicious_is_not_said_beside_an_error(tmp_path):
    broken = written(tmp_path, 'Init == x = 0 /\\ unread = 0\nNext == x\' = x + "a" /\\ UNCHANGED unread')
    assert "never read" not in CliRunner().invoke(main, ["check", broken]).output
    sound = written(tmp_path, "Init == x = 0 /\\ unread = 0\nNext == UNCHANGED <<x, unread>>")
    assert "never read" in CliRunner().invoke(main, ["check", sound]).output


def _on_a_terminal(words, columns):
    ours, theirs = os.openpty()
    env = os.environ | {"COLUMNS": str(columns), "TERM": "dumb", "NO_COLOR": "1"}
    process = subprocess.Popen([sys.executable, "-m", "rmqproof", *words], stdout=theirs, stderr=theirs, env=env)
    os.close(theirs)
    said = b""
    try:
        while part := os.read(ours, 65536):
            said += part
    except OSError:  # nobody has it open any more
        pass
    os.close(ours)
    process.wait()
    return said.decode()


def test_narrow_terminals(tmp_path):
    spec = written(tmp_path, "Init == x = 0 /\\ unread = 0\nNext == x' = 1 /\\ UNCHANGED unread")
    lines = _on_a_terminal(["check", spec], columns=60).splitlines()
    table = lines[next(number for number, line in enumerate(lines) if line.startswith("property")) :][:3]
    assert [line.split()[0] for line in table] == ["property", "Inv", "deadlock"]
