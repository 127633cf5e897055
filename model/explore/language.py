"""Expressions that somebody asks about a model, read in the model's own words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from rmqproof.model.tla import core
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.model.tla.source import Location, Source, Texts, TlaError

_MODULE, ASKED = "AskedExpression", "Asked_"
_STANDARD = ("Integers", "Sequences", "FiniteSets", "TLC")
"""What expressions may use where the specification does not extend it itself."""
_ALONE = ("Reals", "Sequences", "FiniteSets", "Bags", "TLC", "SequencesExt", "FiniteSetsExt", "Functions", "Folds")
"""What there is without a specification."""
_DEFINITION = re.compile(r"\s*(?:RECURSIVE\b|[A-Za-z_]\w*\s*(?:\([^=]*\)\s*|\[[^=]*\]\s*)?==(?!=))")
EXPRESSION, DEFINITIONS = "expression", "definitions"
"""What messages call the texts."""


@dataclass(frozen=True, slots=True)
class Asked:
    """An expression that was read. `level`: `core.CONSTANT`, `STATE`, `ACTION` or `TEMPORAL`."""

    text: str
    node: core.Expression
    level: int
    model: core.Model = field(repr=False)
    _module: _Module = field(repr=False)

    def files(self, files: ModelFiles, more: str) -> ModelFiles:
        """The model with the expression as the definition `ASKED`, and further definitions of it."""
        return replace(self._module, more=more).files(files)

    def placed(self, error: TlaError) -> TlaError:
        """An error of its evaluation with the place in the text."""
        return self._module.relocated(error)


class Unfinished(TlaError):
    """The text ends where something has to follow."""


@dataclass(frozen=True)
class Language:
    """The names of a model. `files` None: those of the standard modules alone. `definitions`: further ones, as TLA+."""

    files: ModelFiles | None = None
    definitions: tuple[str, ...] = ()

    def read(self, text: str) -> Asked:
        """Raise `TlaError`: for what is wrong in the text of the expression, with the place in it."""
        if not text.strip():
            raise TlaError("there is no expression", None, "Write one, as 1 + 1.", "parse")
        last: TlaError | None = None
        for extends, constants in self._ways(text):
            try:
                return self._read(text, extends, constants)
            except Unfinished:
                raise
            except TlaError as error:
                # with more names known the errors left are the true ones, unless those names are in each other's way
                if last is None or (error.at is not None and error.at.source.name in (EXPRESSION, DEFINITIONS)):
                    last = error
                if error.kind != "parse":
                    break
        assert last is not None
        raise last

    def _ways(self, text: str) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
        """What to extend and which model values to declare: first nothing but the specification."""
        if self.files is None:
            yield _ALONE, ()
            return
        own = self.files.spec.stem
        yield (own,), ()
        yield (own, *_STANDARD), ()
        configuration = self.files.configuration()
        known = configuration.model_values if configuration is not None else []
        words = set(re.findall(r"\w+", "\n".join([text, *self.definitions])))
        named = tuple(name for name in known if name in words)
        if named:
            yield (own,), named
            yield (own, *_STANDARD), named

    def defining(self, text: str) -> Language:
        """The language with a further definition. Raise `TlaError` where it is none."""
        name = defined_name(text)
        known = [defined_name(other) for other in self.definitions]
        if name in known:
            place = known.index(name)
            definitions = (*self.definitions[:place], text, *self.definitions[place + 1 :])
        else:
            definitions = (*self.definitions, text)
        wider = replace(self, definitions=definitions)
        wider.read("TRUE")
        return wider

    @cached_property
    def _words(self) -> tuple[str, ...]:
        """The strings and model values of the specification in its own order."""
        return tuple(self.files.load().words) if self.files is not None else ()

    def _read(self, text: str, extends: Sequence[str], constants: Sequence[str]) -> Asked:
        module = _Module(extends, constants, self.definitions, text)
        files = module.files(self.files)
        try:
            model = files.load()
        except TlaError as error:
            raise module.relocated(error) from None
        definition = model.specification.definitions[ASKED]
        own = dict.fromkeys(self._words)
        model = replace(model, words=(*own, *(word for word in model.words if word not in own)))
        return Asked(text, definition.body, definition.level, model, module)


def is_definition(text: str) -> bool:
    """Whether the text defines an operator instead of being an expression."""
    return _DEFINITION.match(text) is not None


def defined_name(text: str) -> str:
    found = re.match(r"\s*(?:RECURSIVE\s+)?(\w+)", text)
    return found[1] if found is not None else ""


@dataclass(frozen=True)
class _Module:
    """The module in which an expression is read, and what its places are in what was typed."""

    extends: Sequence[str]
    constants: Sequence[str]
    definitions: Sequence[str]
    text: str
    more: str = ""

    @property
    def _head(self) -> str:
        declared = f"CONSTANTS {', '.join(self.constants)}\n" if self.constants else ""
        return f"---- MODULE {_MODULE} ----\nEXTENDS {', '.join(self.extends)}\n{declared}"

    @property
    def _between(self) -> str:
        return "\n".join(self.definitions) + f"\n{ASKED} ==\n"

    def files(self, files: ModelFiles | None) -> ModelFiles:
        whole = f"{self._head}{self._between}{self.text}\n{self.more}====\n"
        if files is not None:
            values = "".join(f"CONSTANT {name} = {name}\n" for name in self.constants)
            return files.overridden(values).extended(_MODULE, whole)
        path = Path(EXPRESSION) / f"{_MODULE}.tla"
        return ModelFiles(path, None, texts=Texts.of({path: whole}))

    def relocated(self, error: TlaError) -> TlaError:
        """The error with its place in what was typed."""
        at = error.at
        if at is None or Path(at.source.name).stem != _MODULE:
            return error
        first_definition = self._head.count("\n") + 1
        first = first_definition + self._between.count("\n")
        if at.line < first - 1:
            return self._moved(error, Source(DEFINITIONS, "\n".join(self.definitions)), first_definition)
        typed = Source(EXPRESSION, self.text)
        if at.line == first - 1 and self.definitions:  # the last definition goes on with the name of the expression
            typed = Source(DEFINITIONS, "\n".join(self.definitions))
        lines = typed.text.splitlines()
        if at.line == first - 1 or at.line >= first + len(lines):
            end = len(lines[-1].rstrip()) + 1
            place = Location(typed, len(lines), end, len(lines), end + 1)
            message = self._lines(error.message.replace("the end of the module", "its end"), first)
            if typed.name == DEFINITIONS:
                message = "the definition is not complete"
            return Unfinished(message, place, "Write what is missing at its end.", error.kind)
        return self._moved(error, typed, first)

    def _moved(self, error: TlaError, source: Source, first: int) -> TlaError:
        at = error.at
        assert at is not None
        shift = first - 1
        place = Location(source, max(at.line - shift, 1), at.column, max(at.end_line - shift, 1), at.end_column)
        remedy = error.remedy.partition("\n")[0]
        return TlaError(self._lines(error.message, first), place, self._lines(remedy, first), error.kind)

    def _lines(self, message: str, first: int) -> str:
        """The message with lines counted from the first of what was typed."""
        return re.sub(r"\bline (\d+)", lambda found: f"line {max(int(found[1]) - first + 1, 1)}", message)
