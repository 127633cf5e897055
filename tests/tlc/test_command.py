"""What `rmqproof tlc` does with TLC's options, apart from what is recorded of TLC."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rmqproof import load
from rmqproof.model.checking.check import check
from rmqproof.model.checking.options import Options
from rmqproof.model.report.value import Notation
from rmqproof.model.search.lengths import Lengths
from rmqproof.model.tlc.command_line import WrongUsage, read_command_line
from rmqproof.model.tlc.dumping import Dump
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


def test_a_simulation_counts_as_tlc_does() -> None:
    """The initial states and those of the behaviours, and how many behaviours there were."""
    _, _, text = ran("-tool", "-simulate", "num=20", "-depth", "10", f"{SPECS}/../../specs/DieHard")
    assert "Progress(20) at " in text
    assert text.count("The number of states generated: 201\n") == 1


def test_the_depth_of_a_simulation_is_that_of_tlc(tmp_path: Path) -> None:
    """So many steps: TLC finds with -depth 2 what the third state violates, and not what the fourth does."""
    module = "EXTENDS Naturals\nVARIABLE x\nInit == x = 0\nNext == x' = x + 1\nLow == x < {}\n"
    for limit, status in ((2, 12), (3, 0)):
        (tmp_path / "Up.tla").write_text(f"---- MODULE Up ----\n{module.format(limit)}====\n")
        (tmp_path / "Up.cfg").write_text("INIT Init\nNEXT Next\nINVARIANT Low\n")
        _, found, text = ran("-tool", "-simulate", "num=1", "-depth", "2", str(tmp_path / "Up"))
        assert found == status and "The number of states generated: 3\n" in text


def test_lengths_of_behaviours_are_told_as_tlc_computes_them() -> None:
    """The sums of 3, 1, 7, 2 by hand, from `SimulationWorkerStatistics.collectPostTrace`."""
    _, _, text = ran("-simulate", "num=20", "-depth", "10", f"{SPECS}/../../specs/DieHard")
    assert "20 traces generated (trace length: mean=10, var(x)=0, sd=0)" in text
    lengths = Lengths()
    for length in (3, 1, 7, 2):
        lengths.add(length)
    assert (lengths.mean, lengths.squares, lengths.variance, lengths.deviation) == (3, 23, 5, 2)


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


@pytest.mark.parametrize("option", ["-debugger", "-loadTrace", "-nonsense"])
def test_what_cannot_be_done_is_refused(option: str) -> None:
    codes, status, text = ran("-tool", option, "x", "Ways")
    assert codes == [2262, 1102]
    assert status == 1
    assert option in text


def test_when_liveness_is_checked() -> None:
    """`off` leaves it out, as in TLC, which takes any word in any case."""
    assert [read_command_line(["-lncheck", word, "Ways"]).liveness for word in ("Final", "off")] == ["final", "off"]
    lasso = ("-tool", "-config", f"{SPECS}/Lasso", f"{SPECS}/Counter")
    for word, status in (("default", 13), ("seqfinal", 13), ("off", 0)):
        codes, found, _ = ran("-lncheck", word, *lasso)
        assert found == status and (2116 in codes) is (status == 13)


def test_what_is_left_out_is_said() -> None:
    request = read_command_line(["-simulate", "stats=full,num=3", "Ways.tla"])
    assert [text.split()[0] for text in request.ignored] == ["stats=full"]
    assert request.spec == "Ways"


def test_a_user_file_that_cannot_be_written_is_wrong_usage(tmp_path: Path) -> None:
    codes, status, text = ran("-tool", "-userFile", str(tmp_path), f"{SPECS}/Ways")
    assert (codes, status) == ([2262, 1102], 1) and "Is a directory" in text


@pytest.mark.parametrize(
    ("config", "module", "verdict"),
    [("Deadlock", "Counter", 12), ("Lasso", "Counter", 13), ("Stays", "Stays", 13), ("StaysStuck", "Stays", 13)],
)
def test_a_trace_is_gone_through_again(config: str, module: str, verdict: int, tmp_path: Path) -> None:
    """By what -generateSpecTE writes: the same states."""
    given = ("-tool", "-generateSpecTE", "-teSpecOutDir", str(tmp_path / "Again.tla"))
    _, _, text = ran(*given, "-config", f"{SPECS}/{config}", f"{SPECS}/{module}")
    shutil.copy(SPECS / f"{module}.tla", tmp_path)
    codes, status, again = ran("-tool", "-config", str(tmp_path / "Again.tla"), str(tmp_path / "Again"))
    assert status == verdict and 2501 not in codes
    states = [
        [sorted(each.text.splitlines()[1:]) for each in messages(said) if each.code == 2217] for said in (text, again)
    ]
    assert len(states[0]) > 0 and states[0] == states[1]


def test_files_get_their_endings() -> None:
    assert read_command_line(["-dump", "dot,colorize", "g", "Ways"]).dump == Dump(Path("g.dot"), True, colorize=True)
    assert read_command_line(["-dump", "g.dump", "Ways"]).dump == Dump(Path("g.dump"))
    assert read_command_line(["-dump", "dot", "-tool", "Ways"]).dump == Dump(Path("-tool.dot"), True)  # as in TLC
    assert read_command_line(["-dumptrace", "JSON", "t", "Ways"]).traces == [("json", Path("t"))]


@pytest.mark.parametrize("form", ["tlc", "dot", "tlcTESpec"])
def test_other_formats_of_traces_are_refused(form: str) -> None:
    with pytest.raises(WrongUsage, match=f"Unknown format {form} .* json, tla"):
        read_command_line(["-dumpTrace", form, "t", "Ways"])


@pytest.mark.parametrize("option", [["-dump", "f"], ["-dfid", "3"], ["-recover", "f"]])
def test_a_simulation_is_no_search(option: list[str]) -> None:
    with pytest.raises(WrongUsage, match="simulation"):
        read_command_line(["-simulate", *option, "Ways"])


def test_a_search_is_saved_and_goes_on(tmp_path: Path) -> None:
    files = load(SPECS.parents[1] / "specs" / "DieHard.tla").files
    spec, config = files.spec.with_suffix(""), files.config
    whole, whole_status, text = ran("-tool", "-config", str(config), str(spec))
    folder = tmp_path / "saved"
    outcome = check(files, Options(checkpoint=folder, max_states=5, workers=1))
    assert outcome.result.stopped is not None
    again, status, resumed = ran("-tool", "-recover", str(folder), "-config", str(config), str(spec))
    assert f"Starting recovery from checkpoint {folder}" in resumed
    assert [code for code in whole if code not in (2189, 2190)] == [code for code in again if code != 2197]
    assert status == whole_status
    (counts,) = [line for line in text.splitlines() if "left on queue." in line and "Progress" not in line]
    assert counts in resumed


def test_a_saved_search_says_where_it_is(tmp_path: Path) -> None:
    arguments = [
        "-tool",
        "-checkpoint",
        "5",
        "-metadir",
        str(tmp_path),
        "-config",
        f"{SPECS}/WaysEnds",
        f"{SPECS}/Ways",
    ]
    codes, status, text = ran(*arguments)
    assert (codes.count(2195), codes.count(2196), status) == (1, 0, 0)
    assert f"Checkpointing of run {tmp_path}/" in text
    assert list(tmp_path.iterdir()) == []  # of a search that has ended nothing is kept


def test_a_folder_without_a_saved_search(tmp_path: Path) -> None:
    codes, status, text = ran(
        "-tool", "-recover", str(tmp_path / "none"), "-config", f"{SPECS}/WaysEnds", f"{SPECS}/Ways"
    )
    assert (codes[-2], status) == (2126, 255)
    assert "there is no checkpoint in this folder" in text
    assert "Leave out -recover" in text


def test_deepening_is_no_matter_of_liveness() -> None:
    codes, status, text = ran("-tool", "-dfid", "9", "-config", f"{SPECS}/Lasso", f"{SPECS}/Counter")
    assert (codes[-2:], status) == ([1000, 2186], 255)
    assert "-dfid does not check liveness" in text


@pytest.mark.parametrize("limit, found", [(3, False), (4, True), (5, True)])
def test_deepening_finds_what_is_not_deeper(limit: int, found: bool) -> None:
    codes, status, _ = ran("-tool", "-dfid", str(limit), "-config", f"{SPECS}/Deadlock", f"{SPECS}/Counter")
    assert (2114 in codes, status) == (found, 11 if found else 0)
    assert 2193 not in codes


@pytest.mark.parametrize("option", [["-dump"], ["-dump", "dot"], ["-dumpTrace", "json"]])
def test_a_file_that_cannot_be_written(option: list[str], tmp_path: Path) -> None:
    file = str(tmp_path / "no" / "file")
    codes, status, text = ran("-tool", *option, file, "-config", f"{SPECS}/WaysStays", f"{SPECS}/Ways")
    assert (1000 in codes, status) == (True, 12)
    assert "No such file or directory" in text


@pytest.mark.parametrize("given", [["-workers", "0", "A"], ["-workers"], ["-depth", "x", "A"], ["A", "B"], []])
def test_wrong_usage(given: list[str]) -> None:
    with pytest.raises(WrongUsage):
        read_command_line(given)


def test_a_long_value_is_broken_at_its_elements() -> None:
    text = Layout(Notation()).value({"#set": ["a" * 50, "b" * 50]})
    assert text.splitlines() == [f'{{ "{"a" * 50}",', f'  "{"b" * 50}" }}']


def test_a_file_that_cannot_be_parsed_is_named() -> None:
    """An editor shows what is wrong in the file that was named last."""
    _, status, text = ran("-tool", "-config", f"{SPECS}/WaysEnds", f"{SPECS}/Unparsed")
    named, _, wrong = text.partition("*** Errors: 1")
    assert status == 150
    assert named.count(f"Parsing file {SPECS}/Unparsed.tla\n") == 1
    assert "line 5, col 1 to line 5, col 4 of module Unparsed" in wrong


def test_times() -> None:
    assert [human(each) for each in (900, 61_000, 3_720_000, 90_000_000)] == [
        "00s",
        "01min 01s",
        "01h 02min",
        "1d 01h",
    ]


@pytest.mark.parametrize(
    ("wrong", "code", "status"),
    [
        ("x % 0 = 1", 2169, 255),
        ("1 ^ (-1) = 1", 2169, 255),
        ("0 ^ 0 = 1", 2180, 255),
        ("Tail(<<>>) = x", 2184, 255),
        ("Append(1, 2) = x", 2182, 255),
        ("(<<1>> \\o 3) = x", 2182, 255),
        ("SubSeq(3, 1, 2) = x", 2169, 255),
        ("SubSeq(<<1>>, {}, 2) = x", 2169, 255),
        ("SelectSeq(3, LAMBDA y : TRUE) = x", 2169, 255),
        ("SortSeq(3, LAMBDA y, z : TRUE) = x", 2169, 255),
        ("(x :> 3 @@ 3) = x", 2169, 255),
        ("x \\div {} = 1", 1000, 75),
        ("-TRUE = x", 1000, 75),
    ],
)
def test_what_an_operator_finds_wrong_has_the_code_and_status_of_tlc(
    wrong: str, code: int, status: int, tmp_path: Path
) -> None:
    """As TLC built from its source of 2026 ended for each of them."""
    spec = tmp_path / "Wrong.tla"
    head = "---- MODULE Wrong ----\nEXTENDS Integers, Sequences, TLC\nVARIABLE x\nInit == x = 0\n"
    spec.write_text(f"{head}Next == ({wrong}) /\\ x' = x + 1\n====\n", encoding="utf-8")
    spec.with_suffix(".cfg").write_text("INIT Init\nNEXT Next\n", encoding="utf-8")
    codes, ended, text = ran("-tool", "-config", str(spec.with_suffix(".cfg")), str(spec))
    assert (code in codes, ended) == (True, status), text
