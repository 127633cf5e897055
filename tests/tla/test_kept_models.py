"""A model whose files have not changed is not read again, and is the same; where one has changed it is."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from rmqproof.model.cache import keep_bytes, kept_bytes
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.pluscal.translate import translate
from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.tla import core, kept_models
from rmqproof.model.tla.algorithms import stale
from rmqproof.model.tla.library import USUAL_CONFIG, bundled
from rmqproof.model.tla.model import load_model
from rmqproof.model.tla.model_files import ModelFiles, find_models
from rmqproof.model.tla.source import Source, Texts, TlaError

SPECS = Path(__file__).parents[1] / "specs"
ROOT = "---- MODULE Root ----\nEXTENDS Part\nVARIABLE x\nInit == x = 0\nNext == x < Most /\\ x' = x + 1\n====\n"
PART = "---- MODULE Part ----\nEXTENDS Naturals\nMost == {}\n====\n"
CONFIG = "INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n"


@pytest.fixture
def reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The specifications that were read, with a cache of its own."""
    monkeypatch.setenv("RMQPROOF_CACHE", str(tmp_path / "cache"))
    found: list[Path] = []
    read = kept_models._read

    def noted(spec: Path, *rest: object) -> core.Model:
        found.append(spec)
        return read(spec, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(kept_models, "_read", noted)
    return found


@pytest.fixture
def files(tmp_path: Path) -> ModelFiles:
    (tmp_path / "library").mkdir()
    (tmp_path / "Root.tla").write_text(ROOT)
    (tmp_path / "library" / "Part.tla").write_text(PART.format(3))
    (tmp_path / "Root.cfg").write_text(CONFIG)
    return ModelFiles(tmp_path / "Root.tla", tmp_path / "Root.cfg", search_path=(tmp_path / "library",))


def distinct(model: core.Model) -> int:
    return BreadthFirst(system_of(model)).run().distinct


def test_a_model_is_read_once(reads: list[Path], files: ModelFiles) -> None:
    assert [distinct(files.load()) for _ in range(3)] == [4, 4, 4]
    assert len(reads) == 1


def test_what_has_changed_is_read_again(reads: list[Path], files: ModelFiles, tmp_path: Path) -> None:
    assert distinct(files.load()) == 4
    (tmp_path / "library" / "Part.tla").write_text(PART.format(5))
    assert distinct(files.load()) == 6
    (tmp_path / "Part.tla").write_text(PART.format(7))  # stands before the one in the library
    assert distinct(files.load()) == 8
    (tmp_path / "Root.cfg").write_text(CONFIG + "CONSTRAINT Few\n")
    with pytest.raises(TlaError):
        files.load()
    (tmp_path / "Root.tla").write_text(ROOT.replace("Init ==", "Few == x < 2\nInit =="))
    assert distinct(files.load()) == 2
    (tmp_path / "Part.tla").unlink()
    (tmp_path / "library" / "Part.tla").unlink()
    with pytest.raises(TlaError, match="no module Part"):
        files.load()
    assert len(reads) == 6


def test_what_is_given_is_not_kept(reads: list[Path], files: ModelFiles, tmp_path: Path) -> None:
    assert distinct(files.load()) == 4
    assert distinct(files.overridden("CONSTANT Most = 1").load()) == 2
    given = Texts.of({tmp_path / "Part.tla": PART.format(2)})
    assert distinct(ModelFiles(files.spec, files.config, texts=given).load()) == 3
    assert distinct(files.load()) == 4
    assert len(reads) == 3


@pytest.mark.parametrize("damage", (b"", b"{}\nnothing", b"not json\n\x80"))
def test_what_is_damaged_is_read_again(reads: list[Path], files: ModelFiles, tmp_path: Path, damage: bytes) -> None:
    files.load()
    (kept,) = (tmp_path / "cache").glob("*.model")
    keep_bytes(kept.name, damage)
    assert distinct(files.load()) == 4 and len(reads) == 2
    kept.write_bytes(b"something else")
    assert distinct(files.load()) == 4 and len(reads) == 3


def test_a_pickle_that_would_run_something_is_not_read(reads: list[Path], files: ModelFiles, tmp_path: Path) -> None:
    files.load()
    (kept,) = (tmp_path / "cache").glob("*.model")
    asked = (kept_bytes(kept.name) or b"").partition(b"\n")[0]

    class Evil:
        def __reduce__(self) -> tuple[object, tuple[object, ...]]:
            return Path.touch, (tmp_path / "touched",)

    def named(name: str) -> bytes:
        """What a module of the trees imports, by its name there."""
        return (
            b"".join(b"\x8c" + bytes([len(text)]) + text.encode() for text in (core.Location.__module__, name))
            + b"\x93"
        )

    text = str(tmp_path / "touched").encode()
    path = named("Path") + b"X" + len(text).to_bytes(4, "little") + text + b"\x85R"
    by_way_of = b"\x80\x04" + named("Path.touch") + path + b"\x85R."
    pickle.loads(by_way_of)
    (tmp_path / "touched").unlink()
    for number, evil in enumerate((pickle.dumps(Evil()), by_way_of), 2):
        keep_bytes(kept.name, asked + b"\n" + evil)
        assert distinct(files.load()) == 4 and len(reads) == number and not (tmp_path / "touched").exists()


@pytest.mark.parametrize("config", [*sorted(SPECS.glob("*.cfg")), bundled(USUAL_CONFIG)], ids=lambda path: path.stem)
def test_each_model_is_the_same(reads: list[Path], config: Path) -> None:
    """Compared by a pickle, in which all that the trees hold is written out."""
    (files,) = find_models([config])
    try:
        fresh = load_model(files.spec, files.config, search_path=files.search_path)
    except TlaError:
        pytest.skip("no model")
    files.load()
    again = files.load()
    assert len(reads) == 1
    assert pickle.dumps(again, 5) == pickle.dumps(pickle.loads(pickle.dumps(fresh, 5)), 5)


def test_an_old_translation_is_told_each_time(reads: list[Path]) -> None:
    old = "variable x = 0;\nbegin\n  L: x := 1;\nend algorithm *)\n\\* BEGIN TRANSLATION\nVARIABLE x\n"
    source = Source("A.tla", f"---- MODULE A ----\n(* --algorithm A\n{old}\\* END TRANSLATION\n====\n")
    assert "is not what the algorithm is translated to now" in stale(source) == stale(source)
    current = Source("A.tla", translate(source.text).text)
    assert stale(current) == stale(current) == ""
