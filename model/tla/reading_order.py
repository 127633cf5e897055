"""The order in which TLC first meets the strings of a model, which is its order of strings and model values.

TLC compares two strings, two model values or the fields of records by the numbers that it gave them when it met them
(class `util.UniqueString`), and so this order decides which element CHOOSE takes, and with it counts and verdicts.
What it meets, in this order:

1. the model values and strings of the configuration;
2. the operators of the language;
3. the words of the root module, then of the modules it needs, each file as a whole when it is parsed: what a module
   EXTENDS before what it has an INSTANCE of (`tla2sany.modanalyzer.SpecObj.loadSpec`);
4. the string literals of the modules, each module after those that it needs (`SpecObj.calculateDependencies`), those
   of one module in the order of the text (but in {e : x \\in S} first those of S: `words`);
5. names that TLC uses itself;
6. what is computed while the model is checked. That is not followed here: strings that occur neither in the
   configuration nor in a module come last, by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rmqproof.model.tla.config import Config
from rmqproof.model.tla.library import Library, ModuleText
from rmqproof.model.tla.source import TlaError
from rmqproof.model.tla.standard_words import first_words, last_words, standard_words
from rmqproof.model.tla.words import Outline, Words


def reading_order(library: Library, root: str, config: Config | None) -> tuple[str, ...]:
    """The strings that TLC meets, each once. `root` is a module that the library has read."""
    files = _Files(library, root)
    found = dict.fromkeys(() if config is None else config.atoms)
    found |= dict.fromkeys(first_words())
    for words in files.parsed.values():
        found |= dict.fromkeys(words.names)
    for name in files.by_dependency():
        found |= dict.fromkeys(files.parsed[name].strings)
    found |= dict.fromkeys(last_words())
    return tuple(found)


class _Files:
    """The files of a specification: `parsed` has them in the order in which TLC parses them."""

    def __init__(self, library: Library, root: str) -> None:
        self.library = library
        self.root = root
        self.parsed: dict[str, Words] = {}
        self._missing: set[str] = set()
        wanted: str | None = root
        while wanted is not None:
            words = self._words(wanted)
            if words is None:
                self._missing.add(wanted)
            else:
                self.parsed[wanted] = words
            wanted = self._next("extends") or self._next("instances")

    def by_dependency(self) -> Iterator[str]:
        """The names of the files, each after those that it needs."""
        done: set[str] = set()

        def visit(name: str) -> Iterator[str]:
            if name in done or name not in self.parsed:
                return
            done.add(name)
            outline = self.parsed[name].outline
            for kind in ("extends", "instances"):
                for module in _and_inner(outline):
                    for needed in getattr(module, kind):
                        yield from visit(needed)
            yield name

        return visit(self.root)

    def _words(self, name: str) -> Words | None:
        try:
            text: ModuleText = self.library.module(name)
        except TlaError:
            return None  # a module that nothing evaluated needs
        own: Mapping[str, Words] = standard_words() if text.shipped else {}
        return own.get(name) or text.words

    def _next(self, kind: str) -> str | None:
        """The file that is parsed next because a module EXTENDS it, or has an INSTANCE of it."""
        return self._next_for(self.parsed[self.root].outline, kind, set(), set()) if self.root in self.parsed else None

    def _next_for(self, module: Outline, kind: str, seen: set[int], inside: set[str]) -> str | None:
        if id(module) in seen:
            return None
        seen.add(id(module))
        inside = inside | module.names_inside()
        for name in module.extends:
            if name in self.parsed:
                inside |= self.parsed[name].outline.names_inside()
        for name in getattr(module, kind):
            if name not in self.parsed and name not in self._missing and name not in inside:
                return str(name)
        for name in (*module.extends, *module.instances):
            words = self.parsed.get(name)
            found = self._next_for(words.outline, kind, seen, set()) if words is not None else None
            if found is not None:
                return found
        for inner in module.inner:
            found = self._next_for(inner, kind, seen, inside)
            if found is not None:
                return found
        return None


def _and_inner(module: Outline) -> Iterator[Outline]:
    yield module
    for inner in module.inner:
        yield from _and_inner(inner)
