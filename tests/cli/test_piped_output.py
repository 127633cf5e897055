"""What is piped: whole lines, no blanks at their end, and every `file:line:column` in one piece; for every command."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from rich.console import Console
from rich.padding import Padding
from rich.table import Table

from rmqproof.model.cli import main
from rmqproof.model.cli.audience import Terminal
from rmqproof.model.report.console import open_console

FOLDER = "a-folder-with-a-name-that-is-longer-than-a-terminal-is-wide-" * 2
BROKEN = "---- MODULE Broken ----\nVARIABLE x\nInit == x = unknown\nNext == x' = x\n====\n"
WRONG = (
    "---- MODULE Wrong ----\nEXTENDS Naturals\nVARIABLE x\n"
    "\\* Otherwise the counter that everybody waits for has gone beyond what anybody expected of such a counter.\n"
    "Small == x < 3\nInit == x = 0\nNext == x' = x + 1\n====\n"
)
LEMMA = "---- MODULE Lemma ----\nEXTENDS Naturals\nLEMMA Bad == \\A n \\in Nat : n > 0\n====\n"
CONFIG = "INIT Init\nNEXT Next\n"

COMMANDS = {
    "assess": [["broker.conf", "--faults", "disk-loss", "--question", "lose-acknowledged"], ["no.conf"]],
    "audit": [["Wrong.tla", "--mutants", "0", "--states", "5"], ["Broken.tla"]],
    "bench": [["Missing.cfg"], ["Broken.tla", "--quiet", "--compare", "Broken.tla"]],
    "chaos": [["--cluster", "nowhere"]],
    "check": [["Wrong.tla", "--coverage"], ["Broken.tla"], ["Wrong.tla", "Broken.tla", "--expect"], ["Evaluation.tla"]],
    "conform": [["Wrong.tla", "--adapter", "nowhere:Nothing"], ["Broken.tla", "--adapter", "nowhere:Nothing"]],
    "coverage": [["Wrong.tla"], ["Broken.tla"], ["Evaluation.tla", "--summary"]],
    "diagnose": [["."]],
    "epochs": [["broker.conf", "broker.conf"]],
    "eval": [["SUBSET (1..3)"], ["x", "--spec", "Wrong.tla"], ["x +", "--spec", "Wrong.tla"]],
    "explore": [["Broken.tla", "--html", "page.html"], ["Wrong.tla", "--html", "page.html", "--watch", "x +"]],
    "graph": [["Broken.tla"]],
    "infer": [["Wrong.tla", "--states", "50"], ["Broken.tla"]],
    "debug-adapter": [["--nothing"]],
    "lsp": [["--nothing"]],
    "prove": [["Lemma.tla", "--workers", "1"], ["Broken.tla"]],
    "repl": [["Wrong.tla"], ["Broken.tla"]],
    "suite": [["."]],
    "tlc": [["-tool", "Wrong.tla"], ["Wrong.tla"], ["Broken.tla"], ["-workers", "none", "Wrong.tla"], ["-nothing"]],
    "trace diff": [["Wrong.itf.json", "Other.itf.json"], ["Wrong.tla", "Wrong.tla"]],
    "trace show": [["Wrong.itf.json"], ["Wrong.tla"]],
    "translate": [["Broken.tla"], ["Algorithm.tla", "--check"]],
    "types": [["Broken.tla"], ["Wrong.tla"]],
    "validate": [["run.ndjson", "--spec", "Wrong.tla"], ["run.ndjson", "--spec", "Broken.tla"]],
    **{
        f"cluster {name}": [[]]
        for name in [
            "down",
            "get",
            "heal",
            "kill",
            "lose-disk",
            "partition",
            "pause",
            "put",
            "resume",
            "start",
            "status",
            "trace",
            "up",
        ]
    },
    **{
        f"rocketmq {name}": [["no-release"]]
        for name in ("broker", "chaos", "compare", "failover", "get", "reproduce", "schedules", "walk")
    },
    **{
        f"states {name}": [["no-store"]]
        for name in ["actions", "diff", "edges", "find", "graph", "info", "levels", "sql", "values"]
    },
}
ELSEWHERE = {"cluster up", "cluster get"}
"""They would begin something where nothing is missing."""


def _leaves(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[str]:
    if not isinstance(command, click.Group):
        yield " ".join(path)
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        yield from _leaves(inner, (*path, name))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / FOLDER
    folder.mkdir()
    (folder / "Broken.tla").write_text(BROKEN)
    (folder / "Broken.cfg").write_text("\\* EXPECT success\n" + CONFIG)
    (folder / "Wrong.tla").write_text(WRONG)
    (folder / "Wrong.cfg").write_text("\\* EXPECT success\n" + CONFIG + "INVARIANT Small\n")
    (folder / "Evaluation.tla").write_text(WRONG.replace("Wrong", "Evaluation").replace("x + 1", 'x + "a"'))
    (folder / "Evaluation.cfg").write_text(CONFIG)
    (folder / "Lemma.tla").write_text(LEMMA)
    (folder / "Algorithm.tla").write_text("---- MODULE Algorithm ----\n(* --algorithm A { { x := } } *)\n====\n")
    (folder / "broker.conf").write_text("brokerClusterName=C\nnonsense=1\nbrokerId=seven\n")
    (folder / "run.ndjson").write_text('{"action": "Next", "state": {"x": 7}}\n')
    state = '{{"#meta": {{"index": {0}}}, "x": {1}}}'
    for name, last in (("Wrong", 1), ("Other", 2)):
        states = ", ".join(state.format(index, value) for index, value in ((0, 0), (1, last)))
        (folder / f"{name}.itf.json").write_text(f'{{"vars": ["x"], "states": [{states}]}}')
    monkeypatch.chdir(tmp_path)
    return folder


def _printed(command: str, words: list[str], folder: Path, columns: int) -> str:
    there = [str(folder / word) if (folder / word).exists() else word for word in words]
    done = CliRunner(env={"COLUMNS": str(columns)}).invoke(main, [*command.split(), *there])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.output
    return done.output


def test_every_command_is_tried() -> None:
    assert set(_leaves(main)) == set(COMMANDS)


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - ELSEWHERE))
def test_piped_output_is_whole(command: str, folder: Path) -> None:
    said = ""
    for words in COMMANDS[command]:
        narrow = _printed(command, words, folder, 40)
        said += narrow
        assert not [line for line in narrow.splitlines() if line != line.rstrip()], narrow
        assert not re.search(r"\.tla:\d*(:\d*)?\n\d", narrow), narrow
        broken = narrow.replace(str(folder), "…")
        assert FOLDER[:30] not in broken, "a path is broken"
        if command != "assess":  # it takes its time
            assert len(narrow.splitlines()) == len(_printed(command, words, folder, 200).splitlines()), narrow
    assert said.strip()


def test_the_place_of_an_error_stays_whole(folder: Path) -> None:
    for command, words in (("check", []), ("prove", []), ("types", []), ("graph", [])):
        assert f"{folder / 'Broken.tla'}:3:13: " in _printed(command, ["Broken.tla", *words], folder, 40)


def test_the_words_of_a_specification_stay_as_they_are(folder: Path) -> None:
    """They are neither marks of colours nor names of pictures."""
    words = "The flag :warning: stays [bold]low[/bold]"
    (folder / "Wrong.tla").write_text(WRONG.replace("Otherwise", words))
    assert _printed("check", ["Wrong.tla"], folder, 300).count(words) == 2


@pytest.mark.parametrize("colours", [False, True])
def test_a_table_and_a_warning(colours: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where colours are forced, as CI systems do."""
    monkeypatch.setenv("FORCE_COLOR", "1") if colours else monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "20")
    to = io.StringIO()
    console = open_console(to=to)
    _print_all(console)
    lines = re.sub(r"\x1b\[[0-9;]*m", "", to.getvalue()).splitlines()
    assert lines == ["a        b", "long     " + "word " * 40 + "end", "  padded", "warn " * 40 + "end"]
    assert ("\x1b" in to.getvalue()) == colours


def test_without_it_lines_are_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    to = io.StringIO()
    _print_all(Console(file=to, highlight=False))
    lines = to.getvalue().splitlines()
    assert len(lines) > 4 and any(line != line.rstrip() for line in lines)


def _print_all(console: Console) -> None:
    table = Table("a", "b", box=None, pad_edge=False)
    table.add_row("long   ", "[red]" + "word " * 40 + "end[/]")
    console.print(table)
    console.print(Padding("padded", (0, 0, 0, 2)))
    Terminal(console).warn("warn " * 40 + "end")
