"""Another name for a thing: everywhere where it is used, nowhere else, and the model stays what it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.checking.check import check
from rmqproof.model.checking.options import Options
from rmqproof.model.editor.renaming import CannotRename, Workspace, rewritten
from rmqproof.model.tla.model_files import find_models

TESTS = Path(__file__).parents[1]
BASE = """---- MODULE Base ----
CONSTANT Start
VARIABLES x, y
Up(n) == x' = n + x /\\ y' = [y EXCEPT !.x = 1]  \\* x here, and "x"
LOCAL Own == x
Init == x = Start /\\ y = [x |-> 0]
====
"""
USER = """---- MODULE User ----
EXTENDS Naturals, Base
Next == x < 3 /\\ Up(1)
Small == \\A z \\in {x} : z < 5 /\\ y.x < 2 /\\ LET w == z IN w = x
====
"""
OTHER = """---- MODULE Other ----
EXTENDS Naturals
VARIABLES x, z
I == INSTANCE Base WITH Start <- 0, x <- x, y <- z
Next == I!Up(2)
====
"""
CONFIG = "CONSTANT Start = 0\nINIT Init\nNEXT Next\nINVARIANT Small\nCHECK_DEADLOCK FALSE\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (
        ("Base", BASE.replace("MODULE Base ----", "MODULE Base ----\nEXTENDS Naturals")),
        ("User", USER),
    ):
        (tmp_path / f"{name}.tla").write_text(text)
    (tmp_path / "Other.tla").write_text(OTHER)
    (tmp_path / "User.cfg").write_text(CONFIG)
    return tmp_path


def place(path: Path, word: str, nth: int = 1) -> tuple[int, int]:
    """Line and column of a word's nth occurrence."""
    text, offset = path.read_text(), -1
    for _ in range(nth):
        offset = text.index(word, offset + 1)
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def renamed(path: Path, word: str, to: str, nth: int = 1) -> dict[str, str]:
    """The texts of the files that change, by name."""
    workspace = Workspace.around(path, {})
    found = workspace.symbol(path, *place(path, word, nth))
    assert found is not None, "there is no name here"
    return {
        file.name: rewritten(file.read_text(), edits) for file, edits in workspace.renamed(found.symbol, to).items()
    }


def test_a_variable_in_every_module(folder: Path) -> None:
    """Not a field of that name, nor what another module calls so, nor comments and strings."""
    texts = renamed(folder / "User.tla", "x < 3", "first")
    assert sorted(texts) == ["Base.tla", "Other.tla", "User.tla"]
    assert "Up(n) == first' = n + first /\\ y' = [y EXCEPT !.x = 1]  \\* x here, and \"x\"" in texts["Base.tla"]
    assert "Init == first = Start /\\ y = [x |-> 0]" in texts["Base.tla"]
    assert "first <- x, y <- z" in texts["Other.tla"] and "VARIABLES x, z" in texts["Other.tla"]
    assert "z < 5 /\\ y.x < 2 /\\ LET w == z IN w = first" in texts["User.tla"]


def test_a_constant_and_a_definition_in_configurations(folder: Path) -> None:
    assert "CONSTANT First = 0" in renamed(folder / "Base.tla", "Start", "First")["User.cfg"]
    texts = renamed(folder / "User.tla", "Small", "Little")
    assert "INVARIANT Little" in texts["User.cfg"] and sorted(texts) == ["User.cfg", "User.tla"]
    texts = renamed(folder / "Other.tla", "Up(2)", "Add")
    assert "I!Add(2)" in texts["Other.tla"] and "/\\ Add(1)" in texts["User.tla"] and "Add(n) ==" in texts["Base.tla"]


def test_a_name_in_a_configuration(folder: Path) -> None:
    lines = (folder / "User.cfg").read_text().splitlines()
    number = next(number for number, line in enumerate(lines) if "CONSTANT Start" in line)
    workspace = Workspace.around(folder / "User.cfg", {})
    found = workspace.symbol(folder / "User.cfg", number + 1, lines[number].index("Start") + 2)
    assert found is not None and Path(found.symbol.file).name == "Base.tla"
    assert workspace.symbol(folder / "User.cfg", number + 1, 3) is None


def test_lists_stay_lists(tmp_path: Path) -> None:
    """Their items stand in one column, which a longer name on the line of the first one moves."""
    module = tmp_path / "Lists.tla"
    module.write_text(
        "---- MODULE Lists ----\nVARIABLE x\nP == x = 0\nA == P => /\\ P \\/ P\n          /\\ \\/ P\n"
        "             \\/ x = P\n\nB ==\n  /\\ A\n  /\\ P\n====\n"
    )
    assert renamed(module, "P ==", "Longer")["Lists.tla"] == (
        "---- MODULE Lists ----\nVARIABLE x\nLonger == x = 0\nA == Longer => /\\ Longer \\/ Longer\n"
        "               /\\ \\/ Longer\n                  \\/ x = Longer\n\nB ==\n  /\\ A\n  /\\ Longer\n====\n"
    )
    text = renamed(module, "A ==", "Longest")["Lists.tla"]
    assert "Longest == P => /\\ P \\/ P\n                /\\ \\/ P\n" in text and "B ==\n  /\\ Longest\n" in text


def test_what_a_formula_binds(folder: Path) -> None:
    (text,) = renamed(folder / "User.tla", "z \\in", "each").values()
    assert "\\A each \\in {x} : each < 5 /\\ y.x < 2 /\\ LET w == each IN w = x" in text
    (text,) = renamed(folder / "User.tla", "w = x", "v").values()
    assert "LET v == z IN v = x" in text
    (text,) = renamed(folder / "Base.tla", "n + x", "by").values()
    assert "Up(by) == x' = by + x" in text


@pytest.mark.parametrize(
    ("word", "to", "why"),
    [
        ("x < 3", "y", "meaning|defined|declared"),
        ("x < 3", "z", "meaning|defined|declared|bound"),
        ("x < 3", "IF", "no name"),
        ("x < 3", "a b", "no name"),
        ("z \\in", "x", "meaning|defined|declared|bound"),
        ("Small", "Nat", "defined|meaning"),
    ],
)
def test_what_would_mean_something_else_is_refused(word: str, to: str, why: str, folder: Path) -> None:
    with pytest.raises(CannotRename, match=why):
        renamed(folder / "User.tla", word, to)


@pytest.mark.parametrize(
    "name",
    [
        "docs/tutorial/Lock.cfg",
        pytest.param("tests/specs/Paxos.cfg", marks=pytest.mark.large),
        pytest.param("tests/specs/InstanceForms.cfg", marks=pytest.mark.large),
    ],
)
def test_the_states_are_the_same_whatever_the_names(name: str, tmp_path: Path) -> None:
    """Every name of the specification gets another one, one after the other."""
    original = TESTS.parent / name
    for file in (*original.parent.glob("*.tla"), *original.parent.glob("*.cfg")):
        (tmp_path / file.name).write_text(file.read_text())
    config = tmp_path / original.name
    before = _counts(config)
    module = find_models([config])[0].spec.resolve()
    symbols = {each.symbol.name for each in Workspace.around(module, {})._read(module).names}
    for number, old in enumerate(sorted(symbols)):
        workspace = Workspace.around(module, {})
        found = next(each.symbol for each in workspace._read(module).names if each.symbol.name == old)
        to = f"renamed_{number}"
        try:
            changes = workspace.renamed(found, to)
        except CannotRename as error:
            assert "nothing is substituted" in str(error)  # an instance without WITH goes by the name
            continue
        for file, edits in changes.items():
            file.write_text(rewritten(file.read_text(), edits))
    assert _counts(config) == before


def _counts(config: Path) -> tuple[object, ...]:
    result = check(find_models([config])[0], Options(engine="python", workers=1)).result
    return result.verdict, result.total, result.distinct, result.depth
