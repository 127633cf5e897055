"""`rmqproof repl` and `check --break`: lines that are typed, and what is answered."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof import explore
from rmqproof.model.cli import main
from rmqproof.model.explore.prompt import Prompt
from rmqproof.model.explore.session import Session

LOCK = Path(__file__).parents[2] / "docs" / "tutorial" / "Lock.tla"
FIXED = LOCK.with_name("LockFixed.cfg")


@pytest.fixture
def prompt() -> Prompt:
    walk = explore(LOCK)
    assert isinstance(walk, Session)
    return Prompt(walk)


def answers(prompt: Prompt, *lines: str) -> list[str]:
    return [answer for line in lines for answer in prompt.answer(line)]


def test_expressions_and_definitions(prompt: Prompt) -> None:
    assert answers(prompt, "holder", "Free == holder = Nobody", "Free") == ["nobody", "TRUE"]
    assert answers(prompt, ":type at") == ['[{w1, w2} -> {"idle", "inside", "saw it free"}]  (state)']
    assert answers(prompt, ":type holder' = holder", ":type <>Free") == ["BOOLEAN  (step)", "BOOLEAN  (behaviour)"]
    assert answers(prompt, "1 + wrong")[0] == "expression:1:5: wrong is not known here"


def test_a_walk(prompt: Prompt) -> None:
    assert answers(prompt, ":steps")[:2] == ["1. Look(w1)", '    at[w1]: "idle" -> "saw it free"']
    assert answers(prompt, ":step 1") == ["2. Look(w1)", '    at[w1]: "idle" -> "saw it free"']
    assert prompt.head == "2> "
    assert answers(prompt, ":why Take")[:2] == ['Take(w2): at[w] = "saw it free"', '    at[w] = "idle"']
    assert answers(prompt, ":why Take(w1)") == ["Take(w1) is possible here: :steps"]
    assert [line for line in answers(prompt, ":why Leave( w2 )") if "Leave" in line] == ['Leave(w2): at[w] = "inside"']
    assert answers(prompt, ":watch holder", ":step Take(w1)")[-1] == "  > holder = w1"
    assert answers(prompt, ":back 2")[0] == "1. Initial state"
    found = answers(prompt, r':find \A w \in Worker : at[w] = "inside"')
    assert found[0] == "2. Look(w1)"
    assert found[-1] == "  ! OneInside is violated. Two workers are inside at once."
    assert answers(prompt, ":path")[-1] == "numbers: 1 1 2 1 2"
    assert "There is none among the 14 states that can be reached from here." in answers(prompt, ":find FALSE")


def test_what_is_no_command(prompt: Prompt) -> None:
    assert answers(prompt, ":st") == [":st is several commands: :state, :steps, :step"]
    assert answers(prompt, ":foo")[0].startswith(":foo is no command: :help, ")
    assert answers(prompt, ":step 7") == ["There is no 7: there are 2 steps from here."]
    assert answers(prompt, ":back x") == ["x is no number."]
    helped = answers(prompt, ":help")
    assert all(any(line.startswith(name) for line in helped) for name in prompt.commands)


def test_several_lines_and_completion(prompt: Prompt) -> None:
    assert prompt.unfinished("IF holder = Nobody")
    assert prompt.unfinished("Two ==")
    assert prompt.unfinished(":find holder =")
    assert prompt.unfinished(":ty {")
    assert not prompt.unfinished(":find")
    assert not prompt.unfinished(":why Take(")
    assert not prompt.unfinished("IF holder = Nobody THEN 1 ELSE 2")
    assert not prompt.unfinished("1 2")
    assert prompt.completions("Look") == ["Look"]
    assert prompt.completions(":st") == [":state", ":step", ":steps"]
    assert "w1" in prompt.completions("w")


def test_lines_are_piped_in(tmp_path: Path) -> None:
    """An expression over several lines is one; what is wrong ends nothing."""
    lines = "1 +\n2\n:nothing\n1 +\n\nholder\n:step 2\n:save " + str(tmp_path / "walk.itf.json") + "\n:quit\n3\n"
    found = CliRunner().invoke(main, ["repl", str(LOCK)], input=lines)
    assert found.exit_code == 0
    said = found.output.splitlines()
    assert said[0] == "3"
    assert said[1].startswith(":nothing is no command")
    assert said[2].startswith("expression:1:4: expected an expression")
    assert said[-4:-1] == ["nobody", "2. Look(w2)", '    at[w2]: "idle" -> "saw it free"']
    again = CliRunner().invoke(main, ["repl", str(tmp_path / "walk.itf.json")], input=":path\n")
    assert again.output.splitlines() == ["1. Initial state", "2. Look(w2)", "numbers: 1 2"]
    assert CliRunner().invoke(main, ["repl"], input="SUBSET {1}").output == "{{}, {1}}\n"


@pytest.mark.parametrize(
    ("expression", "status", "said"),
    [
        ('at[w2] = "inside"', 0, "True in step 3: at[w2]"),
        ("holder = w2 /\\ holder' = Nobody", 0, "4. Leave(w2)"),
        ("holder = w2 /\\ holder' = w1", 1, "True in no reachable state: holder = w2"),
        ("at[holder] = w1", 75, "expression:1:1: a function is applied to nobody"),
        ("at[", 150, "expression:1:4: expected"),
        ("<>(holder = w1)", 150, "this speaks of a whole behaviour"),
    ],
)
def test_break(expression: str, status: int, said: str) -> None:
    found = CliRunner().invoke(main, ["check", str(FIXED), "--engine", "python", "--break", expression])
    assert found.exit_code == status, found.output
    assert said in found.output


def test_break_is_shown_by_expressions_and_written(tmp_path: Path) -> None:
    words = ["check", str(LOCK), "--break", 'at[w2] = "inside"', "--eval", "holder", "--out", str(tmp_path)]
    found = CliRunner().invoke(main, [*words, "--engine", "python"])
    assert "    holder: nobody -> w2" in found.output
    assert "violated" not in found.output
    again = CliRunner().invoke(main, ["eval", "holder", "--trace", str(tmp_path / "Lock.itf.json"), "--step", "3"])
    assert again.output == "w2\n"
