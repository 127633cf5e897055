"""Bad input: what a user gets for each kind of mistake, with its place, its cause, a remedy and an exit status."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rmqproof.model.cli import main
from rmqproof.model.tla.source import LARGEST

INIT_NEXT = "INIT Init\nNEXT Next\n"
COUNTER = "VARIABLE x\nInit == x = 0\nNext == x' = 0\n"


@dataclass(frozen=True)
class Bad:
    """`body` goes between EXTENDS and the end of module M, which is M.tla; its first line is line 3. `says`:
    fragments of the message; the first is where."""

    body: str
    status: int
    says: tuple[str, ...]
    config: str = INIT_NEXT
    extends: str = "Naturals, Sequences, FiniteSets, TLC"


def step(expression: str, *says: str, status: int = 75, before: str = "") -> Bad:
    """An error in the second step, after x = 0 and x = 1; the place is in line 6."""
    body = f"VARIABLE x\n{before}\nInit == x = 0\nNext == x < 3 /\\ x' = IF x = 1 THEN {expression} ELSE x + 1"
    return Bad(body, status, ("x: 0 -> 1", *says))


OUTSIDE = {
    "syntax": Bad("VARIABLE x\nInit == x =\nNext == x' = 0", 150, ("M.tla:5:1:", "expected an expression", "line 4")),
    "parenthesis": Bad("VARIABLE x\nInit == x = (1 + 2\nNext == x' = 0", 150, ("M.tla:5:1:", "expected )")),
    "string": Bad('VARIABLE x\nInit == x = "abc\nNext == x', 150, ("M.tla:4:13:", "never closed")),
    "comment": Bad("VARIABLE x (* hello\nInit == x = 0", 150, ("M.tla:3:12:", "never closed", "Add *)")),
    "precedence": Bad("VARIABLE x\nInit == TRUE /\\ TRUE \\/ FALSE", 150, ("M.tla:4:22:", "Add parentheses")),
    "definition with =": Bad("VARIABLE x\nInit = x = 0", 150, ("M.tla:4:10:", "Write == to define")),
    "unknown name": Bad(
        "VARIABLE count\nInit == count = 0\nNext == count' = cuont + 1",
        150,
        ("M.tla:5:18:", "cuont is not known", "Did you mean count?"),
    ),
    "arity": Bad(
        "VARIABLE x\nF(a, b) == a\nInit == x = F(1)", 150, ("M.tla:5:13:", "F takes 2 arguments", "M.tla:4:1")
    ),
    "no arguments": Bad(
        "VARIABLE x\nF(a, b) == a\nInit == x = F", 150, ("M.tla:5:13:", "F takes 2 arguments", "apply it")
    ),
    "missing module": Bad(
        COUNTER, 150, ("M.tla:2:9:", "no module Naturalz", "Did you mean Naturals?"), extends="Naturalz"
    ),
    "missing instance": Bad(COUNTER + "I == INSTANCE Nowhere", 150, ("M.tla:6:6:", "no module Nowhere")),
    "duplicate": Bad(COUNTER + "A == 1\nA == 2", 150, ("M.tla:7:1:", "already defined at M.tla:6:1", "another name")),
    "hidden name": Bad(COUNTER + "F == \\E x \\in {1} : TRUE", 150, ("M.tla:6:9:", "already has a meaning")),
    "not RECURSIVE": Bad(COUNTER + "F(n) == F(n + 1)", 150, ("M.tla:6:9:", "its own definition", "RECURSIVE F(_)")),
    "level": Bad(COUNTER + "ASSUME x = 1", 150, ("M.tla:6:1:", "mentions variables")),
    "two primes": Bad("VARIABLE x\nInit == x = 0\nNext == x'' = 0", 150, ("M.tla:5:9:", "cannot be primed again")),
    "constant": Bad("CONSTANT N\n" + COUNTER, 151, ("M.tla:3:10:", "N has no value", "CONSTANT N = N")),
    "section": Bad(COUNTER, 151, ("M.cfg:3:1:", "INVARIENT", "Did you mean INVARIANT?"), INIT_NEXT + "INVARIENT Foo"),
    "section ends": Bad(COUNTER, 151, ("M.cfg:3:13:", "ends in the middle"), INIT_NEXT + "CONSTANT N ="),
    "invariant": Bad(
        COUNTER + "TypeOK == TRUE",
        151,
        ("M.cfg:3:11:", "TypeOk", "Did you mean TypeOK?"),
        INIT_NEXT + "INVARIANT TypeOk",
    ),
    "primed invariant": Bad(
        COUNTER + "Inv == x' = 0", 151, ("M.cfg:3:11:", "Inv is an action", "[][Inv]_vars"), INIT_NEXT + "INVARIANT Inv"
    ),
    "empty configuration": Bad(COUNTER, 151, ("M.cfg:1:1:", "where states start", "Add SPECIFICATION"), ""),
    "no specification": Bad(
        COUNTER, 151, ("M.cfg:1:15:", "Spec, which module M does not define"), "SPECIFICATION Spec"
    ),
}

INSIDE = {
    "unassigned": Bad(
        "VARIABLES x, y\nInit == x = 0 /\\ y = 0\nA == x' = 1\nNext == A",
        75,
        ("M.tla:5:1:", "action A leaves the variable y", "Add UNCHANGED y"),
    ),
    "no first value": Bad(
        "VARIABLES x, y\nInit == x = 0\nNext == UNCHANGED <<x, y>>", 75, ("M.tla:4:1:", "gives the variable y no value")
    ),
    "read too early": Bad(
        "VARIABLES x, y\nInit == x = 0 /\\ y = 0\nNext == y' = x' + 1 /\\ x' = 1",
        75,
        ("M.tla:5:14:", "x is read before"),
    ),
    "infinite start": Bad(
        "VARIABLE x\nInit == x \\in Nat\nNext == x' = 0", 75, ("M.tla:4:15:", "Nat is not enumerable")
    ),
    "infinite step": Bad(
        "VARIABLE x\nInit == x = 0\nNext == \\E n \\in Nat : x' = n", 75, ("M.tla:5:18:", "Nat is not enumerable")
    ),
    "kind of operand": step('"a" + 1', "M.tla:6:37:", "+ needs integers", "string"),
    "kinds compared": step('IF 1 = "a" THEN 1 ELSE 2', "M.tla:6:40:", "does not say whether they are equal"),
    "division": step("1 \\div 0", "M.tla:6:37:", "divided by zero", "Guard the division"),
    "modulus": step("1 % 0", "M.tla:6:37:", "must be positive, and is 0"),
    "outside the domain": step("<<1, 2>>[3]", "M.tla:6:37:", "applied to 3", "{1, 2}"),
    "field": step("[name |-> 1].nmae", "M.tla:6:37:", "no field nmae"),
    "no function": step("x[1]", "M.tla:6:37:", "not a function"),
    "Head": step("Head(<<>>)", "M.tla:6:37:", "Head of the empty sequence"),
    "CASE": step("CASE x = 7 -> 1 [] x = 8 -> 2", "M.tla:6:37:", "no guard of this CASE is true", "OTHER"),
    "CHOOSE": step("CHOOSE y \\in 1..3 : y > 5", "M.tla:6:37:", "CHOOSE finds no element"),
    "unbounded CHOOSE": step("CHOOSE y : y > 5", "M.tla:6:37:", "CHOOSE without a set"),
    "endless operator": step("F(0)", "M.tla:4:", "recursion does not end", before="RECURSIVE F(_) F(n) == F(n + 1)"),
    "endless function": step("f[0]", "M.tla:4:", "recursion does not end", before="f[n \\in Nat] == f[n + 1]"),
    "Assert": step(
        'IF Assert(FALSE, "boom") THEN 1 ELSE 2', 'M.tla:6:40: "boom"', "first argument of Assert is FALSE", status=14
    ),
    "condition": step("IF 3 THEN 1 ELSE 2", "M.tla:6:40:", "a Boolean is needed"),
    "infinite set": step("Cardinality(Nat)", "M.tla:6:37:", "not finite"),
    "no set": step("IF 1 \\in 3 THEN 1 ELSE 2", "M.tla:6:40:", "must be a set"),
    "invariant": Bad(
        "VARIABLE x\nInit == x = 0\nNext == x < 3 /\\ x' = x + 1\nInv == 10 \\div (2 - x) > 0",
        76,
        ("x: 1 -> 2", "In invariant Inv:", "M.tla:6:8:", "divided by zero"),
        INIT_NEXT + "INVARIANT Inv",
    ),
    "invariant at the start": Bad(
        'VARIABLE x\nInit == x = 0\nNext == x\' = 1\nInv == x = "a"',
        75,
        ("In invariant Inv:", "M.tla:6:8:"),
        INIT_NEXT + "INVARIANT Inv",
    ),
    "property at the start": Bad(
        'VARIABLE x\nInit == x = 0\nNext == x\' = 1\nP == x = "a"',
        75,
        ("In initial property P:", "M.tla:6:6:"),
        INIT_NEXT + "PROPERTY P",
    ),
    "property of a step": Bad(
        "VARIABLE x\nInit == x = 0\nNext == x' = x + 1\nP == [][x = 1 => x' = \"a\"]_x",
        75,
        ("x: 1 -> 2", "In step property P:", "M.tla:6:18:"),
        INIT_NEXT + "PROPERTY P",
    ),
    "assumption": Bad(COUNTER + "ASSUME 1 = 2", 10, ("M.tla:6:8", "is false")),
}


def run(folder: Path, bad: Bad, *more: str) -> Result:
    text = f"---- MODULE M ----\nEXTENDS {bad.extends}\n{bad.body}\n====\n"
    (folder / "M.tla").write_text(text, encoding="utf-8")
    (folder / "M.cfg").write_text(bad.config, encoding="utf-8")
    return CliRunner().invoke(main, ["check", "M.tla", "--workers", "1", *more])


def verify(result: Result, bad: Bad) -> None:
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == bad.status, result.output
    for fragment in bad.says:
        assert fragment in result.output, result.output


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", OUTSIDE)
def test_mistake_in_the_text(name: str, tmp_path: Path) -> None:
    result = run(tmp_path, OUTSIDE[name])
    verify(result, OUTSIDE[name])
    assert "^" in result.output


@pytest.mark.parametrize("name", INSIDE)
def test_mistake_found_by_evaluation(name: str, tmp_path: Path) -> None:
    verify(run(tmp_path, INSIDE[name], "--engine", "python"), INSIDE[name])


def test_a_module_with_variables_and_no_configuration_is_no_success(tmp_path: Path) -> None:
    (tmp_path / "M.tla").write_text(f"---- MODULE M ----\n{COUNTER}====\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["check", "M.tla"])
    assert result.exit_code == 151
    assert "M.cfg: there is no configuration" in result.output
    assert "SPECIFICATION" in result.output


def test_byte_order_marks_and_carriage_returns_are_read(tmp_path: Path) -> None:
    text = f"\ufeff---- MODULE M ----\n{COUNTER}Inv == x = 0\n====\n".replace("\n", "\r\n")
    (tmp_path / "M.tla").write_bytes(text.encode())
    (tmp_path / "M.cfg").write_bytes(f"\ufeff{INIT_NEXT}INVARIANT Inv\n".replace("\n", "\r\n").encode())
    result = CliRunner().invoke(main, ["check", "M.tla", "--engine", "python", "--workers", "1"])
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize(("name", "status"), [("M.tla", 150), ("M.cfg", 151)])
def test_a_file_that_is_no_text(name: str, status: int, tmp_path: Path) -> None:
    run(tmp_path, Bad(COUNTER, 0, ()))
    (tmp_path / name).write_bytes(b"\x00\xff\xfe\x80")
    result = CliRunner().invoke(main, ["check", "M.tla"])
    assert result.exit_code == status, result.output
    assert f"{name}: not UTF-8 text" in result.output


@pytest.mark.parametrize(("name", "status"), [("M.tla", 153), ("M.cfg", 2)])
def test_a_file_without_an_end(name: str, status: int, tmp_path: Path) -> None:
    run(tmp_path, Bad(COUNTER, 0, ()))
    (tmp_path / name).unlink()
    with (tmp_path / name).open("wb") as file:
        file.truncate(LARGEST + 1)
    result = CliRunner().invoke(main, ["check", "M.tla"])
    assert result.exit_code == status, result.output
    assert "More than 64 MB" in result.output


@pytest.mark.parametrize(("word", "near"), [("chek", " Did you mean 'check'?"), ("simulate", "")])
def test_a_command_that_is_nearly_right_is_named(word: str, near: str) -> None:
    result = CliRunner().invoke(main, [word])
    assert result.exit_code == 2
    assert result.output.endswith(f"No such command '{word}'.{near}\n")
