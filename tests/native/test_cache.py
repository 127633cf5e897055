"""Compiled programs that were kept: damaged ones are compiled again; what cannot be kept, or compiled, is said."""

from __future__ import annotations

import marshal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rmqproof.model.cache import kept_bytes
from rmqproof.model.native import build
from rmqproof.model.native.build import compiled, find_compiler
from rmqproof.model.native.errors import Cancelled, NoCompiler
from rmqproof.model.tla import config, parser
from tests.native.test_choice import PAXOS, check

TEXT = "int answer(void) { return 42; }\n"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("RMQPROOF_CACHE", str(folder))
    return folder


@pytest.mark.parametrize("damage", [lambda content: content[: len(content) // 2], lambda _: b"", lambda _: b"foreign"])
def test_a_damaged_program_is_compiled_again(cache: Path, damage: object) -> None:
    program = compiled(TEXT)
    whole = program.read_bytes()
    program.write_bytes(damage(whole))  # type: ignore[operator]
    assert compiled(TEXT) == program and program.read_bytes() == whole
    assert cache.stat().st_mode & 0o777 == 0o700


def test_a_folder_into_which_others_write_is_not_used(cache: Path) -> None:
    cache.mkdir()
    cache.chmod(0o777)
    said: list[str] = []
    program = compiled(TEXT, say=said.append)
    assert cache not in program.parents and "other users can write into it" in said[0]
    assert not list(cache.iterdir())


def test_a_cache_that_cannot_be_written_is_done_without(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device")

    said: list[str] = []
    kept = compiled(TEXT)
    kept.unlink()
    with monkeypatch.context() as within:
        within.setattr(build, "put", lambda path, content: full(path, content) if cache in path.parents else None)
        program = compiled(TEXT, say=said.append)
    assert program.exists() and cache not in program.parents and "No space left" in said[0]


def test_options_of_the_user_come_last(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = compiled(TEXT)
    monkeypatch.setenv("RMQPROOF_CFLAGS", "-O0 -DUNUSED=1")
    assert compiled(TEXT) != plain, "another program"
    monkeypatch.setenv("RMQPROOF_CFLAGS", "-no-option-of-a-compiler")
    with pytest.raises(NoCompiler):
        compiled(TEXT)


@pytest.mark.parametrize(("command", "words"), [
    (" ", "CC is blank"), ("/bin/true", "made no program"), ("nothing-of-this-name", "no program on the path"),
])  # fmt: skip
def test_a_compiler_that_is_none(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, words: str
) -> None:
    monkeypatch.setenv("CC", command)
    refused, _ = check(PAXOS, "--engine", "native", status=153)
    assert refused["result"] == "error" and words in refused["message"]
    result, told = check(PAXOS, "--checkpoint", str(tmp_path / "saved"))
    assert (result["result"], result["engine"]) == ("success", "python") and words in " ".join(told.split())


def test_no_compiler_says_its_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "/bin/false")
    with pytest.raises(NoCompiler, match="does not say its version"):
        find_compiler()


@pytest.mark.parametrize("grammar", [parser._grammar, config._grammar], ids=["modules", "configurations"])
def test_the_parser_s_tables_are_data(cache: Path, grammar: Any) -> None:
    """Not code: names, numbers and containers alone; what is damaged is made again, and reads the same."""
    grammar.cache_clear()
    built = grammar()
    (tables,) = cache.glob("grammar-*")
    content = tables.read_bytes()
    kinds = set(kinds_in(marshal.loads(content.partition(b"\n")[2])))
    assert kinds <= {str, int, bool, type(None), tuple, list, dict}
    for damaged in (content[:-100], b"", content.replace(b"terminals", b"terminulz", 1)):
        tables.write_bytes(damaged)
        grammar.cache_clear()
        assert [str(rule) for rule in grammar().rules] == [str(rule) for rule in built.rules]
        assert kept_bytes(tables.name) is not None
    grammar.cache_clear()
    assert [str(terminal) for terminal in grammar().terminals] == [str(terminal) for terminal in built.terminals]


def kinds_in(value: Any) -> Iterator[type]:
    yield type(value)
    if isinstance(value, tuple | list):
        for item in value:
            yield from kinds_in(item)
    if isinstance(value, dict):
        for pair in value.items():
            yield from kinds_in(pair)


def test_a_compiler_that_is_not_wanted_ends_with_what_it_started(cache: Path, tmp_path: Path, monkeypatch: Any) -> None:
    """What it had started held on to its pipe: who interrupted the search waited until that had come to its own end."""
    begun, at_end, slow = tmp_path / "begun", tmp_path / "at_end", tmp_path / "slow"
    slow.write_text(
        '#!/bin/sh\ncase "$*" in *--version*) echo slow 1; exit;; esac\n'
        f"(touch {begun}; sleep 15; touch {at_end}) &\nwait\n"
    )
    slow.chmod(0o755)
    monkeypatch.setenv("CC", str(slow))
    cancelled = threading.Event()

    def cancel() -> None:
        wait_for(begun)
        cancelled.set()

    threading.Thread(target=cancel).start()
    with pytest.raises(Cancelled):
        compiled(TEXT, cancelled=cancelled)
    assert not at_end.exists()


def wait_for(path: Path) -> None:
    while not path.exists():
        threading.Event().wait(0.01)
