"""Where modules come from: the specification's folder, the search path, TLC's own modules, the specification's
file, then the modules that TLC users extend and that are shipped with rmqproof.

The specifications that come with rmqproof are found by each other; by others only where their folder is in the search
path."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path

from rmqproof.model.tla import syntax
from rmqproof.model.tla.algorithms import with_translation
from rmqproof.model.tla.parser import read_module
from rmqproof.model.tla.source import DISK, Location, Source, Texts, TlaError
from rmqproof.model.tla.standard import TABLE_MODULES, TLC_MODULES, StandardOperator, operators_of
from rmqproof.model.tla.words import Words

SHIPPED = Path(__file__).parent / "modules"
PROTOCOL = Path(__file__).parents[2] / "spec"
"""The modules of the protocol, which extend each other."""
USUAL_CONFIG = "TwoBrokers.cfg"
"""The model among them that is meant where none is named."""
BUNDLED = "rmqproof:"
"""What the user calls that folder."""
_OF_TLC = TLC_MODULES | {"RealTime", "Toolbox"}
"""TLC comes with these, and finds them before it looks in the specification's file; so do we."""


def place_of(name: str, beside: Path) -> Path:
    """The file or folder that a user calls so: one that comes with rmqproof, or one beside the file that names it."""
    return PROTOCOL / name.removeprefix(BUNDLED) if name.startswith(BUNDLED) else beside / name


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
        path = PROTOCOL / f"{name}.tla"
        if path.is_file() and self._asked_by_bundled(at):
            tree, words = _parsed(_source(path, at))
            return ModuleText(name, tree, {}, False, words)
        raise self._missing(name, at)

    def _asked_by_bundled(self, at: Location | None) -> bool:
        """Whether the module is asked for by one of those that come with rmqproof."""
        asking = [*self.folders, *([Path(at.source.name)] if at is not None else [])]
        return any(path.resolve().is_relative_to(PROTOCOL.resolve()) for path in asking)

    def _in_the_same_file(self, name: str) -> tuple[syntax.Module, Words] | None:
        """Another module after or before the root module in its file."""
        if self._file is None:
            return None
        text = self._file.text
        header = re.search(rf"^[ \t]*-{{4,}}[ \t]*MODULE[ \t]+{re.escape(name)}[ \t]*-{{4,}}", text, re.MULTILINE)
        if header is None:
            return None
        blank = re.sub(r"[^\n]", " ", text[: header.start()])  # places in the file stay what they are
        return read_module(Source(self._file.name, blank + text[header.start() :]))

    def _missing(self, name: str, at: Location | None) -> TlaError:
        known = [path.stem for folder in (*self.folders, SHIPPED) for path in sorted(folder.glob("*.tla"))]
        near = difflib.get_close_matches(name, [*known, *TABLE_MODULES], n=3)
        searched = ", ".join(f"{folder}/" for folder in self.folders)
        remedy = f"Searched for {name}.tla in {searched}, and among the standard modules."
        if (PROTOCOL / f"{name}.tla").is_file():
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


@lru_cache(maxsize=64)
def _parsed(source: Source) -> tuple[syntax.Module, Words]:
    """Trees are immutable, and many models share a specification."""
    return read_module(source)


@cache
def _shipped(path: Path) -> tuple[syntax.Module, Words]:
    return read_module(Source(path.name, path.read_text(encoding="utf-8")))
