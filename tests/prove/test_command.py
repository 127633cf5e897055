"""`rmqproof prove` as a user runs it."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rmqproof.model.api import proofs
from rmqproof.model.cli import progress_line
from rmqproof.model.cli.commands.prove import command
from rmqproof.model.prove.ask import Asked, Asking
from rmqproof.model.prove.modules import open_module
from rmqproof.model.prove.subject import Subject
from rmqproof.model.prove.tasks import Task, run_all
from rmqproof.model.prove.theorems import Lemma
from tests.observing import wait_until

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


@pytest.mark.usefixtures("without_graphviz")
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
    assert (tmp_path / "pictures" / "Wrong.itf.json").is_file() and (tmp_path / "pictures" / "Wrong.dot").is_file()
    assert "pip install pygraphviz" in result.stderr


def test_zero_when_all_is_as_declared(tmp_path: Path) -> None:
    path = small(tmp_path)
    assert CliRunner().invoke(command, [path, "--lemma", "Right", "--lemma", "Known"]).exit_code == 0


def test_wrong_usage(tmp_path: Path) -> None:
    path = small(tmp_path)
    assert CliRunner().invoke(command, [path, "--lemma", "Nobody"]).exit_code == 2
    assert CliRunner().invoke(command, [path, "--replicas", "5"]).exit_code == 151


def test_what_is_to_be_open_is_a_constant(tmp_path: Path) -> None:
    """Else the line would leave nothing open, and what is proved would be less than it says."""
    path = small(tmp_path)
    Path(path).with_suffix(".cfg").write_text("\\* UNBOUNDED Nothing\n")
    result = CliRunner().invoke(command, [path])
    assert result.exit_code == 151
    assert "UNBOUNDED names Nothing" in result.output


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
    result = CliRunner().invoke(command, [str(spec), "--bounded", "4", "--workers", "2", "--json", "-"])
    assert result.exit_code == 2 and "--workers, --json" in result.output  # not left out in silence


def test_modules_are_looked_for_where_the_configuration_says(tmp_path: Path) -> None:
    """As by `check`, in lemmas and in bounded searches; a folder that is not there is said."""
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "Limit.tla").write_text("---- MODULE Limit ----\nMost == 3\n====\n")
    spec, config = tmp_path / "L.tla", tmp_path / "L.cfg"
    spec.write_text(
        "---- MODULE L ----\nEXTENDS Integers, Limit\nVARIABLE x\nInit == x = 0\nNext == x' = x + 1\n"
        "Small == x < Most\nTHEOREM Positive == Most > 0\n====\n"
    )
    text = "\\* LIBRARY parts\nINIT Init NEXT Next INVARIANT Small"
    config.write_text(text)
    assert CliRunner().invoke(command, [str(spec), "--lemma", "Positive"]).exit_code == 0
    assert CliRunner().invoke(command, [str(spec), "--bounded", "3"]).exit_code == 12
    config.write_text(text.replace("parts", "nowhere"))
    for asked in ([str(spec)], [str(spec), "--bounded", "3"]):
        result = CliRunner().invoke(command, asked)
        assert isinstance(result.exception, SystemExit)
        assert "nowhere: there is no such folder" in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("ignored", "options"),
    [(False, ()), (True, ()), (False, ("--vacuity",))],
    ids=["", "started with interrupts ignored", "vacuity"],
)
def test_processes_end_with_an_interrupt(tmp_path: Path, ignored: bool, options: tuple[str, ...]) -> None:
    """Also where the shell that started it, a script with a job in the background, had Ctrl-C ignored."""
    path = tmp_path / "H.tla"
    path.write_text(
        "---- MODULE H ----\nEXTENDS Integers\n\\* Fermat.\nTHEOREM Hard == ASSUME NEW x \\in Nat, NEW y \\in Nat, "
        "NEW z \\in Nat, x > 0, y > 0 PROVE x*x*x + y*y*y # z*z*z\n====\n"
    )
    code = "from rmqproof.model.cli import main; main()"
    before = signal.signal(signal.SIGINT, signal.SIG_IGN if ignored else signal.default_int_handler)
    try:
        run = subprocess.Popen(
            [sys.executable, "-c", code, "prove", str(path), "--timeout", "500", *options],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, start_new_session=True,
        )  # fmt: skip
    finally:
        signal.signal(signal.SIGINT, before)
    children = Path(f"/proc/{run.pid}/task/{run.pid}/children")
    assert wait_until(lambda: bool(children.read_text().strip()), run)
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate()
    assert run.returncode == 130, errors
    assert "Traceback" not in errors
    with pytest.raises(ProcessLookupError):
        os.killpg(run.pid, 0)


def test_no_process_is_left_wherever_an_interrupt_comes() -> None:
    """One at every line that starts, awaits and ends processes, one after the other, each taken after that line."""

    def endless() -> None:
        signal.pause()

    met = 0
    for line in range(1, 400):
        count = 0

        def trace(frame: Any, event: str, argument: Any, wanted: int = line) -> Any:
            nonlocal count
            if frame.f_code.co_filename != run_all.__code__.co_filename:
                return None
            if event == "line":
                count += 1
                if count == wanted:
                    signal.raise_signal(signal.SIGINT)
            return trace

        tasks = [Task("quick", lambda: 1, 300), Task("endless", endless, 300), Task("late", endless, 0.0)]
        running = run_all(tasks, 2)
        sys.settrace(trace)
        try:
            with pytest.raises(KeyboardInterrupt):
                for done in running:
                    if done.stopped:
                        signal.raise_signal(signal.SIGINT)
                raise AssertionError("there is always something left to do")
        finally:
            sys.settrace(None)
            running.close()
        assert multiprocessing.active_children() == []
        if count < line:
            met = line
            break
    assert met > 20


def test_a_task_that_does_not_end_is_stopped() -> None:
    def slow() -> int:
        signal.pause()
        return 1

    done = {d.task.name: d for d in run_all([Task("slow", slow, 0.5), Task("quick", lambda: 2, 300)], 2)}
    assert done["slow"].stopped
    assert done["quick"].result == 2


def test_what_a_task_tells_is_told_at_once_and_while_there_is_nothing_new() -> None:
    def slow(tell: Callable[[str], None]) -> None:
        tell("here")
        signal.pause()

    told: list[tuple[str, str | None]] = []
    (done,) = run_all([Task("slow", slow, 2.5)], 1, lambda task, what: told.append((task.name, what)))
    assert done.stopped
    assert told[0] == ("slow", "here")
    assert set(told[1:]) == {("slow", None)}


def test_who_is_stopped_says_at_which_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(
        subject: Subject, lemma: Lemma, timeout: float, used: Any, again: str, asked: Asked, *which: Any
    ) -> None:
        asked.tell(Asking("Put", "First"))
        asked.tell(Asking("Put", "Second"))
        signal.pause()

    monkeypatch.setattr(proofs, "_GRACE", 1.0)
    subject = open_module(Path(small(tmp_path)))
    (found,) = proofs.settled([(subject, "")], ("Right",), timeout=0.01, workers=1, asked=Asked(), by=endless)
    assert found.answer is not None and found.answer.verdict == "unknown"
    assert found.answer.reason.startswith("stopped: the time was over at Put: Second, asked about for ")


def test_it_says_which_part_it_is_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_line, "PLAIN_SECONDS", 0.0)
    monkeypatch.setenv("RMQPROOF_CACHE", str(tmp_path / "cache"))
    arguments = [small(tmp_path), "--lemma", "Right", "--lemma", "Wrong", "--workers", "1"]
    told = CliRunner().invoke(command, arguments).stderr
    for part in ("Right: the goal, ", "Wrong: the goal, ", "Wrong: values that falsify it, "):
        assert part in told
    assert CliRunner().invoke(command, [*arguments, "--quiet"]).stderr == ""


def test_the_verdict_names_the_sizes_and_empty_hypotheses(tmp_path: Path) -> None:
    """`Cardinality(Broker) = 3` is proved of three; a lemma that says nothing does not read like one that does."""
    (tmp_path / "V.tla").write_text(
        "---- MODULE V ----\nEXTENDS Integers, FiniteSets\nCONSTANTS Broker, Limit\n"
        "THEOREM Three == ASSUME NEW x \\in Broker, NEW y \\in 1..Limit PROVE Cardinality(Broker) = 3\n"
        "THEOREM Empty == ASSUME NEW x \\in Int, x < 0, x > 0 PROVE x = 7\n====\n"
    )
    (tmp_path / "V.cfg").write_text("CONSTANTS Broker = {b1, b2, b3} Limit = 2")
    out = tmp_path / "answers.json"
    result = CliRunner().invoke(command, [str(tmp_path / "V.tla"), "--json", str(out)])
    assert result.exit_code == 1
    assert "Three: proved for Broker of 3, Limit = 2" in result.output
    assert "Empty: vacuous" in result.output
    three, empty = json.loads(out.read_text())["lemmas"]
    assert (three["verdict"], three["asExpected"]) == ("proved", True)
    assert three["sizes"] == {"Broker": "of 3", "Limit": "= 2"}
    assert (empty["verdict"], empty["asExpected"]) == ("vacuous", False)


def test_a_damaged_answer_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RMQPROOF_CACHE", str(tmp_path / "cache"))
    arguments = [small(tmp_path), "--lemma", "Right"]
    assert CliRunner().invoke(command, arguments).exit_code == 0
    kept = [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    assert kept
    for damage in (b"\xff\xfe\x00", b"prov\xc3\xa9d", b"", b"nan", b"inf", b"9" * 5000):
        for path in kept:
            path.write_bytes(damage)
        result = CliRunner().invoke(command, arguments)
        assert result.exit_code == 0, result.output
