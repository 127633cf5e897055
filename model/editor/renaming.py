"""Where a name is used, in modules and configurations, and what has to be written to give it another one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from rmqproof.model.editor.names import Names, Occurrence, Symbol
from rmqproof.model.tla.config import Config, Name, read_config
from rmqproof.model.tla.lexer import words
from rmqproof.model.tla.library import Library
from rmqproof.model.tla.model_files import NoModel, find_models
from rmqproof.model.tla.resolve import Resolution
from rmqproof.model.tla.source import Location, Texts, TlaError

_NAME = re.compile(r"[A-Za-z0-9_]*[A-Za-z_][A-Za-z0-9_]*")


class CannotRename(Exception):
    """The message says why."""


@dataclass(frozen=True, slots=True)
class Edit:
    """`text` instead of what is at a place."""

    at: Location
    text: str


@dataclass(frozen=True, slots=True)
class _Read:
    names: tuple[Occurrence, ...]
    scope: Mapping[str, Symbol]


@dataclass(frozen=True)
class Workspace:
    """The files of some folders, by absolute paths. `texts`: what editors have of them."""

    folders: tuple[Path, ...]
    texts: Mapping[Path, str] = field(default_factory=dict)
    _cache: dict[Path, _Read] = field(default_factory=dict)

    @classmethod
    def around(cls, path: Path, texts: Mapping[Path, str]) -> Workspace:
        return cls((path.parent,), texts)

    def symbol(self, path: Path, line: int, column: int) -> Occurrence | None:
        """The name at a place of a module or configuration, lines and columns from 1."""
        names = self._read(path).names if path.suffix == ".tla" else self._named_by(path)
        for each in names:
            if each.line == line and each.column <= column <= each.column + len(each.symbol.name):
                return each
        return None

    def uses(self, symbol: Symbol) -> list[Location]:
        """Every place where the name stands for this, its declaration first of its file."""
        paths = self._modules if symbol.outer else (Path(symbol.file),)
        found = [each.at for path in paths for each in self._read(path).names if each.symbol == symbol]
        if symbol.outer:
            found += self._in_configurations(symbol)
        places = {(at.source.name, at.line, at.column): at for at in found}
        return [places[key] for key in sorted(places)]

    def renamed(self, symbol: Symbol, name: str) -> dict[Path, list[Edit]]:
        """What to write where, so that this has another name. Raise `CannotRename`."""
        if not _NAME.fullmatch(name) or name in words():
            raise CannotRename(f"{name} is no name in TLA+.")
        places: dict[Path, list[Location]] = {}
        for at in self.uses(symbol):
            if at.line in at.source.made_lines or (at.source.lines and symbol.outer and self._in_algorithm(at, symbol)):
                raise CannotRename(f"{symbol.name} is used in an algorithm: rename it there, and translate it anew.")
            places.setdefault(Path(at.source.name), []).append(at)
        edits = {
            path: [*(Edit(at, name) for at in found), *_indentation(found, name)] for path, found in places.items()
        }
        self._hold(edits, symbol, name)
        return edits

    def _in_algorithm(self, at: Location, symbol: Symbol) -> bool:
        made = at.source.text.split("\n")
        return any(re.search(rf"\b{re.escape(symbol.name)}\b", made[line - 1]) for line in at.source.made_lines)

    def _hold(self, edits: Mapping[Path, list[Edit]], symbol: Symbol, name: str) -> None:
        """What every name stands for stays the same. Raise `CannotRename`."""
        changed = dict(self.texts)
        for path, found in edits.items():
            changed[path] = rewritten(self._text(path), found)
        after = Workspace(self.folders, changed)
        for path in self._modules:
            was, now = self._meaning(path), after._meaning(path)
            if was != now:
                raise CannotRename(f"{name} has a meaning already where {symbol.name} is used ({path.name}).")
            wrong = after._error(path)
            if wrong and not self._error(path):
                raise CannotRename(f"With {name} for {symbol.name} {path.name} is wrong: {wrong}.")

    def _meaning(self, path: Path) -> list[int]:
        """Which names of a module stand for the same, whatever they are called."""
        numbers: dict[Symbol, int] = {}
        return [numbers.setdefault(each.symbol, len(numbers)) for each in self._read(path).names]

    def _error(self, path: Path) -> str:
        try:
            Resolution(self._library(path), path).finish()
        except TlaError as error:
            return error.message
        except (OSError, UnicodeDecodeError, RecursionError):
            return "it cannot be read"
        return ""

    @cached_property
    def _modules(self) -> tuple[Path, ...]:
        given = [path for path in self.texts if path.suffix == ".tla" and path.parent in self.folders]
        return tuple(sorted({*given, *(path for folder in self.folders for path in folder.glob("*.tla"))}))

    def _library(self, path: Path) -> Library:
        return Library([path.parent], Texts.of(self.texts))

    def _text(self, path: Path) -> str:
        return Texts.of(self.texts).read(path).text

    def _read(self, path: Path) -> _Read:
        if path not in self._cache:
            library = self._library(path)
            names = Names(library)
            try:
                found = names.read(library.root(path)) if path.suffix == ".tla" else []
            except (TlaError, OSError, UnicodeDecodeError, RecursionError):
                found = []
            self._cache[path] = _Read(tuple(found), names.scope)
        return self._cache[path]

    # --- configurations ----------------------------------------------------------------------------------------

    def _in_configurations(self, symbol: Symbol) -> Iterator[Location]:
        for folder in self.folders:
            for path in sorted({*folder.glob("*.cfg"), *folder.glob("*.tla")}):
                yield from (each.at for each in self._named_by(path) if each.symbol == symbol)

    def _named_by(self, path: Path) -> Iterator[Occurrence]:
        """The names of a specification in a configuration of it."""
        try:
            config = read_config(path, Texts.of(self.texts))
            spec = find_models([path])[0].spec.resolve()
        except (TlaError, NoModel, OSError):
            return
        scope = self._read(spec).scope
        for name in _names_in(config):
            symbol = scope.get(name.text.split("!")[0])
            if symbol is not None:
                yield Occurrence(symbol, name.at.source, name.at.line, name.at.column)


def configurations(path: Path) -> list[Path]:
    """Those of a module in its folder; a configuration's own."""
    if path.suffix == ".cfg":
        return [path]
    found = []
    for config in sorted({*path.parent.glob("*.cfg"), path}):
        try:
            models = find_models([config])
        except (NoModel, OSError):
            continue
        if models[0].config is not None and models[0].spec.resolve() == path.resolve():
            found.append(models[0].config)
    return list(dict.fromkeys(found))


def _names_in(config: Config) -> Iterator[Name]:
    yield from config.single.values()
    for names in config.lists.values():
        yield from names
    for assignment in config.assignments:
        yield assignment.name
    for replacement in config.replacements:
        yield from (replacement.name, replacement.by)


def _indentation(places: list[Location], name: str) -> Iterator[Edit]:
    """What keeps the items of a list of conjuncts or disjuncts in one column, where its first one moves."""
    source = places[0].source
    lines = source.text.split("\n")
    moved: dict[int, int] = {}
    for line in sorted({at.line for at in places}):
        edited = sorted(at.column for at in places if at.line == line)
        longer = len(name) - (places[0].end_column - places[0].column)
        bullets = [found.start() + 1 for found in _BULLET.finditer(lines[line - 1]) if found.start() + 1 > edited[0]]
        for number in range(line + 1, len(lines) + 1) if bullets else ():
            text = lines[number - 1]
            column = len(text) - len(text.lstrip()) + 1
            if not text.strip():
                continue
            if column < bullets[0]:
                break
            bullet = max(each for each in bullets if each <= column)
            moved[number] = moved.get(number, 0) + longer * sum(each < bullet for each in edited)
    for number, by in sorted(moved.items()):
        if by:
            at = Location(source, number, 1, number, 1 + max(0, -by))
            yield Edit(at, " " * max(0, by))


_BULLET = re.compile(r"/\\|\\/|\\land\b|\\lor\b|∧|∨")


def rewritten(text: str, edits: list[Edit]) -> str:
    """The text with these changes."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda edit: (edit.at.line, edit.at.column), reverse=True):
        at, line = edit.at, lines[edit.at.line - 1]
        lines[at.line - 1] = line[: at.column - 1] + edit.text + line[at.end_column - 1 :]
    return "\n".join(lines)
