"""`rmqproof infer` as a user runs it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rmqproof.model.cli.commands.infer import command
from rmqproof.model.cli.commands.prove import command as prove
from rmqproof.model.infer.induction import Induction

PROTOCOLS = Path(__file__).parent / "protocols"
SPECS = Path(__file__).parents[1] / "specs"
SQUARES = """---- MODULE Squares ----
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\\ y = 0
Next == x < 12 /\\ x' = x + 1 /\\ y' = y + 2 * x + 1
Spec == Init /\\ [][Next]_<<x, y>>
\\* The number is one that no square is.
NeverSixty == y # 60
Low == x < 99
====
"""

BESIDES = """---- MODULE Besides ----
EXTENDS Naturals
VARIABLES x, y, z
Init == x = 0 /\\ y = 0 /\\ z = 0
Next == x' = x + y /\\ y' = y /\\ z' = (z + 2) % 6
Spec == Init /\\ [][Next]_<<x, y, z>>
Stays == x = 0
NoSpeed == y = 0
NotThree == z # 3
====
"""

RARE = """---- MODULE Rare ----
EXTENDS Naturals, Sequences
VARIABLES y, s
Odd == s[1] # y
Init == y = 0 /\\ s = <<0>>
Next == /\\ y < 1000 /\\ (IF s = <<>> THEN TRUE ELSE Odd \\/ TRUE)
        /\\ y' = (IF s = <<>> THEN y ELSE s[1]) + 1
        /\\ s' = IF y' = 777 THEN <<>> ELSE <<y'>>
Spec == Init /\\ [][Next]_<<y, s>>
Low == y < 1001
====
"""

BITS = """---- MODULE Bits ----
EXTENDS Naturals
VARIABLE f
Init == f = [i \\in 1..3 |-> 0]
Next == \\E i \\in 1..3 : f' = [f EXCEPT ![i] = 1 - f[i]]
Spec == Init /\\ [][Next]_f
AreBits == \\A i \\in 1..3 : f[i] \\in {0, 1}
====
"""


def inferred(folder: Path, spec: Path, *options: str) -> tuple[int, dict[str, Any], str]:
    """The exit status, what is written as JSON, and what is printed."""
    to = folder / "result.json"
    result = CliRunner().invoke(command, [str(spec), "--out", str(folder), "--json", str(to), *options])
    return result.exit_code, json.loads(to.read_text()) if to.exists() else {}, result.output


def written(folder: Path, text: str, *invariants: str) -> Path:
    path = folder / f"{text.split()[2]}.tla"
    path.write_text(text)
    path.with_suffix(".cfg").write_text(f"SPECIFICATION Spec\nINVARIANTS {' '.join(invariants)}\n")
    return path


def squares(folder: Path) -> Path:
    return written(folder, SQUARES, "NeverSixty")


def test_a_lock_server(tmp_path: Path) -> None:
    """Found without hints, for any number of clients and servers; `prove` agrees, and not without the conjunct."""
    status, found, output = inferred(tmp_path, PROTOCOLS / "LockServer.tla", "--any", "Client", "--any", "Server")
    assert status == 0, output
    assert found["result"] == "found"
    assert found["sizes"] == {"Client": "of any number", "Server": "of any number"}
    assert len(found["invariant"]) == 2
    module = tmp_path / "LockServerInvariant.tla"
    again = CliRunner().invoke(prove, [str(module), "--any", "Client", "--any", "Server"])
    assert again.exit_code == 0
    assert "3 proved" in again.output
    module.write_text(module.read_text().replace("  /\\ Lemma1\n", ""))
    assert CliRunner().invoke(prove, [str(module)]).exit_code == 1


def test_two_phase_commit(tmp_path: Path) -> None:
    status, found, output = inferred(tmp_path, SPECS / "TwoPhaseCommit.tla", "--property", "Consistent")
    assert status == 0, output
    assert set(found["proofs"].values()) == {"proved"}
    assert found["properties"] == ["Consistent"]


def test_messages_in_the_state(tmp_path: Path) -> None:
    """What was sent is a set of records: conjuncts speak of its elements.

    The module's own lemma, which is wrong, is none of those that are asked for.
    """
    spec = SPECS.parents[1] / "docs" / "how-to" / "files" / "Fencing.tla"
    status, found, output = inferred(tmp_path, spec, "--any", "Client", "--states", "4000")
    assert status == 0, output
    assert any(" \\in sent : " in conjunct for conjunct in found["invariant"])
    assert found["proofs"] == dict.fromkeys(found["proofs"], "proved")
    assert "Inductive" not in found["proofs"]


def test_functions_on_numbers(tmp_path: Path) -> None:
    status, found, output = inferred(tmp_path, SPECS / "TokenRing.tla")
    assert (status, found["invariant"]) == (0, ["SomeToken"]), output


def test_a_property_that_does_not_hold(tmp_path: Path) -> None:
    status, found, output = inferred(tmp_path, SPECS / "DieHard.tla", "--property", "NotSolved")
    assert status == 12
    assert found["result"] == "violated"
    assert len(found["counterexample"]) == 7
    assert "NotSolved is violated in step 7." in output
    assert not list(tmp_path.glob("*.tla"))


def test_no_invariant_is_found(tmp_path: Path) -> None:
    """No candidate says that y is the square of x: the step that is left is shown, and how near candidates come."""
    status, found, output = inferred(
        tmp_path, written(tmp_path, SQUARES, "NeverSixty", "Low"), "--property", "NeverSixty"
    )
    assert status == 1
    assert found["result"] == "not found"
    assert found["assumed"][0] == "Low"
    assert "Assumed besides, since it holds in the reachable states:\n  Low\n" in output
    before, after = (step["state"] for step in found["counterexample"])
    assert after["y"] == 60
    assert before["y"] + 2 * before["x"] + 1 == 60
    assert "not reachable: it is none of the 13 reachable states" in output
    assert found["excludedBy"]
    assert all(near["falseIn"] > 0 for near in found["excludedBy"])


def test_other_invariants_are_conjuncts_if_they_are_needed(tmp_path: Path) -> None:
    """`NotThree` holds, is not inductive, and has nothing to do with the property."""
    spec = written(tmp_path, BESIDES, "Stays", "NoSpeed", "NotThree")
    status, record, said = inferred(tmp_path, spec, "--property", "Stays")
    assert (status, record["invariant"], record["assumed"]) == (0, ["Stays", "NoSpeed"], []), said
    assert "needed: NoSpeed" in said
    assert "NotThree" not in said


def test_words_without_a_value_in_a_state_that_is_not_looked_at(tmp_path: Path) -> None:
    """`Odd` has none in one of a thousand states, and is no candidate."""
    spec = written(tmp_path, RARE, "Low")
    status, found, said = inferred(tmp_path, spec)
    assert (status, found["result"]) == (1, "not found"), said
    assert "Odd" not in said


def test_the_domain_of_a_function_is_a_conjunct_where_others_need_it(tmp_path: Path) -> None:
    """Without it `f[i]` is not known to have a value."""
    spec = written(tmp_path, BITS, "AreBits")
    status, found, said = inferred(tmp_path, spec)
    assert (status, found["invariant"]) == (0, ["DOMAIN f = (1 .. 3)", "AreBits"]), said
    assert "InvIsInductive: unknown (AreBits has a value" in said


def test_a_hint_helps(tmp_path: Path) -> None:
    hints = tmp_path / "hints"
    hints.write_text("\\* What is true of both numbers.\ny = x * x\n/\\ x > 20\n")
    status, found, output = inferred(tmp_path, squares(tmp_path), "--hints", str(hints))
    assert status == 0, output
    assert found["invariant"] == ["NeverSixty", "y = x * x"]
    assert "does not hold in every reachable state: x > 20" in output


def test_a_hint_that_cannot_be_read(tmp_path: Path) -> None:
    hints = tmp_path / "hints"
    hints.write_text("y = unknown\n")
    status, _, output = inferred(tmp_path, squares(tmp_path), "--hints", str(hints))
    assert status == 150
    assert "unknown" in output


def test_time_is_over_and_resumed(tmp_path: Path) -> None:
    """What the first search had found is where the second begins."""
    spec = PROTOCOLS / "MessageLock.tla"
    status, found, output = inferred(tmp_path, spec, "--seconds", "0.001")
    assert (status, found["result"]) == (1, "not found")
    assert "The time was over" in output
    kept = {"conjuncts": ["grant = {} \\/ holding = {}", "free => holding = {}"]}
    part = tmp_path / "MessageLockInvariant.part.json"
    part.write_text(json.dumps(kept))
    status, found, output = inferred(tmp_path, spec, "--resume")
    assert status == 0, output
    assert "+ free => holding = {}" not in output
    assert not part.exists()
    part.write_text("[]")
    assert inferred(tmp_path, spec, "--resume")[0] == 153


def test_interrupted(tmp_path: Path) -> None:
    """Ctrl-C after the first conjunct: it is printed, kept, and no process or traceback is left."""
    process = subprocess.Popen(
        [sys.executable, "-m", "rmqproof", "infer", str(SPECS / "TwoPhaseCommit.tla"), "--out", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stderr is not None
    while not process.stderr.readline().startswith("+ "):
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate()
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert "Interrupted" in output
    assert json.loads((tmp_path / "TwoPhaseCommitInvariant.part.json").read_text())["conjuncts"]


def test_what_prove_does_not_prove_is_not_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that sees no counterexample to induction, though there are: `prove` refutes what it has."""
    monkeypatch.setattr(Induction, "breaches", lambda *asked: iter(()))
    status, found, _ = inferred(tmp_path, PROTOCOLS / "LockServer.tla")
    assert (status, found["result"]) == (1, "not found")
    assert found["proofs"]["InvIsInductive"] == "refuted"


def test_wrong_names(tmp_path: Path) -> None:
    status, _, output = inferred(tmp_path, PROTOCOLS / "LockServer.tla", "--property", "Nothing")
    assert status == 151
    assert "there is no definition Nothing" in output
    assert inferred(tmp_path, PROTOCOLS / "LockServer.tla", "--property", "Connect")[0] == 151


@pytest.mark.large
def test_one_master_per_epoch(tmp_path: Path) -> None:
    """Of the protocol itself, without hints, for any number of brokers."""
    model = Path(__file__).parents[2] / "spec" / "models" / "TwoBrokers.cfg"
    options = ["--property", "OneMasterPerEpoch", "--states", "50000", "--any", "Broker"]
    status, found, output = inferred(tmp_path, model, *options)
    assert (status, found["sizes"]["Broker"]) == (0, "of any number"), output
    assert len(found["invariant"]) < 10
