"""Expressions and definitions that nest deeply: no limit that a person meets, and past it a word that says so."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.at_length import all_but

DEEP = {
    "many additions": "Inv == x" + " + 1" * 300 + " >= 300",
    "a sum of many terms": "Inv == x" + "".join(f" + {i % 7}" for i in range(3000)) + " >= 0",
    "definitions that use each other": (
        "D0 == x\n" + "".join(f"D{i} == D{i - 1} + 1\n" for i in range(1, 1001)) + "Inv == D1000 >= 1000"
    ),
    "constants that use each other": (
        "D0 == 0\n" + "".join(f"D{i} == D{i - 1} + 1\n" for i in range(1, 1001)) + "Inv == x + D1000 >= 1000"
    ),
    "operators that apply each other": (
        "D0(a) == a\n" + "".join(f"D{i}(a) == D{i - 1}(a + 1)\n" for i in range(1, 1001)) + "Inv == D1000(x) >= 1000"
    ),
    "sets of sets": "Inv == " + "{" * 200 + "x" + "}" * 200 + " # {}",
    "IF after ELSE": "Inv == " + "".join(f"IF x = {i + 5} THEN FALSE ELSE " for i in range(300)) + "x >= 0",
    "LET in LET": "Inv == " + "".join(f"LET v{i} == x + {i} IN " for i in range(300)) + "v299 >= 0",
    "not not": "Inv == " + "~" * 400 + "(x >= 0)",
    "EXCEPT in EXCEPT": "Inv == " + "[" * 300 + "[a |-> x]" + " EXCEPT !.a = @ + 1]" * 300 + ".a >= 300",
    "an action": "Deep == x' = (x" + " + 1" * 999 + ") % 3\nInv == x < 7",
    "an action by many names": (
        "D0 == x' = (x + 1) % 3\n"
        + "".join(f"D{i} == D{i - 1}\n" for i in range(1, 1001))
        + "Inv == x < 5\nDeep == D1000"
    ),
}


def written(folder: Path, body: str) -> Path:
    spec = folder / "Deep.tla"
    next_ = "Deep" if "Deep ==" in body else "Next"
    head = "---- MODULE Deep ----\nEXTENDS Naturals, Sequences\nVARIABLE x\nInit == x = 0\nNext == x' = (x + 1) % 3\n"
    spec.write_text(f"{head}{body}\n====\n".replace("Deep ==", "Step ==").replace("Deep,", "Step,"))
    spec.with_suffix(".cfg").write_text(f"INIT Init\nNEXT {next_.replace('Deep', 'Step')}\nINVARIANT Inv\n")
    return spec


def run(arguments: list[str], folder: Path) -> tuple[int, str]:
    """Exit status and output of a process of its own: what Hypothesis hooks into this one's garbage collection calls
    Python at the very depth at which Python gives up, and that ends the process."""
    command = [sys.executable, "-c", "from rmqproof.model.cli import main; main()", *arguments]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    "kind",
    all_but(
        DEEP, "constants that use each other", "operators that apply each other", "definitions that use each other"
    ),
)
def test_what_nests_deeply_is_evaluated(tmp_path: Path, kind: str) -> None:
    spec = written(tmp_path, DEEP[kind])
    status, output = run(["check", str(spec)], tmp_path)
    assert status == 0, output
    assert "3 distinct" in output or kind == "an action"


OTHERS = (
    (["types"], "a sum of many terms"),
    (["types"], "definitions that use each other"),
    (["graph", "-o", "states.dot"], "definitions that use each other"),
    (["prove", "--bounded", "1"], "many additions"),
    (["check", "--simulate", "2", "--depth", "4", "--engine", "python"], "a sum of many terms"),
)


@pytest.mark.parametrize(
    ("command", "kind"), OTHERS, ids=lambda given: str(given[0] if isinstance(given, list) else given)
)
def test_other_commands(tmp_path: Path, command: list[str], kind: str) -> None:
    spec = written(tmp_path, DEEP[kind])
    status, output = run([command[0], str(spec), *command[1:]], tmp_path)
    assert status == 0, output


def test_a_lemma(tmp_path: Path) -> None:
    chain = "D0(a) == a\n" + "".join(f"D{i}(a) == D{i - 1}(a) + 1\n" for i in range(1, 200))
    spec = tmp_path / "Lemma.tla"
    spec.write_text(
        f"---- MODULE Lemma ----\nEXTENDS Integers\n{chain}"
        "THEOREM Deep == ASSUME NEW a \\in Int, a > 0 PROVE D199(a) > 199\n====\n"
    )
    status, output = run(["prove", str(spec)], tmp_path)
    assert status == 0 and "1 proved" in output, output


@pytest.mark.parametrize(
    "body",
    [
        "Inv == x" + " + 1" * 60_000 + " >= 0",
        "RECURSIVE S(_)\nS(n) == IF n < 0 THEN 0 ELSE 1 + S(n + 1)\nInv == S(x) >= 0",
    ],
    ids=["too long", "without an end"],
)
def test_past_the_limit_it_says_so(tmp_path: Path, body: str) -> None:
    status, output = run(["check", str(written(tmp_path, body)), "--engine", "python"], tmp_path)
    assert status in (75, 76, 150), output
    assert "deep" in output
