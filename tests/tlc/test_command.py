"""What `rmqproof tlc` does with TLC's options, apart from what is recorded of TLC."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.report.value import Notation
from rmqproof.model.tlc.command_line import WrongUsage, read_command_line
from rmqproof.model.tlc.layout import Layout
from rmqproof.model.tlc.session import human, run
from tools.tlc.normal import messages

SPECS = Path(__file__).parent / "specs"


def ran(*arguments: str) -> tuple[list[int], int, str]:
    """The codes, the status, the whole text."""
    written: list[str] = []
    status = run(arguments, written.append)
    return [message.code for message in messages("".join(written))], status, "".join(written)


def test_a_continued_search_says_that_there_are_errors() -> None:
    """TLC ends it with status 0, and says that no error has been found."""
    codes, status, text = ran("-tool", "-continue", "-config", f"{SPECS}/WaysStays", f"{SPECS}/Ways")
    assert codes.count(2110) == 2
    assert 2193 in codes
    assert "No error has been found" not in text
    assert status == 12


def test_a_simulation_ends_with_its_statistics() -> None:
    codes, status, text = ran(
        "-tool", "-simulate", "num=5", "-depth", "4", "-seed", "7", "-config", f"{SPECS}/WaysEnds", f"{SPECS}/Ways"
    )
    assert codes[-2:] == [2210, 2186]
    assert status == 0
    assert "Simulation using seed 7 and aril 0" in text


def test_a_simulation_finds_what_is_violated() -> None:
    codes, status, _ = ran("-tool", "-simulate", "-config", f"{SPECS}/WaysStays", f"{SPECS}/Ways")
    assert 2110 in codes
    assert 2217 in codes
    assert status == 12


def test_without_tool_a_person_reads_it() -> None:
    _, _, text = ran("-config", f"{SPECS}/Lasso", f"{SPECS}/Counter")
    assert "@!@!@" not in text
    assert "Error: Temporal property Once was violated." in text
    assert "State 2: <Round line" in text
    assert "Back to state 1: <Round line" in text


def test_invariants_of_the_command_line() -> None:
    codes, status, text = ran("-tool", "-inv", "x < 2", "-config", f"{SPECS}/WaysEnds", f"{SPECS}/Ways")
    assert 2110 in codes
    assert status == 12
    codes, status, text = ran("-tool", "-invlevel", "3", "-config", f"{SPECS}/WaysEnds", f"{SPECS}/Ways")
    assert 2110 in codes
    assert "3: <Up line" in text


@pytest.mark.parametrize("option", ["-recover", "-debugger", "-loadTrace", "-nonsense"])
def test_what_cannot_be_done_is_refused(option: str) -> None:
    codes, status, text = ran("-tool", option, "x", "Ways")
    assert codes == [2262, 1102]
    assert status == 1
    assert option in text


def test_what_is_left_out_is_said() -> None:
    request = read_command_line(["-view", "-dumptrace", "tlc", "t.tlc", "-dump", "dot", "g.dot", "Ways.tla"])
    assert [text.split()[0].rstrip(":") for text in request.ignored] == ["-view", "-dumptrace", "-dump"]
    assert request.spec == "Ways"


@pytest.mark.parametrize("given", [["-workers", "0", "A"], ["-workers"], ["-depth", "x", "A"], ["A", "B"], []])
def test_wrong_usage(given: list[str]) -> None:
    with pytest.raises(WrongUsage):
        read_command_line(given)


def test_a_long_value_is_broken_at_its_elements() -> None:
    text = Layout(Notation()).value({"#set": ["a" * 50, "b" * 50]})
    assert text.splitlines() == [f'{{ "{"a" * 50}",', f'  "{"b" * 50}" }}']


def test_times() -> None:
    assert [human(each) for each in (900, 61_000, 3_720_000, 90_000_000)] == [
        "00s",
        "01min 01s",
        "01h 02min",
        "1d 01h",
    ]
