"""Modules with an algorithm: where it and its translation stand, and the module with a new translation."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from rmqproof.model.pluscal.checksum import tree_text
from rmqproof.model.pluscal.generate import MadeStep, translation
from rmqproof.model.pluscal.labels import label
from rmqproof.model.pluscal.lexer import PlusCalError, tokens_of, without_comments, without_tabs
from rmqproof.model.pluscal.macros import expand
from rmqproof.model.pluscal.names import give_final_names
from rmqproof.model.pluscal.options import options_of
from rmqproof.model.pluscal.parser import parse
from rmqproof.model.pluscal.tree import Variable

_START, _FAIR = "--algorithm", "--fair"
_BEGIN = re.compile(r"BEGIN *TRANSLATION")
_END = re.compile(r"END *TRANSLATION")
_DECLARED = re.compile(r"VARIABLES?\s+(\w+)")
_SUMS = re.compile(
    r"\(\s*ch(?:ec)?ksum\(p(?:lus)?cal\)\s*(?:=\s*\"(?P<algorithm>[0-9A-Fa-f]*)\"|\\in\s*STRING)\s*/\\\s*"
    r"ch(?:ec)?ksum\(tla\+?\)\s*(?:=\s*\"(?P<translation>[0-9A-Fa-f]*)\"|\\in\s*STRING)\s*\)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Form:
    """In what the texts of TLC's translators differ.

    `columns`: the checksum of the algorithm is one of the columns of conjuncts and disjuncts, too. `pc_first`: in lists
    of variables `pc` comes before those that the algorithm declares, and not after them.
    """

    columns: bool
    pc_first: bool


FORMS = {"1.11": Form(columns=False, pc_first=False), "1.12": Form(columns=True, pc_first=True)}
"""By the version that `pcal.trans` names: of TLC's releases to 1.7.4, and of its development since 2024."""


@dataclass(frozen=True, slots=True)
class Translated:
    """`text`: the module with the translation. `algorithm` and `translation` are checksums."""

    text: str
    algorithm: str
    translation: str
    sums: frozenset[str]
    """The checksum of the algorithm in any form."""
    lines: tuple[str, ...]
    """The translation alone."""
    places: tuple[int, ...]
    """Of each line of `text` the line that it comes from."""
    made: tuple[int, int]
    """The first line of the translation (from 1), and that after its last."""
    labels: tuple[str, ...]
    """Labels that were added, each with its place."""
    steps: tuple[MadeStep, ...]
    variables: tuple[Variable, ...]
    """Those that the algorithm declares, by their final names."""


@dataclass(frozen=True, slots=True)
class _Places:
    """Line numbers from 0. `begin` None: the module has no translation."""

    line: int
    column: int
    fair: bool
    begin: int | None
    end: int | None


_ALGORITHM = re.compile(
    r"--(fair[ \t]+)?algorithm\s+\w+\s*(\{|\(\*|\\\*|(variables?|define|macro|procedure|process|fair|begin)\b)"
)


def has_algorithm(text: str) -> bool:
    """Whether one begins here, and not only somebody's sentence about it."""
    return "algorithm" in text and _ALGORITHM.search(text) is not None


def has_translation(text: str) -> bool:
    """Whether something stands between the marks of one. Where the last is missing all that follows may be of it, and
    is checked as it is, as TLC does."""
    lines = iter(text.split("\n"))
    if not any(_BEGIN.search(line) for line in lines):
        return False
    return any(line.strip() for line in takewhile(lambda line: _END.search(line) is None, lines))


def _fair_column(line: str) -> int | None:
    match = re.search(r"--fair\s+algorithm\b", line)
    return match.start() if match is not None else None


def _places(lines: Sequence[str]) -> _Places:
    begin = next((number for number, line in enumerate(lines) if _BEGIN.search(line)), None)
    end = None
    if begin is not None:
        rest = range(begin + 1, len(lines))
        end = next((number for number in rest if _END.search(lines[number])), None)
        if end is None:
            raise PlusCalError("This translation has no end.", begin + 1, 0, "A line `\\* END TRANSLATION` ends it.")
    for number, line in enumerate(lines):
        if begin is not None and end is not None and begin < number < end:
            continue
        line = without_tabs(line)
        if _START in line:
            return _Places(number, line.index(_START) + len(_START), False, begin, end)
        column = _fair_column(line)
        if column is not None:
            return _Places(number, column + len(_FAIR), True, begin, end)
    raise PlusCalError("There is no algorithm: no line has `--algorithm`.")


def translate(text: str, form: Form | None = None) -> Translated:
    """Raise `PlusCalError`. The lines of `text` end with newlines alone.

    `form` None: that of the translation in the text; where there is none, the newest, in which a step that gives a
    variable a value of another kind can be compared: `pc` differs, and no more is asked.
    """
    lines = text.split("\n")
    places = _places(lines)
    options = options_of(text)
    plain = [without_tabs(line) for line in lines]
    cleaned = without_comments(plain, places.line, places.column)
    algorithm = parse(tokens_of(cleaned, places.line, places.column), places.fair, options.fairness, options.fair_body)
    expand(algorithm)
    added = label(algorithm, options.labels, options.root)
    if options.old:
        algorithm.without_pc = False
        algorithm.without_end &= bool(algorithm.processes)
    report = give_final_names(algorithm)
    pc_first = form.pc_first if form is not None else algorithm.without_pc or _has_pc_first(lines, places)
    made, steps = translation(algorithm, report, options, pc_first)
    sums = {
        columns: _sum("fair" if columns and places.fair else tree_text(algorithm, options.old, columns))
        for columns in (False, True)
    }
    columns = form.columns if form is not None else _has_columns(lines, places, sums, pc_first)
    of_algorithm, of_translation = sums[columns], _sum("".join(made))
    new, start = _put(lines, places, made, of_algorithm, of_translation)
    origins = [line.origin or places.line + 1 for line in made]
    after = len(lines) - (len(new) - start - len(made))
    before = [min(number, after + 1) for number in range(1, start + 1)]
    numbers = (*before, *origins, *range(after + 1, len(lines) + 1))
    range_made = (start + 1, start + len(made) + 1)
    return Translated(
        "\n".join(new),
        of_algorithm,
        of_translation,
        frozenset(sums.values()),
        tuple(made),
        numbers,
        range_made,
        tuple(added),
        tuple(steps),
        tuple(algorithm.declared()),
    )


def _has_pc_first(lines: Sequence[str], places: _Places) -> bool:
    """Whether the translation in the text, if there is one, declares `pc` before all else."""
    between = lines[places.begin : places.end] if places.begin is not None else []
    declared = next(filter(None, map(_DECLARED.match, between)), None)
    return declared is None or declared[1] == "pc"


def _has_columns(lines: Sequence[str], places: _Places, sums: Mapping[bool, str], otherwise: bool) -> bool:
    """Whether the checksum in the text is one of columns, too. `otherwise`: if it is of another algorithm."""
    match = _SUMS.search(lines[places.begin]) if places.begin is not None else None
    known = (match["algorithm"] or "").lower() if match is not None else ""
    return known != sums[False] if known in sums.values() else otherwise


def _put(lines: Sequence[str], places: _Places, made: Sequence[str], algorithm: str, tla: str) -> tuple[list[str], int]:
    """The lines of the module, and how many are before the translation."""
    sums = f'(chksum(pcal) = "{algorithm}" /\\ chksum(tla) = "{tla}")'
    if places.begin is None or places.end is None:
        after = _comment_end(lines, places)
        marks = [f"\\* BEGIN TRANSLATION {sums}", *made, "\\* END TRANSLATION "]
        return [*lines[: after + 1], *marks, *lines[after + 1 :]], after + 2
    mark = lines[places.begin]
    match = _SUMS.search(mark)
    if match is not None:  # as TLC's translator: a mark that somebody wrote without them stays as it is
        for group, value in (("translation", tla), ("algorithm", algorithm)):
            if match[group] is not None:
                mark = mark[: match.start(group)] + value + mark[match.end(group) :]
    return [*lines[: places.begin], mark, *made, *lines[places.end :]], places.begin + 1


def _comment_end(lines: Sequence[str], places: _Places) -> int:
    """The line on which the comment ends that the algorithm is in."""
    cleaned = without_comments([without_tabs(line) for line in lines], places.line, places.column)
    last = len(cleaned) - 1
    rest = without_tabs(lines[last])[len(cleaned[last]) :].strip()
    if not rest.startswith("*)"):
        raise PlusCalError("The algorithm has to stand in a comment that ends.", places.line + 1, places.column)
    if rest[2:].strip() and not rest[2:].strip().startswith("\\*"):
        raise PlusCalError(
            "Nothing may follow on the line on which the comment of the algorithm ends.", last + 1, len(cleaned[last])
        )
    return last


def is_stale(text: str, now: Translated) -> bool:
    """Whether the translation in the module is of another algorithm than the one that stands there now.

    Without a checksum nothing is known of that, nor where the translation is the present one in other words.
    """
    known, other = _kept(text, now)
    return known is not None and known not in now.sums and other


def is_another(text: str, now: Translated) -> bool:
    """Whether the translation in the module, which has no checksum, is in other words than the present one."""
    known, other = _kept(text, now)
    return known is None and other


def _kept(text: str, now: Translated) -> tuple[str | None, bool]:
    """The checksum of the algorithm at the translation in the module, and whether that is in other words than now."""
    lines = text.split("\n")
    places = _places(lines)
    if places.begin is None:
        return None, False
    match = _SUMS.search(lines[places.begin])
    words = " ".join(lines[places.begin + 1 : places.end]).split()
    if match is None:
        return None, words != " ".join(now.lines).split()
    known = match["algorithm"]  # `\in STRING` asks for silence
    return known.lower() if known is not None else None, known is not None and words != " ".join(now.lines).split()


def _sum(text: str) -> str:
    return f"{zlib.crc32(text.encode()):x}"
