"""Algorithms as users meet them: checked without a translation, translated by a command, mistakes at their line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rmqproof.model.cli import main
from tests.pluscal.test_translation import SPECS, untranslated

VALUE = "CONSTANT defaultInitValue = defaultInitValue\n"

# generated, distinct, depth: as TLC 1.8 finds them with one worker and its own translation
COUNTS = {
    "Alone": (VALUE, 24, 22, 21),
    "Calls": (VALUE, 18063, 8656, 29),
    "Counter": (VALUE, 18, 13, 4),
    "Forever": ("", 16, 5, 3),
    "Boxes": ("", 30, 16, 4),
    "Locks": ("CONSTANT Node = {1, 2}\n", 283080, 82464, 28),
    "Steps": ("", 5955, 2872, 13),
}

UP = """---- MODULE Up ----
EXTENDS Naturals
(* --algorithm Up
variables x = 0;
begin
  W: while x < 3 do
       x := x + 1;
  L:   x := x + STEP;
     end while;
end algorithm *)
Small == x < 5
====
"""


PLANTED = """---- MODULE Planted ----
EXTENDS Naturals, Sequences, TLC
(* --algorithm Planted
variables x = 0, f = [n \\in 1..2 |-> n], q = <<>>;
define
  Twice(n) == n * 2
end define;
macro up(v, by) begin
  v := v + by;
end macro;
procedure Proc(a)
variables b = 0;
begin
 p1: b := a;
 p2: return;
end procedure;
process w \\in {1, 2}
variables mine = 0;
begin
 a: x := 1 - x;
 b: if x = 0 then
      mine := mine + 1;
    else
      f[self] := 0;
    end if;
 c: with i \\in {1, 2} do
      f[i] := Twice(i);
    end with;
 d: up(mine, 1);
 e: call Proc(mine);
 g: await x \\in {0, 1};
 h: assert mine < 9;
 i: while mine < 3 do
      mine := mine + 1;
    end while;
 j: either skip;
    or q := Append(q, self);
    end either;
end process;
end algorithm *)
====
"""

# what is written instead of what, and how many lines below its first one the mistake is
MISTAKES = {
    "an initial value": ("x = 0,", 'x = 1 + "a",', 0),
    "a definition": ("n * 2", "n * m", 0),
    "a macro": ("v := v + by", "v := v + nobody", 0),
    "a procedure": ("b := a;", "b := Head(<<>>);", 0),
    "the set of a process": ("{1, 2}\nvariables", "{1, unknown}\nvariables", 0),
    "a variable of a process": ("variables mine = 0", "variables mine = CHOOSE z \\in {} : TRUE", 0),
    "an assignment": ("x := 1 - x", "x := 1 - TRUE", 0),
    "an if": ("if x = 0", "if x + 1", 0),
    "outside of a domain": ("f[self] := 0", "f[self] := f[7]", 0),
    "a with": ("with i \\in {1, 2}", "with i \\in 3", 0),
    "arguments of a definition": ("f[i] := Twice(i)", "f[i] := Twice(i, 1)", 0),
    "a macro's argument": ("v := v + by", 'v := v + by + "b"', 0),
    "a procedure's argument": ("call Proc(mine)", "call Proc(mine + <<>>)", 0),
    "an await": ("await x \\in {0, 1}", "await x", 0),
    "an assertion": ("mine < 9", "mine < 1", 0),
    "a while": ("while mine < 3", "while mine < {}", 0),
    "arguments of an operator": ("Append(q, self)", "Append(q, self, 1)", 0),
    "a value of another kind": ("Append(q, self)", "Append(self, q)", 0),
    "the second line of an expression": ("mine := mine + 1;", "mine := (mine\n         + 1 + unknown);", 1),
    "precedence": ("x \\in {0, 1};", "x = 1 /\\ x \\/ x;", 0),
}


def written(folder: Path, step: str = "1", config: str = "INVARIANT Small\n") -> Path:
    (folder / "Up.tla").write_text(UP.replace("STEP", step))
    (folder / "Up.cfg").write_text("SPECIFICATION Spec\n" + config)
    return folder / "Up.tla"


def run(*words: str | Path) -> Result:
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return result


def answer(spec: Path, *options: str) -> dict[str, Any]:
    run("check", spec, "--json", spec.with_suffix(".json"), *options)
    found: dict[str, Any] = json.loads(spec.with_suffix(".json").read_text())
    return found


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.stem)
def test_counts_are_those_of_tlc(spec: Path, tmp_path: Path) -> None:
    constants, *counts = COUNTS[spec.stem]
    (tmp_path / spec.name).write_text(untranslated(spec.read_text()))
    (tmp_path / f"{spec.stem}.cfg").write_text("SPECIFICATION Spec\n" + constants)
    found = answer(tmp_path / spec.name)
    assert [found["totalStates"], found["distinctStates"], found["stateDepth"]] == counts, found["message"]


def test_an_algorithm_is_translated_in_memory(tmp_path: Path) -> None:
    spec = written(tmp_path)
    before = spec.read_text()
    result = run("check", spec)
    assert result.exit_code == 0, result.output
    assert "END TRANSLATION" not in result.output
    assert spec.read_text() == before


def test_a_module_that_extends_one_with_an_algorithm(tmp_path: Path) -> None:
    written(tmp_path)
    (tmp_path / "More.tla").write_text("---- MODULE More ----\nEXTENDS Up\nTiny == x < 3\n====\n")
    (tmp_path / "More.cfg").write_text("SPECIFICATION Spec\nINVARIANT Tiny\n")
    assert answer(tmp_path / "More.tla")["violated"] == "Tiny"


def test_errors_are_at_the_line_of_the_algorithm(tmp_path: Path) -> None:
    spec = written(tmp_path, '"a"')
    said = run("check", spec).output
    assert f"{spec}:8:1: " in said and '/\\ x\' = x + "a"' in said
    spec = written(tmp_path, "1 +")
    assert f"{spec}:8:" in run("check", spec).output
    spec = written(tmp_path, "1; L2: goto nowhere")
    said = run("check", spec)
    assert said.exit_code == 150 and f"{spec}:8:24: There is no label nowhere" in said.output


@pytest.mark.parametrize("place", MISTAKES)
def test_a_mistake_in_a_formula_is_told_at_its_line(place: str, tmp_path: Path) -> None:
    old, new, below = MISTAKES[place]
    text = PLANTED.replace(old, new, 1)
    spec = tmp_path / "Planted.tla"
    spec.write_text(text)
    spec.with_suffix(".cfg").write_text("SPECIFICATION Spec\n" + VALUE)
    said = run("check", spec, "--engine", "python").output
    line = text[: text.index(new)].count("\n") + 1 + below
    assert f"{spec}:{line}:1: " in said, said
    assert "END TRANSLATION" not in said


def test_a_counterexample_says_the_lines_of_the_algorithm(tmp_path: Path) -> None:
    """Also of a translation in the file, and in a folder with a long name; not of a translation that is older."""
    folder = tmp_path / ("a-folder-with-a-name-as-long-as-a-line-of-a-terminal-" * 2)
    folder.mkdir()
    spec = written(folder, config="INVARIANT Low\n")
    spec.write_text(spec.read_text().replace("Small ==", "Low =="))
    spec.write_text(spec.read_text().replace("x < 5", "x < 3"))
    begins = f"2. W   {spec}:6: W: while x < 3 do"
    result = run("check", spec, "--out", folder)
    assert begins in result.output
    trace = folder / "Up.itf.json"
    assert begins in run("trace", "show", trace).output
    states = json.loads(trace.read_text())["states"]
    assert states[2]["#meta"]["algorithm"] == {"file": str(spec), "line": 8, "text": "L: x := x + 1;"}
    run("translate", spec)
    assert begins in run("check", spec).output
    spec.write_text(spec.read_text().replace("x := x + 1;\n  L", "x := x + 2;\n  L"))
    assert "2. W\n" in run("check", spec).output


def test_a_counterexample_names_processes_and_procedures(tmp_path: Path) -> None:
    spec = tmp_path / "Planted.tla"
    spec.write_text(PLANTED.replace("mine < 9", "mine < 1"))
    spec.with_suffix(".cfg").write_text("SPECIFICATION Spec\n" + VALUE)
    said = run("check", spec, "--engine", "python").output
    assert re.search(r"a_\((1|2)\) +process w, .*Planted.tla:20", " ".join(said.split()))
    assert "procedure Proc, " in said


def test_a_step_that_begins_with_a_macro_begins_where_that_is_called(tmp_path: Path) -> None:
    spec = tmp_path / "Planted.tla"
    spec.write_text(PLANTED.replace("\n====", '\nLow == \\A n \\in {1, 2}: pc[n] # "e"\n===='))
    spec.with_suffix(".cfg").write_text("SPECIFICATION Spec\nINVARIANT Low\n" + VALUE)
    line = PLANTED[: PLANTED.index("d: up(")].count("\n") + 1
    report = tmp_path / "report.sarif"
    said = run("check", spec, "--engine", "python", "--report", f"sarif={report}").output
    assert f"{spec}:{line}: d: up(mine, 1);" in said
    (result,) = [r for r in json.loads(report.read_text())["runs"][0]["results"] if r["level"] == "error"]
    region = result["relatedLocations"][0]["physicalLocation"]["region"]
    assert (region["startLine"], region["startColumn"]) == (line, 2)


def test_the_comment_of_the_translation_says_nothing_of_a_property(tmp_path: Path) -> None:
    spec = written(tmp_path, config="INVARIANT Tiny\n")
    spec.write_text(spec.read_text().replace("begin\n", "define\n  Tiny == x < 3\nend define;\nbegin\n"))
    said = run("check", spec).output
    assert "Tiny is violated in step" in said and "define statement" not in said


def test_what_is_below_the_algorithm_keeps_its_line(tmp_path: Path) -> None:
    spec = written(tmp_path, config="INVARIANT Bad\n")
    spec.write_text(spec.read_text().replace("Small == x < 5", "Bad == x < 3"))
    report = tmp_path / "report.sarif"
    run("check", spec, "--report", f"sarif={report}")
    (result,) = [r for r in json.loads(report.read_text())["runs"][0]["results"] if r["level"] == "error"]
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 11
    assert result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == 6


def test_a_definition_of_ones_own_is_left_alone(tmp_path: Path) -> None:
    """The algorithm is there to be read; its translation was made by hand."""
    spec = written(tmp_path)
    own = "VARIABLE x\nInit == x = 0\nNext == x' = 1 - x\nSpec == Init /\\ [][Next]_x\nSmall =="
    spec.write_text(spec.read_text().replace("Small ==", own))
    assert answer(spec)["distinctStates"] == 2


def test_a_definition_in_a_comment_is_none(tmp_path: Path) -> None:
    spec = written(tmp_path)
    own = "(* Of the translation:\nInit == x = 0\n*) Small =="
    spec.write_text(spec.read_text().replace("Small ==", own))
    assert answer(spec)["result"] == "success"


def test_why_there_is_no_translation(tmp_path: Path) -> None:
    spec = written(tmp_path)
    spec.write_text(spec.read_text().replace("Small ==", "Spec == Init /\\ [][Next]_vars\nSmall =="))
    result = run("check", spec)
    assert result.exit_code == 150
    assert "The algorithm is not translated, since the module defines Spec itself" in " ".join(result.output.split())


@pytest.mark.parametrize("form", ["1.11", "1.12"])
def test_a_step_that_gives_a_variable_a_value_of_another_kind(tmp_path: Path, form: str) -> None:
    """`pc` is compared first, in the file as TLC's newer translator has it and where no file has it."""
    spec = tmp_path / "Kinds.tla"
    body = 'variables x = 1;\nbegin\n  A: x := "a";\n  B: x := <<>>;\nend algorithm *)'
    spec.write_text(f"---- MODULE Kinds ----\nEXTENDS Integers\n(* --fair algorithm Kinds\n{body}\n====\n")
    spec.with_suffix(".cfg").write_text("SPECIFICATION Spec\nPROPERTY Termination\n")
    assert run("check", spec).exit_code == 0
    run("translate", "--pcal", form, spec)
    assert run("check", spec).exit_code == (77 if form == "1.11" else 0)


def test_an_old_translation_is_said_to_be_one(tmp_path: Path) -> None:
    spec = written(tmp_path)
    assert run("translate", spec).exit_code == 0
    said = "the algorithm has changed since it was translated"
    assert said not in run("check", spec).output
    spec.write_text(spec.read_text().replace("x < 3 do", "x < 1 do"))
    result = run("check", spec)
    assert said in result.output and f"rmqproof translate {spec}" in result.output
    assert run("translate", "--check", spec).exit_code == 1
    run("translate", spec)
    assert said not in run("check", spec).output
    assert run("translate", "--check", spec).exit_code == 0


def test_an_old_translation_without_a_checksum_is_said_to_be_another(tmp_path: Path) -> None:
    """As TLC's translator does, marks that stand there without checksums are left so."""
    spec = written(tmp_path)
    marks = "end algorithm *)\n\\* BEGIN TRANSLATION\n\\* END TRANSLATION\n"
    spec.write_text(spec.read_text().replace("end algorithm *)\n", marks))
    run("translate", spec)
    said = "not what the algorithm is translated to now"
    assert "chksum" not in spec.read_text() and said not in run("check", spec).output
    spec.write_text(spec.read_text().replace("x < 3 do", "x < 1 do"))
    assert said in " ".join(run("check", spec).output.split())


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_translating_again_changes_nothing(tmp_path: Path, ending: str) -> None:
    spec = written(tmp_path)
    spec.write_bytes(spec.read_text().replace("\n", ending).encode())
    run("translate", spec)
    first = spec.read_bytes()
    assert first.count(b"\r\n") == (first.count(b"\n") if ending == "\r\n" else 0)
    result = run("translate", spec)
    assert result.exit_code == 0 and "is current" in result.output
    assert spec.read_bytes() == first
    assert run("translate", "--stdout", spec).stdout.replace("\r\n", "\n") == first.decode().replace("\r\n", "\n")


def test_labels_that_are_added_are_said(tmp_path: Path) -> None:
    spec = written(tmp_path)
    spec.write_text(spec.read_text().replace("W: ", "").replace("L: ", ""))
    assert "added the label Lbl_1 at line 6, column 3" in run("translate", spec).output


def test_what_cannot_be_translated(tmp_path: Path) -> None:
    spec = written(tmp_path, "1 +")
    before = spec.read_bytes()
    none = tmp_path / "None.tla"
    none.write_text("---- MODULE None ----\n====\n")
    (tmp_path / "binary.tla").write_bytes(bytes(range(256)))
    result = run("translate", none)
    assert result.exit_code == 150 and f"{none}: There is no algorithm" in result.output
    assert run("translate", "--check", none).exit_code == 0, "nothing is older than what is not there"
    assert run("translate", tmp_path / "binary.tla").exit_code in (150, 153)
    spec.write_text(spec.read_text().replace("begin", "begni"))
    assert run("translate", spec).exit_code == 150
    assert spec.read_bytes() == before.replace(b"begin", b"begni")


UNREAD = """---- MODULE Unread ----
EXTENDS Naturals
(* --algorithm Unread
variables x = 0,
\ty = 1;
begin
  W: while x < 3 do
       x := x + 1;
       y := 5;
     end while;
end algorithm *)
====
"""


@pytest.mark.parametrize("translating", [False, True])
def test_a_note_about_a_variable_is_at_its_declaration(translating: bool, tmp_path: Path) -> None:
    spec = tmp_path / "Unread.tla"
    spec.write_text(UNREAD)
    spec.with_suffix(".cfg").write_text("SPECIFICATION Spec\n")
    if translating:
        run("translate", spec)
    said = [each["sentence"] for each in answer(spec)["findings"] if each["kind"] == "variable never read"]
    assert [sentence.partition(": ")[0] for sentence in said] == [f"{spec}:5:2"]
