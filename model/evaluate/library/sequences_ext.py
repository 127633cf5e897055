"""SequencesExt, where Python is quicker than the definitions, or where TLC's text is a string."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations, permutations
from typing import Any, Final

from rmqproof.model.evaluate.comparison import equal
from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.lazy import in_order, plain
from rmqproof.model.evaluate.lazy_sets import Sequences
from rmqproof.model.evaluate.library.arguments import (
    anything,
    finite_set,
    integer,
    sequence,
    taking,
    test,
    text,
    value_of,
)
from rmqproof.model.evaluate.shape import ANY, INT, set_of
from rmqproof.model.evaluate.show import shorten
from rmqproof.model.evaluate.values import Value, function, kind_of

Test = Callable[[Value], bool]
Row = tuple[Value, ...]
Text = Any
"""A sequence or a string, which TLC treats as one of characters."""


def select(s: Row, first: int, last: int, holds: Test, backwards: bool = False) -> int:
    indices = range(first, last + 1)
    if indices and not (first >= 1 and last <= len(s)):
        raise Fault(f"{first}..{last} are not all indices of {shorten(s)}")
    return next((index for index in (reversed(indices) if backwards else indices) if holds(s[index - 1])), 0)


def without_first(s: Row, matches: Test) -> Row:
    """The sequence without the first item that matches."""
    at = next((at for at, item in enumerate(s) if matches(item)), len(s))
    return s[:at] + s[at + 1 :]


def flatten_seq(s: Text) -> Value:
    """The items one behind the other, sequences or strings; of one item itself, whatever it is."""
    if type(s) is str and s:
        raise Fault(f"FlattenSeq needs a sequence, and is given a string: {shorten(s)}")
    parts = [plain(part) for part in s]
    if len(parts) == 1:
        return parts[0]
    if (parts or s == "") and all(type(part) is str for part in parts):
        return "".join(parts)
    return tuple(item for part in parts for item in sequence(part, "FlattenSeq"))


def begins_with(start: Text, whole: Text) -> bool:
    """Compared item by item up to the first difference, as TLC does."""
    _alike(start, whole)
    return len(start) <= len(whole) and all(equal(a, b) for a, b in zip(start, whole, strict=False))


def ends_with(end: Text, whole: Text) -> bool:
    return begins_with(end[::-1], whole[::-1])


def longest_common_prefix(items: frozenset[Value]) -> Text:
    texts = [text(item, "LongestCommonPrefix") for item in items]
    if not texts:
        raise Fault("LongestCommonPrefix of the empty set")
    shortest = min(texts, key=len)
    same = (count for count in range(len(shortest), 0, -1) if all(t[:count] == shortest[:count] for t in texts))
    return shortest[: next(same, 0)]


def _find(part: Text, whole: Text) -> int:
    """Where the part begins, from 0; -1 when nowhere."""
    return next((at for at in range(len(whole) - len(part) + 1) if begins_with(part, whole[at:])), -1)


def index_first_sub_seq(part: Text, whole: Text) -> int:
    at = _find(part, whole)
    if at < 0:
        raise Fault(f"IndexFirstSubSeq: {shorten(part)} does not occur in {shorten(whole)}")
    return at + 1


def _alike(*texts: Text) -> None:
    if len(set(map(type, texts))) > 1:
        kinds = ", ".join(map(kind_of, texts))
        raise Fault(f"strings go with strings, and sequences with sequences, and these are {kinds}")


def replace_first_sub_seq(new: Text, old: Text, whole: Text) -> Text:
    _alike(new, old, whole)
    at = _find(old, whole)
    return whole if at < 0 else whole[:at] + new + whole[at + len(old) :]


def replace_all_sub_seqs(new: Text, old: Text, whole: Text) -> Text:
    _alike(new, old, whole)
    if type(old) is type(whole) and equal(old, whole):
        return new
    replaced = whole[:0]
    at = 0
    while at < len(whole):
        if not len(old):
            replaced, at = replaced + new + whole[at : at + 1], at + 1
        elif begins_with(old, whole[at:]):
            replaced, at = replaced + new, at + len(old)
        else:
            replaced, at = replaced + whole[at : at + 1], at + 1
    return replaced


def up_to(items: Any, longest: int) -> Any:
    """The sequences of so many items at most: none of fewer than none."""
    return Sequences(items, longest) if longest >= 0 else frozenset()


def _slices(s: Row) -> frozenset[Value]:
    return frozenset(s[i:j] for i in range(len(s) + 1) for j in range(i, len(s) + 1))


def _some(choose: Callable[[Any, int], Any], items: Any) -> frozenset[Value]:
    """Any number of the items, chosen in every way."""
    return frozenset(some for count in range(len(items) + 1) for some in choose(items, count))


_RULES = [
    taking("SequencesExt!ToSet", frozenset, sequence),
    taking("SequencesExt!ToBag", lambda s: function(Counter(s)), sequence),
    taking("SequencesExt!SetToSeq", in_order, finite_set),
    taking("SequencesExt!SetToSeqs", lambda items: frozenset(permutations(items)), finite_set),
    taking("SequencesExt!SetToAllKPermutations", lambda items: _some(permutations, items), finite_set),
    taking("SequencesExt!SeqOf", up_to, anything, integer, shape=set_of(ANY, lazy=True), lazy=True),
    taking("SequencesExt!BoundedSeq", up_to, anything, integer, shape=set_of(ANY, lazy=True), lazy=True),
    taking("SequencesExt!Contains", lambda s, e: any(equal(item, e) for item in s), sequence, value_of, condition=True),
    taking("SequencesExt!SelectInSeq", lambda s, t: select(s, 1, len(s), t), sequence, test, shape=INT),
    taking("SequencesExt!SelectLastInSeq", lambda s, t: select(s, 1, len(s), t, True), sequence, test, shape=INT),
    taking("SequencesExt!SelectInSubSeq", select, sequence, integer, integer, test, shape=INT),
    taking(
        *("SequencesExt!SelectLastInSubSeq", lambda s, m, n, t: select(s, m, n, t, True)),
        *(sequence, integer, integer, test),
        shape=INT,
    ),
    taking("SequencesExt!Reverse", lambda s: s[::-1], sequence),
    taking("SequencesExt!Remove", lambda s, e: tuple(item for item in s if not equal(item, e)), sequence, value_of),
    taking("SequencesExt!RemoveFirst", lambda s, e: without_first(s, lambda item: equal(item, e)), sequence, value_of),
    taking("SequencesExt!RemoveFirstMatch", without_first, sequence, test),
    taking(
        *("SequencesExt!ReplaceAll", lambda s, old, new: tuple(new if equal(item, old) else item for item in s)),
        *(sequence, value_of, value_of),
    ),
    taking("SequencesExt!FlattenSeq", flatten_seq, text),
    taking("SequencesExt!Zip", lambda s, t: tuple(zip(s, t, strict=False)), sequence, sequence),
    taking("SequencesExt!IsPrefix", begins_with, text, text, condition=True),
    taking(
        "SequencesExt!IsStrictPrefix", lambda s, t: begins_with(s, t) and not equal(s, t), text, text, condition=True
    ),
    taking("SequencesExt!IsSuffix", ends_with, sequence, sequence, condition=True),
    taking(
        "SequencesExt!IsStrictSuffix",
        lambda s, t: ends_with(s, t) and not equal(s, t),
        sequence,
        sequence,
        condition=True,
    ),
    taking("SequencesExt!Prefixes", lambda s: frozenset(s[:count] for count in range(len(s) + 1)), sequence),
    taking("SequencesExt!Suffixes", lambda s: frozenset(s[start:] for start in range(len(s) + 1)), sequence),
    taking("SequencesExt!LongestCommonPrefix", longest_common_prefix, finite_set),
    taking("SequencesExt!SubSeqs", _slices, sequence),
    taking("SequencesExt!AllSubSeqs", lambda s: _some(combinations, s), sequence),
    taking("SequencesExt!IndexFirstSubSeq", index_first_sub_seq, text, text, shape=INT),
    taking("SequencesExt!ReplaceFirstSubSeq", replace_first_sub_seq, text, text, text),
    taking("SequencesExt!ReplaceAllSubSeqs", replace_all_sub_seqs, text, text, text),
]
OPERATORS: Final = dict(_RULES)
