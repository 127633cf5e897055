"""Algorithms in PlusCal inside of modules: one without a translation is translated in memory.

A module is left as it is where it has a translation, also an old one, and where it defines Init, Next, Spec or vars
itself: then its algorithm is there to be read only.
"""

from __future__ import annotations

import re
from dataclasses import replace

from rmqproof.model.pluscal.lexer import PlusCalError
from rmqproof.model.pluscal.translate import Translated, has_algorithm, has_translation, is_stale, translate
from rmqproof.model.tla.source import Location, Source, TlaError

_OWN = re.compile(r"^[ \t]*(Init|Next|Spec|vars)[ \t]*==", re.MULTILINE)


def with_translation(source: Source) -> Source:
    """Raise `TlaError` for a mistake in an algorithm that has to be translated."""
    if not has_algorithm(source.text):
        return source
    try:
        if has_translation(source.text) or _OWN.search(source.text):
            return source
    except PlusCalError as error:
        raise told(source, error) from None
    made = translated(source)
    return replace(source, text=made.text, lines=made.places, made=made.made)


def translated(source: Source) -> Translated:
    """Raise `TlaError`."""
    try:
        return translate(source.text)
    except PlusCalError as error:
        raise told(source, error) from None


def stale(source: Source) -> str:
    """What is to be said of a translation that is not of the algorithm above it; empty where nothing is."""
    try:
        if not has_algorithm(source.text) or not has_translation(source.text):
            return ""
        if not is_stale(source.text, translate(source.text)):
            return ""
    except PlusCalError:
        return ""  # whoever translates it is told
    return (
        f"{source.name}: the algorithm has changed since it was translated, and what is checked is the old "
        f"translation. Translate it: rmqproof translate {source.name}"
    )


def told(source: Source, error: PlusCalError) -> TlaError:
    if not error.line:
        return TlaError(error.message, None, error.remedy)
    text = source.line(error.line)
    column = len(text)  # columns of the error are those of a line without tabs
    for at in range(len(text) + 1):
        if len(text[:at].expandtabs(8)) >= error.column:
            column = at
            break
    place = Location(source, error.line, column + 1, error.line, column + 2)
    return TlaError(error.message, place, error.remedy)
