"""Where modules come from: the specification's folder, the search path, TLC's own modules, the specification's
file, then the modules that TLC users extend and that are shipped with rmqproof.

The specifications that come with rmqproof are found by each other; by others only where their folder is in the search
path."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from rmqproof.model.records import dataclass
from rmqproof.model.tla.algorithms import with_translation
from rmqproof.model.tla.source import DISK, Location, Source, Texts, TlaError
from rmqproof.model.tla.standard import TABLE_MODULES, TLC_MODULES, StandardOperator, operators_of
from rmqproof.model.tla.words import Words

if TYPE_CHECKING:
    from rmqproof.model.tla import syntax

SHIPPED = Path(__file__).parent / "modules"
PROTOCOL = Path(__file__).parents[2] / "spec"
"""What comes with rmqproof about the protocol: folders by subject, in which no two files have one name."""
SEARCHED = ("core", "protocols")
"""Those of the modules that others extend."""
ASKED = ("models", "protocols")
"""Those of the models that are checked where none is named."""
USUAL_CONFIG = "TwoBrokers.cfg"
"""The model that is meant where one is, and none is named."""
BUNDLED = "rmqproof:"
"""What the user calls `PROTOCOL`."""
_OF_TLC = TLC_MODULES | {"RealTime", "Toolbox"}
"""TLC comes with these, and finds them before it looks in the specification's file; so do we."""


def bundled(name: str) -> Path:
    """The file of this name that comes with rmqproof, in whichever of the folders it is; else where there is none."""
    return next(iter(sorted(PROTOCOL.glob(f"*/{name}"))), PROTOCOL / name)


def bundled_models() -> tuple[Path, ...]:
    """The configurations that are checked where none is named, in the order of their names."""
    found = (path for folder in ASKED for path in (PROTOCOL / folder).glob("*.cfg"))
    return tuple(sorted(found, key=lambda path: path.name))


def bundled_name(name: str) -> str:
    """What a reader calls the file of this name that comes with rmqproof."""
    return bundled(name).relative_to(PROTOCOL.parent).as_posix()


def spec_of(name: str, beside: Path) -> Path:
    """The specification that a user calls so: one that comes with rmqproof, or a file beside the one that names it."""
    if name.startswith(BUNDLED):
        return bundled(name.removeprefix(BUNDLED))
    path = beside / name
    plain = Path(os.path.normpath(path))
    return plain if plain.exists() and path.exists() and plain.samefile(path) else path


def configs_about(spec: Path) -> Iterator[Path]:
    """The files that may be configurations of a specification: beside it, or with it among what comes with rmqproof."""
    yield from sorted(PROTOCOL.rglob("*.cfg") if is_bundled(spec) else spec.parent.glob("*.cfg"))


def folders_of(name: str, beside: Path) -> tuple[Path, ...]:
    """The folders of modules that a user calls so."""
    if name == BUNDLED:
        return tuple(PROTOCOL / folder for folder in SEARCHED)
    return (PROTOCOL / name.removeprefix(BUNDLED) if name.startswith(BUNDLED) else beside / name,)


def is_bundled(path: Path) -> bool:
    """Whether it is in the folder that comes with rmqproof."""
    return path.resolve().is_relative_to(PROTOCOL.resolve())


def _bundled_module(name: str) -> Path | None:
    """The module of this name that those that come with rmqproof extend."""
    paths = (folder / f"{name}.tla" for folder in folders_of(BUNDLED, PROTOCOL))
    return next((path for path in paths if path.is_file()), None)


@dataclass(frozen=True, slots=True, eq=False)
class ModuleText:
    """A module that was found. `tree` None: it is only the builtins of the table.

    `builtins` are the definitions, by name, that the checker computes instead of reading them. `words` are
    those of the text (None where there is no text).
    """

    name: str
    tree: syntax.Module | None
    builtins: dict[str, StandardOperator]
    shipped: bool
    words: Words | None = None


@dataclass(slots=True)
class Library:
    """Reads each module once. `folders` are searched in order, before the shipped modules."""

    folders: Sequence[Path]
    texts: Texts = DISK
    read: dict[str, ModuleText] = field(default_factory=dict)
    _file: Source | None = None

    def module(self, name: str, at: Location | None = None) -> ModuleText:
        """Raise `TlaError` when there is no such module, or its text does not parse."""
        found = self.read.get(name)
        if found is None:
            found = self.read[name] = self._find(name, at)
        return found

    def root(self, path: Path) -> ModuleText:
        """The module of a file that the user named."""
        self._file = _source(path, None, self.texts)
        tree, words = _parsed(self._file)
        if tree.name != path.stem:
            raise TlaError(
                f"the module in {path.name} is called {tree.name}",
                tree.at,
                f"TLA+ wants the file of module {tree.name} to be {tree.name}.tla.",
            )
        found = self.read[tree.name] = ModuleText(tree.name, tree, {}, False, words)
        return found

    def _find(self, name: str, at: Location | None) -> ModuleText:
        for folder in self.folders:
            path = folder / f"{name}.tla"
            if self.texts.has(path):
                tree, words = _parsed(_source(path, at, self.texts))
                if tree.name != name:
                    raise TlaError(f"{path} should hold module {name}, but its module is called {tree.name}", tree.at)
                builtins = operators_of(name) if name in TLC_MODULES else {}
                return ModuleText(name, tree, builtins, False, words)
        beside = self._in_the_same_file(name) if name not in _OF_TLC else None
        if beside is not None:
            return ModuleText(name, beside[0], {}, False, beside[1])
        if name in TABLE_MODULES:
            return ModuleText(name, None, operators_of(name), True)
        path = SHIPPED / f"{name}.tla"
        if path.is_file():
            tree, words = _shipped(path)
            return ModuleText(name, tree, operators_of(name), True, words)
        bundled_path = _bundled_module(name) if self._asked_by_bundled(at) else None
        if bundled_path is not None:
            tree, words = _parsed(_source(bundled_path, at, self.texts))
            return ModuleText(name, tree, {}, False, words)
        raise self._missing(name, at)

    def _asked_by_bundled(self, at: Location | None) -> bool:
        """Whether the module is asked for by one of those that come with rmqproof."""
        asking = [*self.folders, *([Path(at.source.name)] if at is not None else [])]
        return any(is_bundled(path) for path in asking)

    def _in_the_same_file(self, name: str) -> tuple[syntax.Module, Words] | None:
        """Another module after or before the root module in its file."""
        if self._file is None:
            return None
        text = self._file.text
        header = re.search(rf"^[ \t]*-{{4,}}[ \t]*MODULE[ \t]+{re.escape(name)}[ \t]*-{{4,}}", text, re.MULTILINE)
        if header is None:
            return None
        blank = re.sub(r"[^\n]", " ", text[: header.start()])  # places in the file stay what they are
        return _module(Source(self._file.name, blank + text[header.start() :]))

    def _missing(self, name: str, at: Location | None) -> TlaError:
        folders = (*self.folders, *(folders_of(BUNDLED, PROTOCOL) if self._asked_by_bundled(at) else ()))
        known = [path.stem for folder in (*folders, SHIPPED) for path in sorted(folder.glob("*.tla"))]
        import difflib  # only for a message

        near = difflib.get_close_matches(name, [*known, *TABLE_MODULES], n=3)
        searched = ", ".join(f"{folder}/" for folder in folders)
        remedy = f"Searched for {name}.tla in {searched}, and among the standard modules."
        if _bundled_module(name) is not None:
            remedy += (
                f" One of this name comes with rmqproof: it is found with --library {BUNDLED}, or where the "
                f"configuration has the line \\* LIBRARY {BUNDLED}"
            )
        elif near:
            remedy += f" Did you mean {' or '.join(near)}?"
        return TlaError(f"there is no module {name}", at, remedy)


def _source(path: Path, at: Location | None, texts: Texts = DISK) -> Source:
    try:
        source = texts.read(path)
        return with_translation(source) if path.suffix == ".tla" else source
    except UnicodeDecodeError as error:
        raise TlaError(f"{path}: not UTF-8 text ({error.reason} at byte {error.start})", at, kind="parse") from None
    except OSError as error:
        raise TlaError(f"{path}: {error.strerror}", at, kind="system") from None


def _module(source: Source) -> tuple[syntax.Module, Words]:
    from rmqproof.model.tla.parser import read_module  # a model that was kept needs no parser

    return read_module(source)


@lru_cache(maxsize=64)
def _parsed(source: Source) -> tuple[syntax.Module, Words]:
    """Trees are immutable, and many models share a specification."""
    return _module(source)


@cache
def _shipped(path: Path) -> tuple[syntax.Module, Words]:
    return _module(Source(path.name, path.read_text(encoding="utf-8")))
