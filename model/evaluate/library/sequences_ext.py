"""SequencesExt, where Python is quicker than the definitions, or where TLC's text is a string."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, permutations
from typing import Any, Final

from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.lazy import in_order, plain
from rmqproof.model.evaluate.lazy_sets import Sequences
from rmqproof.model.evaluate.library.arguments import boolean_of, finite_set, integer, natural, sequence
from rmqproof.model.evaluate.library.operator import Operator
from rmqproof.model.evaluate.shape import ANY, INT, set_of
from rmqproof.model.evaluate.show import shorten
from rmqproof.model.evaluate.values import Value, function, kind_of

Test = Callable[[Value], Value]
Text = Any
"""A sequence or a string, which TLC treats as one of characters."""


def to_set(s: Value) -> frozenset[Value]:
    return frozenset(sequence(s, "ToSet"))


def to_bag(s: Value) -> Value:
    copies: dict[Value, int] = {}
    for element in sequence(s, "ToBag"):
        copies[element] = copies.get(element, 0) + 1
    return function(copies)


def set_to_seq(items: Value) -> tuple[Value, ...]:
    finite_set(items, "SetToSeq")
    return in_order(plain(items))


def set_to_seqs(items: Value) -> frozenset[Value]:
    return frozenset(permutations(finite_set(items, "SetToSeqs")))


def set_to_all_k_permutations(items: Value) -> frozenset[Value]:
    elements = finite_set(items, "SetToAllKPermutations")
    return frozenset(some for count in range(len(elements) + 1) for some in permutations(elements, count))


def bounded_seq(items: Value, bound: Value) -> Value:
    return Sequences(items, natural(bound, "BoundedSeq"))


def contains(s: Value, element: Value) -> bool:
    return plain(element) in sequence(s, "Contains")


def _select(s: Value, first: int, last: int, test: Test, operator: str, backwards: bool) -> int:
    items = sequence(s, operator)
    indices = range(first, last + 1)
    if indices and not (first >= 1 and last <= len(items)):
        raise Fault(f"{operator}: {first}..{last} are not all indices of {shorten(items)}")
    for index in reversed(indices) if backwards else indices:
        if boolean_of(test(items[index - 1]), operator):
            return index
    return 0


def select_in_seq(s: Value, test: Test) -> int:
    return _select(s, 1, len(sequence(s, "SelectInSeq")), test, "SelectInSeq", False)


def select_last_in_seq(s: Value, test: Test) -> int:
    return _select(s, 1, len(sequence(s, "SelectLastInSeq")), test, "SelectLastInSeq", True)


def select_in_sub_seq(s: Value, first: Value, last: Value, test: Test) -> int:
    operator = "SelectInSubSeq"
    return _select(s, integer(first, operator), integer(last, operator), test, operator, False)


def select_last_in_sub_seq(s: Value, first: Value, last: Value, test: Test) -> int:
    operator = "SelectLastInSubSeq"
    return _select(s, integer(first, operator), integer(last, operator), test, operator, True)


def reverse(s: Value) -> Text:
    return s[::-1] if type(s) is str else sequence(s, "Reverse")[::-1]


def remove(s: Value, element: Value) -> tuple[Value, ...]:
    element = plain(element)
    return tuple(item for item in sequence(s, "Remove") if item != element)


def remove_first(s: Value, element: Value) -> tuple[Value, ...]:
    items = sequence(s, "RemoveFirst")
    element = plain(element)
    if element not in items:
        return items
    at = items.index(element)
    return items[:at] + items[at + 1 :]


def remove_first_match(s: Value, test: Test) -> tuple[Value, ...]:
    items = sequence(s, "RemoveFirstMatch")
    for at, item in enumerate(items):
        if boolean_of(test(item), "RemoveFirstMatch"):
            return items[:at] + items[at + 1 :]
    return items


def replace_all(s: Value, old: Value, new: Value) -> tuple[Value, ...]:
    old, new = plain(old), plain(new)
    return tuple(new if item == old else item for item in sequence(s, "ReplaceAll"))


def flatten_seq(s: Value) -> Text:
    parts = [plain(part) for part in sequence(s, "FlattenSeq")]
    if parts and all(type(part) is str for part in parts):
        return "".join(parts)
    return tuple(item for part in parts for item in sequence(part, "FlattenSeq"))


def zip_sequences(s: Value, t: Value) -> tuple[Value, ...]:
    return tuple(zip(sequence(s, "Zip"), sequence(t, "Zip"), strict=False))


def _text(value: Value, operator: str) -> Text:
    return value if type(value) is str else sequence(value, operator)


def is_prefix(s: Value, t: Value) -> bool:
    start, whole = _text(s, "IsPrefix"), _text(t, "IsPrefix")
    return bool(whole[: len(start)] == start)


def is_strict_prefix(s: Value, t: Value) -> bool:
    return is_prefix(s, t) and bool(s != t)


def is_suffix(s: Value, t: Value) -> bool:
    end, whole = _text(s, "IsSuffix"), _text(t, "IsSuffix")
    return len(end) <= len(whole) and bool(whole[len(whole) - len(end) :] == end)


def is_strict_suffix(s: Value, t: Value) -> bool:
    return is_suffix(s, t) and bool(s != t)


def prefixes(s: Value) -> frozenset[Value]:
    items = sequence(s, "Prefixes")
    return frozenset(items[:count] for count in range(len(items) + 1))


def suffixes(s: Value) -> frozenset[Value]:
    items = sequence(s, "Suffixes")
    return frozenset(items[start:] for start in range(len(items) + 1))


def longest_common_prefix(items: Value) -> Text:
    texts = [_text(item, "LongestCommonPrefix") for item in finite_set(items, "LongestCommonPrefix")]
    if not texts:
        raise Fault("LongestCommonPrefix of the empty set")
    shortest = min(texts, key=len)
    for count in range(len(shortest), 0, -1):
        if all(text[:count] == shortest[:count] for text in texts):
            return shortest[:count]
    return shortest[:0]


def sub_seqs(s: Value) -> frozenset[Value]:
    items = sequence(s, "SubSeqs")
    return frozenset(items[i:j] for i in range(len(items) + 1) for j in range(i, len(items) + 1))


def all_sub_seqs(s: Value) -> frozenset[Value]:
    items = sequence(s, "AllSubSeqs")
    return frozenset(some for count in range(len(items) + 1) for some in combinations(items, count))


def _find(part: Text, whole: Text, start: int = 0) -> int:
    """Where the part begins, from 0; -1 when nowhere."""
    for at in range(start, len(whole) - len(part) + 1):
        if whole[at : at + len(part)] == part:
            return at
    return -1


def index_first_sub_seq(s: Value, t: Value) -> int:
    part, whole = _text(s, "IndexFirstSubSeq"), _text(t, "IndexFirstSubSeq")
    at = _find(part, whole)
    if at < 0:
        raise Fault(f"IndexFirstSubSeq: {shorten(part)} does not occur in {shorten(whole)}")
    return at + 1


def _three(r: Value, s: Value, t: Value, operator: str) -> tuple[Text, Text, Text]:
    new, old, whole = (_text(value, operator) for value in (r, s, t))
    if not type(new) is type(old) is type(whole):
        raise Fault(
            f"{operator} needs three strings or three sequences, and is given {kind_of(new)}, {kind_of(old)}, …"
        )
    return new, old, whole


def replace_first_sub_seq(r: Value, s: Value, t: Value) -> Text:
    new, old, whole = _three(r, s, t, "ReplaceFirstSubSeq")
    at = _find(old, whole)
    return whole if at < 0 else whole[:at] + new + whole[at + len(old) :]


def replace_all_sub_seqs(r: Value, s: Value, t: Value) -> Text:
    new, old, whole = _three(r, s, t, "ReplaceAllSubSeqs")
    if old == whole:
        return new
    replaced = whole[:0]
    at = 0
    while at < len(whole):
        if not len(old):
            replaced, at = replaced + new + whole[at : at + 1], at + 1
        elif whole[at : at + len(old)] == old:
            replaced, at = replaced + new, at + len(old)
        else:
            replaced, at = replaced + whole[at : at + 1], at + 1
    return replaced


OPERATORS: Final = {
    "SequencesExt!ToSet": Operator(to_set),
    "SequencesExt!ToBag": Operator(to_bag),
    "SequencesExt!SetToSeq": Operator(set_to_seq),
    "SequencesExt!SetToSeqs": Operator(set_to_seqs),
    "SequencesExt!SetToAllKPermutations": Operator(set_to_all_k_permutations),
    "SequencesExt!SeqOf": Operator(bounded_seq, set_of(ANY, lazy=True), lazy=True),
    "SequencesExt!BoundedSeq": Operator(bounded_seq, set_of(ANY, lazy=True), lazy=True),
    "SequencesExt!Contains": Operator(contains, condition=True),
    "SequencesExt!SelectInSeq": Operator(select_in_seq, INT),
    "SequencesExt!SelectLastInSeq": Operator(select_last_in_seq, INT),
    "SequencesExt!SelectInSubSeq": Operator(select_in_sub_seq, INT),
    "SequencesExt!SelectLastInSubSeq": Operator(select_last_in_sub_seq, INT),
    "SequencesExt!Reverse": Operator(reverse),
    "SequencesExt!Remove": Operator(remove),
    "SequencesExt!RemoveFirst": Operator(remove_first),
    "SequencesExt!RemoveFirstMatch": Operator(remove_first_match),
    "SequencesExt!ReplaceAll": Operator(replace_all),
    "SequencesExt!FlattenSeq": Operator(flatten_seq),
    "SequencesExt!Zip": Operator(zip_sequences),
    "SequencesExt!IsPrefix": Operator(is_prefix, condition=True),
    "SequencesExt!IsStrictPrefix": Operator(is_strict_prefix, condition=True),
    "SequencesExt!IsSuffix": Operator(is_suffix, condition=True),
    "SequencesExt!IsStrictSuffix": Operator(is_strict_suffix, condition=True),
    "SequencesExt!Prefixes": Operator(prefixes),
    "SequencesExt!Suffixes": Operator(suffixes),
    "SequencesExt!LongestCommonPrefix": Operator(longest_common_prefix),
    "SequencesExt!SubSeqs": Operator(sub_seqs),
    "SequencesExt!AllSubSeqs": Operator(all_sub_seqs),
    "SequencesExt!IndexFirstSubSeq": Operator(index_first_sub_seq, INT),
    "SequencesExt!ReplaceFirstSubSeq": Operator(replace_first_sub_seq),
    "SequencesExt!ReplaceAllSubSeqs": Operator(replace_all_sub_seqs),
}
