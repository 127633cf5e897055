"""Algorithms in PlusCal inside of modules: one without a translation is translated in memory.

A module is left as it is where it has a translation, also an old one, and where it defines Init, Next, Spec or vars
itself: then its algorithm is there to be read only.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from rmqproof.model.cache import digest_of, keep, kept, made_by
from rmqproof.model.records import dataclass
from rmqproof.model.tla.source import Location, Source, TlaError

if TYPE_CHECKING:
    from rmqproof.model.pluscal.lexer import PlusCalError
    from rmqproof.model.pluscal.translate import Translated

_OWN = re.compile(r"^[ \t]*(Init|Next|Spec|vars)[ \t]*==", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class AlgorithmStep:
    """Where a step begins in an algorithm. `owner` is its process or procedure in words, empty where there is neither;
    `text` the line as it is written."""

    owner: str
    file: str
    line: int
    text: str = ""

    @property
    def words(self) -> str:
        return f"{self.owner}, {self.file}:{self.line}" if self.owner else f"{self.file}:{self.line}"

    @property
    def told(self) -> str:
        """With the line as it is written."""
        return f"{self.words}: {self.text}" if self.text else self.words


def with_translation(source: Source) -> Source:
    """Raise `TlaError` for a mistake in an algorithm that has to be translated."""
    if not _may_have_algorithm(source.text):
        return source
    from rmqproof.model.pluscal.lexer import PlusCalError
    from rmqproof.model.pluscal.translate import has_algorithm, has_translation

    if not has_algorithm(source.text):
        return source
    try:
        if has_translation(source.text) or _own_definition(source.text):
            return source
    except PlusCalError as error:
        raise told(source, error) from None
    made = translated(source)
    return replace(source, text=made.text, lines=made.places, made=made.made)


def left_alone(source: Source) -> str:
    """Why an algorithm here has no translation at all; empty where it has one, or there is none."""
    if not _may_have_algorithm(source.text) or source.lines:
        return ""
    from rmqproof.model.pluscal.lexer import PlusCalError
    from rmqproof.model.pluscal.translate import has_algorithm, has_translation

    try:
        name = "" if has_translation(source.text) else _own_definition(source.text)
    except PlusCalError:
        return ""
    if not name or not has_algorithm(source.text):
        return ""
    return f"The algorithm is not translated, since the module defines {name} itself: call that something else."


def _own_definition(text: str) -> str:
    """What a translation would define and the module defines, outside of comments."""
    from rmqproof.model.pluscal.lexer import PlusCalError, without_comments

    if _OWN.search(text) is None:
        return ""
    with suppress(PlusCalError):  # a string without an end: whoever reads the module is told
        text = "\n".join(without_comments(text.split("\n"), 0, 0))
    found = _OWN.search(text)
    return found[1] if found is not None else ""


def _may_have_algorithm(text: str) -> bool:
    """False where there is none for sure: what knows PlusCal is imported only where it is needed."""
    return "--algorithm" in text or "--fair" in text


def translated(source: Source, form: str | None = None) -> Translated:
    """`form`: one of `translate.FORMS`, by name; None: that of the translation in the text. Raise `TlaError`."""
    from rmqproof.model.pluscal.lexer import PlusCalError
    from rmqproof.model.pluscal.translate import FORMS, translate

    try:
        return translate(source.text, FORMS[form] if form is not None else None)
    except PlusCalError as error:
        raise told(source, error) from None


def stale(source: Source) -> str:
    """What is to be said of a translation that is not of the algorithm above it; empty where nothing is.

    That nothing is is kept for the next time.
    """
    if not _may_have_algorithm(source.text):
        return ""
    name = f"{digest_of(chr(0).join([made_by('tla', 'pluscal'), source.text]).encode(errors='surrogatepass'))}.current"
    if kept(name) is not None:
        return ""
    message = _stale(source)
    if not message:
        keep(name, "")
    return message


def _stale(source: Source) -> str:
    from rmqproof.model.pluscal.lexer import PlusCalError
    from rmqproof.model.pluscal.translate import has_algorithm, has_translation, is_another, is_stale, translate

    try:
        if not has_algorithm(source.text) or not has_translation(source.text):
            return ""
        now = translate(source.text)
    except PlusCalError:
        return ""  # whoever translates it is told
    if is_stale(source.text, now):
        what = "the algorithm has changed since it was translated, and what is checked is the old translation"
    elif is_another(source.text, now):
        what = (
            "what is checked is the translation in the file, which is not what the algorithm is translated to now; it "
            "has no checksum that would tell whether it is older"
        )
    else:
        return ""
    return f"{source.name}: {what}. Translate it: rmqproof translate {source.name}"


def algorithm_step(action: str, at: Location) -> AlgorithmStep | None:
    """The step of an algorithm that an action is the translation of; `at` is where the action is defined.

    None where the action was written by hand, and where the translation is not of the algorithm that stands there.
    """
    made, source = _made(at), at.source
    for step in made.steps if made is not None else ():
        if step.action == action:
            text = " ".join(source.line(step.line).split())
            return AlgorithmStep(step.owner, source.name, source.file_line(step.line), text)
    return None


def began_at(action: str, at: Location) -> Location:
    """Where the step begins in an algorithm that an action is the translation of; else `at`, where that is defined."""
    made = _made(at)
    for step in made.steps if made is not None else ():
        if step.action == action:
            text = at.source.line(step.line)  # before a translation the lines are those of the file
            column = len(text) - len(text.lstrip()) + 1
            return Location(at.source, step.line, column, step.line, len(text.rstrip()) + 1)
    return at


def is_translated(at: Location) -> bool:
    """Whether a place is in the translation of an algorithm that stands there: nobody wrote it."""
    return _made(at) is not None


def declared_at(variable: str, at: Location) -> Location:
    """Where an algorithm declares a variable of its translation, whose declaration stands at `at`; else `at`."""
    made = _made(at)
    for each in made.variables if made is not None else ():
        if each.name == variable and each.line:
            column = _column(at.source.line(each.line), each.column - 1) + 1
            return Location(at.source, each.line, column, each.line, column + len(variable))
    return at


def _made(at: Location) -> Translated | None:
    """The translation that a place is in; None where it is in none, or in an old one."""
    text = at.source.text
    if not _may_have_algorithm(text):
        return None
    from rmqproof.model.pluscal.lexer import PlusCalError
    from rmqproof.model.pluscal.translate import has_algorithm, has_translation, is_stale, translate

    try:
        made = translate(text) if has_algorithm(text) and has_translation(text) else None
    except PlusCalError:
        return None
    return made if made is not None and at.line in range(*made.made) and not is_stale(text, made) else None


def told(source: Source, error: PlusCalError) -> TlaError:
    if not error.line:
        return TlaError(f"{source.name}: {error.message}", None, error.remedy)
    column = _column(source.line(error.line), error.column)
    place = Location(source, error.line, column + 1, error.line, column + 2)
    return TlaError(error.message, place, error.remedy)


def _column(text: str, without_tabs: int) -> int:
    """The column (from 0) in a line that may have tabs."""
    return next((at for at in range(len(text) + 1) if len(text[:at].expandtabs(8)) >= without_tabs), len(text))
