"""`rmqproof prove` as a user runs it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from click.testing import CliRunner

from rmqproof.model.cli.commands.prove import command
from rmqproof.model.prove.pool import Task, run_all

TEXT = """---- MODULE Small ----
EXTENDS Integers
\\* It is larger.
THEOREM Right == ASSUME NEW x \\in Nat PROVE x + 1 > x
\\* It is not smaller.
\\* EXPECT refuted
THEOREM Known == ASSUME NEW x \\in Nat PROVE x - 1 > x
\\* Nobody knows.
THEOREM Wrong == ASSUME NEW x \\in Nat PROVE x > 0
====
"""


def small(folder: Path) -> str:
    path = folder / "Small.tla"
    path.write_text(TEXT)
    return str(path)


def test_table_and_status(tmp_path: Path) -> None:
    path, out = small(tmp_path), tmp_path / "answers.json"
    result = CliRunner().invoke(command, [path, "--json", str(out), "--out", str(tmp_path / "pictures")])
    assert result.exit_code == 1
    assert "1 proved, 2 refuted, 0 unknown" in result.output
    answers = {answer["lemma"]: answer for answer in json.loads(out.read_text())["lemmas"]}
    assert {name: answer["verdict"] for name, answer in answers.items()} == {
        "Right": "proved",
        "Known": "refuted",
        "Wrong": "refuted",
    }
    assert answers["Wrong"]["countermodel"] == [{"x": 0}]
    assert (tmp_path / "pictures" / "Wrong.itf.json").is_file()


def test_zero_when_all_is_as_declared(tmp_path: Path) -> None:
    path = small(tmp_path)
    assert CliRunner().invoke(command, [path, "--lemma", "Right", "--lemma", "Known"]).exit_code == 0


def test_wrong_usage(tmp_path: Path) -> None:
    path = small(tmp_path)
    assert CliRunner().invoke(command, [path, "--lemma", "Nobody"]).exit_code == 2
    assert CliRunner().invoke(command, [path, "--replicas", "5"]).exit_code == 151


def test_refusal(tmp_path: Path) -> None:
    path = tmp_path / "R.tla"
    path.write_text(
        "---- MODULE R ----\nEXTENDS Integers\n\\* Power.\nTHEOREM T == ASSUME NEW x \\in Nat PROVE 2 ^ x > x\n====\n"
    )
    result = CliRunner().invoke(command, [str(path)])
    assert result.exit_code == 75
    assert "R.tla:4:" in result.output


def test_bounded(tmp_path: Path) -> None:
    spec = tmp_path / "C.tla"
    spec.write_text(
        "---- MODULE C ----\nEXTENDS Integers\nVARIABLE x\nInit == x = 0\nNext == x < 5 /\\ x' = x + 1\n"
        "\\* It stays small.\nSmall == x < 3\n====\n"
    )
    (tmp_path / "C.cfg").write_text("INIT Init NEXT Next INVARIANT Small CHECK_DEADLOCK FALSE")
    assert CliRunner().invoke(command, [str(spec), "--bounded", "2"]).exit_code == 0
    result = CliRunner().invoke(command, [str(spec), "--bounded", "4"])
    assert result.exit_code == 12
    assert "Small is violated in step 4" in result.output


def test_processes_end_with_an_interrupt(tmp_path: Path) -> None:
    path = tmp_path / "H.tla"
    path.write_text(
        "---- MODULE H ----\nEXTENDS Integers\n\\* Fermat.\nTHEOREM Hard == ASSUME NEW x \\in Nat, NEW y \\in Nat, "
        "NEW z \\in Nat, x > 0, y > 0 PROVE x*x*x + y*y*y # z*z*z\n====\n"
    )
    code = "from rmqproof.model.cli import main; main()"
    run = subprocess.Popen(
        [sys.executable, "-c", code, "prove", str(path), "--timeout", "500"],
        stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, start_new_session=True,
    )  # fmt: skip
    time.sleep(6)
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=60)
    assert run.returncode == 130, errors
    assert "Traceback" not in errors
    try:
        os.killpg(run.pid, 0)
        alive = True
    except ProcessLookupError:
        alive = False
    assert not alive


def test_a_task_that_does_not_end_is_stopped() -> None:
    def slow() -> int:
        time.sleep(60)
        return 1

    done = {d.task.name: d for d in run_all([Task("slow", slow, 0.5), Task("quick", lambda: 2, 30)], 2)}
    assert done["slow"].stopped
    assert done["quick"].result == 2
