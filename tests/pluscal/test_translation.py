"""Translations are those of TLC's translator (release 1.8, `pcal.trans`), which wrote what stands in specs/."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.pluscal.lexer import PlusCalError
from rmqproof.model.pluscal.translate import FORMS, has_algorithm, has_translation, is_stale, translate

SPECS = sorted((Path(__file__).parent / "specs").glob("*.tla"))


def untranslated(text: str, marks: bool = False) -> str:
    lines = text.split("\n")
    begin = next(number for number, line in enumerate(lines) if "BEGIN TRANSLATION" in line)
    end = next(number for number, line in enumerate(lines) if "END TRANSLATION" in line)
    return "\n".join(lines[: begin + marks] + lines[end + (not marks) :])


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.stem)
@pytest.mark.parametrize("how", ["current", "without translation", "between marks"])
def test_the_text_and_the_checksums_are_those_of_tlc(spec: Path, how: str) -> None:
    text = spec.read_text()
    given = text if how == "current" else untranslated(text, marks=how == "between marks")
    made = translate(given, None if how == "current" else FORMS["1.11"])
    assert made.text == text
    assert not is_stale(text, made)
    assert translate(made.text).text == made.text


NEWER = {
    "Alone": ("7c28162a", "46e8ece4"),
    "Boxes": ("7c28162a", "a16784a"),
    "Calls": ("67d45169", "577780ea"),
    "Counter": ("b8886a0a", "4e9418e9"),
    "Forever": ("e22b8ac2", "23b0de75"),
    "Locks": ("e81db7a9", "c1a10648"),
    "Steps": ("f18f3739", "91a1ac1d"),
}
"""The checksums of algorithm and translation as `pcal.trans` 1.12 wrote them."""


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.stem)
def test_as_the_newer_translator_of_tlc_writes_it(spec: Path) -> None:
    """And so it stays, with an algorithm that is another, too; the older translation is no older algorithm's."""
    text = spec.read_text()
    newer = translate(text, FORMS["1.12"])
    assert (newer.algorithm, newer.translation) == NEWER[spec.stem]
    assert translate(newer.text).text == newer.text
    assert translate(untranslated(text)).lines == newer.lines, "so is a new one"
    assert translate(newer.text, FORMS["1.11"]).text == text
    for each in (text, newer.text):
        assert not is_stale(each, newer) and not is_stale(each, translate(text))


def test_a_newer_translation_without_pc() -> None:
    """Which form it has cannot be seen once the algorithm is another; it becomes the newest, as where there is none."""
    loop = "  L: while TRUE do\n       await x = 0 /\\ x < 1\n          /\\ x > -1; x := 0;\n     end while;"
    body = f"variables x = 0;\nbegin\n{loop}"
    older = translate(algorithm(body)).text
    now = translate(older.replace("x > -1", "x > -2", 1))
    assert "pc" not in "".join(now.lines)
    assert now.algorithm == translate(algorithm(body.replace("-1", "-2"))).algorithm
    assert now.algorithm != translate(algorithm(body.replace("-1", "-2")), FORMS["1.11"]).algorithm


def test_a_newer_translation_of_an_older_algorithm() -> None:
    text = (Path(__file__).parent / "specs" / "Counter.tla").read_text()
    newer = translate(text, FORMS["1.12"]).text
    changed_algorithm = newer.replace("while x < 3", "while x < 4", 1)
    made = translate(changed_algorithm)
    assert is_stale(changed_algorithm, made)
    assert made.text == translate(changed_algorithm, FORMS["1.12"]).text != newer
    between = newer.replace("VARIABLES pc, x, y, z", "VARIABLES x, y, z, pc").replace(
        "<< pc, x, y, z", "<< x, y, z, pc"
    )
    assert "<< x, y, z, pc" in between
    assert translate(between).algorithm == NEWER["Counter"][0], "the checksum of builds between the two"


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.stem)
def test_lines_below_a_translation_know_where_they_are(spec: Path) -> None:
    given = untranslated(spec.read_text()).rstrip("\n") + "\nBelow == 1\n"
    made = translate(given)
    lines, new = given.split("\n"), made.text.split("\n")
    assert len(made.places) == len(new)
    for number, (line, place) in enumerate(zip(new, made.places, strict=True), 1):
        assert 1 <= place <= len(lines)
        if number not in range(made.made[0] - 1, made.made[1] + 1):
            assert lines[place - 1] == line
    assert lines[made.places[new.index("Below == 1")] - 1] == "Below == 1"


def test_a_formula_knows_the_line_of_its_statement() -> None:
    text = untranslated((Path(__file__).parent / "specs" / "Locks.tla").read_text())
    made = translate(text)
    lines, new = text.split("\n"), made.text.split("\n")
    for formula, statement in (
        ("/\\ ~ table'[m].held", "await ~ table[m].held;"),
        ("/\\ queue' = <<", "queue := <<owner>>"),
        ("count \\in 1..2", "count \\in 1..2"),
    ):
        number = next(number for number, line in enumerate(new) if formula in line and number >= made.made[0] - 1)
        assert statement in lines[made.places[number] - 1]


def changed(old: str, new: str) -> str:
    text = (Path(__file__).parent / "specs" / "Counter.tla").read_text()
    before, mark, after = text.partition("\\* BEGIN")
    assert old in before
    return before.replace(old, new) + mark + after


def test_a_translation_that_is_older_than_its_algorithm() -> None:
    for old, new in (("while x < 3", "while x < 4"), ("x = 0, y", "x = 1, y"), ("skip;", "skip; skip;")):
        text = changed(old, new)
        assert is_stale(text, translate(text)), new
    text = changed("while x < 3 do", "while (* less *) x < 3 do  \\* or so")
    assert not is_stale(text, translate(text)), "a comment changes nothing"


def algorithm(body: str, name: str = "A") -> str:
    return f"---- MODULE M ----\nEXTENDS Naturals, Sequences\n(* --algorithm {name}\n{body}\nend algorithm *)\n====\n"


PROCEDURE = "variables x = 0;\nprocedure P(a) begin p: return; end procedure;\n"

RETURNING = """variables x = 0;
procedure P(a) begin
  p: with w = 1 do a := w; with v = 2 do x := v; end with; end with;
  return; end procedure;
begin A: skip;"""

MISTAKES = {
    "a label is missing at a loop": ("variables x = 0;\nbegin A: skip;\nwhile x < 1 do x := 1; end while;", 6, 1),
    "a second assignment": ("variables x = 0;\nbegin A: x := 1;\n  x := 2;", 6, 3),
    "after a goto": ("variables x = 0;\nbegin A: goto A;\nx := 2;", 6, 1),
    "a label in a with": ("variables x = 0;\nbegin A: with y = 1 do\nB: x := 2; end with;", 6, 4),
    "a while in a with": ("variables x = 0;\nbegin A: with y = 1 do\nwhile TRUE do x := 2; end while; end with;", 6, 1),
    "an unknown macro": ("variables x = 0;\nbegin A: up(x);", 5, 10),
    "arguments of a macro": ("variables x = 0;\nmacro up(a, b) begin a := b; end macro;\nbegin A: up(x);", 6, 10),
    "no variable in a macro": ("variables x = 0;\nmacro up(a) begin a := 1; end macro;\nbegin A: up(1);", 6, 10),
    "an unknown procedure": ("variables x = 0;\nbegin A: call Q();", 5, 10),
    "arguments of a procedure": (PROCEDURE + "begin A: call P();", 6, 10),
    "a return outside": (PROCEDURE + "begin A: return;", 6, 10),
    "an unknown label": ("variables x = 0;\nbegin A: goto B;", 5, 10),
    "a label twice": ("variables x = 0;\nbegin A: skip;\nA: skip;", 6, 4),
    "a variable twice": ("variables x = 0;\n  x = 1;\nbegin A: skip;", 5, 3),
    "no variable": ("variables x = 0;\nbegin A: y := 1;", 5, 10),
    "Done as a label": ("variables x = 0;\nbegin Done: skip;", 5, 7),
    "no semicolon": ("variables x = 0;\nbegin A: x := 1\n  if x = 1 then skip; end if;", 6, 3),
    "an empty expression": ("variables x = 0;\nbegin A: x := ;", 5, 15),
    "not closed": ("variables x = 0;\nbegin A: x := (1;", 5, 17),
    "no or": ("variables x = 0;\nbegin A: either x := 1; end either;", 5, 10),
    "a string that does not end": ('variables x = 0;\nbegin A: x := "a;', 5, 1),
    "a label in a macro": ("variables x = 0;\nmacro m() begin\nL: x := 1; end macro;\nbegin A: m();", 6, 1),
    "a return that changes what was changed": (RETURNING, 7, 3),
    "it does not end": ("variables x = 0;\nbegin A: skip;\nend", 7, 1),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_at_its_place(mistake: str) -> None:
    body, line, column = MISTAKES[mistake]
    with pytest.raises(PlusCalError) as told:
        translate(algorithm(body))
    assert (told.value.line, told.value.column + 1) == (line, column), told.value.message
    assert told.value.message


def test_only_the_beginning_of_an_algorithm_is_one() -> None:
    assert has_algorithm(algorithm("begin skip;"))
    assert has_algorithm("(* --fair algorithm A {")
    assert not has_algorithm("\\* after the string --algorithm the name has to come")
    assert not has_algorithm("---- MODULE A ----\nalgorithm == 1\n====")
    assert not has_translation(algorithm("begin skip;") + "\\* BEGIN TRANSLATION\n\n\\* END TRANSLATION\n")
    assert not has_translation(algorithm("begin skip;") + "\\* BEGIN TRANSLATION\n\n")
    assert has_translation(algorithm("begin skip;") + "\\* BEGIN TRANSLATION\nVARIABLE x\n"), "the last mark is missing"


def with_options(options: str, text: str) -> str:
    return translate(text.replace("(* --", f"\\* PlusCal options ({options})\n(* --")).text


ONE = algorithm("variables x = 0;\nbegin A: x := 1;")
TWO = algorithm("variables x = 0;\nprocess p \\in {1, 2} begin A: x := 1; B: x := 2; end process")


@pytest.mark.parametrize(
    "options, formula",
    [
        ("wf", "WF_vars(Next)"),
        ("wfNext", "WF_vars(Next)"),
        ("nof", "Spec == Init /\\ [][Next]_vars"),
        ("termination", "WF_vars(Next)"),
        ("termination, nof", "Spec == Init /\\ [][Next]_vars"),
        ("version 1.10", "Spec == Init /\\ [][Next]_vars"),
        ("-nocfg -noold,wf", "WF_vars(Next)"),
    ],
)
def test_options_of_the_module(options: str, formula: str) -> None:
    assert formula in with_options(options, ONE)


def test_processes_are_fair_where_termination_is_asked_for() -> None:
    """As `pcal.trans` 1.12 writes it."""
    assert "\\A self \\in {1, 2} : WF_vars(p(self))" in with_options("termination", TWO)
    assert "_vars(p(self))" not in with_options("termination nof", TWO)


def test_the_width_of_a_line_and_the_names_of_labels() -> None:
    names = [f"variable{number}" for number in range(20)]
    text = algorithm(
        f"variables {', '.join(f'{name} = 0' for name in names)};\nbegin {names[0]} := 1; {names[0]} := 2;"
    )
    declared = {
        width: max(len(line) for line in with_options(f"-lineWidth {width}", text).split("\n") if "variable9," in line)
        for width in (60, 110)
    }
    assert declared[60] <= 61 < declared[110] <= 111
    assert 'pc = "more_1"' in with_options("labelRoot more_", text)


@pytest.mark.parametrize(
    "options",
    [
        *("nonsense", "wf, sf", "lineWidth 80", "-lineWidth 50", "-lineWidth many", "-lineWidth", "labelRoot 9a"),
        *("labelRoot", "version 1.99", "version x", "spec PlusCal", "nocfg", "reportLabels"),
    ],
)
def test_options_that_the_translator_of_tlc_does_not_read(options: str) -> None:
    with pytest.raises(PlusCalError) as told:
        with_options(options, ONE)
    assert told.value.line == 3 and told.value.message.startswith("PlusCal options: ")


def test_labels_that_were_added_are_told() -> None:
    made = translate(algorithm("variables x = 0;\nbegin x := 1; x := 2;"))
    assert made.labels == ("Lbl_1 at line 5, column 7", "Lbl_2 at line 5, column 15")
