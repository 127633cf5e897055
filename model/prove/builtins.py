"""The operators of the language and of the standard modules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import z3

from rmqproof.model.prove import sequences
from rmqproof.model.prove.counts import Counts
from rmqproof.model.prove.fresh import FiniteSet, PredicateSet, finite
from rmqproof.model.prove.logic import (
    Number,
    Truth,
    add,
    at_most,
    below,
    conjunction,
    disjunction,
    negation,
    subtract,
    term,
)
from rmqproof.model.prove.merge import as_function, as_sequence, equal, is_number, kind, quantify, some_truth, tuple_of
from rmqproof.model.prove.refusal import Untranslatable
from rmqproof.model.prove.sequences import Scope
from rmqproof.model.prove.sets import (
    Integers,
    Interval,
    Sequences,
    Strings,
    Subsets,
    as_set,
    difference,
    intersection,
    subset,
    union,
)
from rmqproof.model.prove.values import (
    NOWHERE,
    AtomValue,
    Entry,
    FunctionValue,
    MapValue,
    RecordValue,
    SequenceValue,
    SetValue,
    Value,
)
from rmqproof.model.types.domain import Atom, Set, Text


class Translator(Protocol):
    """What an operator asks of `translate.Translator`."""

    scope: Scope
    counts: Counts
    has_open_sets: bool
    atoms: set[Atom]

    def atom(self, name: str, is_model: bool) -> AtomValue: ...


def apply(translator: Translator, operator: str, arguments: list[Value]) -> Value:
    """The value of a builtin operator. Raise `Untranslatable`."""
    rule = _RULES.get(operator.partition("!")[2] if operator.startswith(_MODULES) else operator)
    if rule is None:
        raise Untranslatable(f"the operator {operator.rpartition('!')[2]}")
    if any(argument is NOWHERE for argument in arguments):
        return _nowhere(operator)
    return rule(translator, *arguments)


def _nowhere(operator: str) -> Value:
    """What an operator is worth whose argument is a value that does not exist: anything of its kind."""
    name = operator.rpartition("!")[2]
    if name in ("=", "#", "\\in", "\\notin", "\\subseteq", "<", "<=", ">", ">=", "IsFiniteSet"):
        return some_truth()
    if name in ("+", "-", "-.", "*", "\\div", "%", "^", "Len", "Cardinality"):
        return z3.FreshInt("nowhere")
    return NOWHERE


_MODULES = ("Naturals!", "Integers!", "Sequences!", "FiniteSets!", "TLC!", "Functions!", "SequencesExt!")


def number(value: Value) -> Number:
    if not is_number(value):
        raise Untranslatable(f"{kind(value)} where a number is needed")
    return value


def positive(value: Number) -> Truth:
    return at_most(1, value)


def normal(function: FunctionValue) -> Value:
    """The function, as a sequence where its domain is surely 1..n."""
    known = {e.key: e.value for e in function.entries if isinstance(e.key, int) and not isinstance(e.key, bool)}
    whole = all(entry.present is True for entry in function.entries)
    if whole and len(known) == len(function.entries) and set(known) == set(range(1, len(known) + 1)):
        return tuple_of([known[index] for index in range(1, len(known) + 1)])
    names = {name: e.value for e in function.entries if (name := _string(e.key)) is not None}
    if whole and names and len(names) == len(function.entries):
        return RecordValue(names)
    return function


def _string(key: Value) -> str | None:
    """The text of a key that is a known string."""
    if isinstance(key, AtomValue) and key.known is not None and not key.known.is_model:
        return key.known.name
    return None


def _member(t: Translator, x: Value, s: Value) -> Truth:
    return as_set(s).contains(x)


def _domain(t: Translator, f: Value) -> SetValue:
    if isinstance(f, SequenceValue):
        return Interval(1, f.length, None if f.most is None else range(1, f.most + 1))
    if isinstance(f, RecordValue):
        return FiniteSet(tuple((True, t.atom(name, False)) for name in f.fields))
    if isinstance(f, FunctionValue):
        return FiniteSet(tuple((entry.present, entry.key) for entry in f.entries))
    if isinstance(f, MapValue):
        return as_set(f.domain)
    raise Untranslatable(f"DOMAIN of {kind(f)}")


def _big_union(t: Translator, s: Value) -> SetValue:
    outer = as_set(s)
    elements = outer.elements()
    if elements is not None:
        lists = [(guard, as_set(inner).elements()) for guard, inner in elements]
        if all(listed is not None for _, listed in lists):
            return finite([(conjunction([g, h]), x) for g, listed in lists for h, x in listed or []])
    inner_type = outer.element
    if not isinstance(inner_type, Set):
        raise Untranslatable("UNION of what are no sets")
    return PredicateSet(
        inner_type.element,
        lambda x: quantify(False, outer, lambda inner: as_set(inner).contains(x)),
        is_bounded=t.has_open_sets and isinstance(inner_type.element, Text),
    )


def _divide(t: Translator, a: Value, b: Value) -> Number:
    divisor = number(b)
    if not isinstance(divisor, int) or divisor <= 0:
        raise Untranslatable("a division by something else than a positive number that is known")
    return a // divisor if isinstance(a, int) else number(a) / divisor


def _remainder(t: Translator, a: Value, b: Value) -> Number:
    divisor = number(b)
    if not isinstance(divisor, int) or divisor <= 0:
        raise Untranslatable("a remainder of a division by something else than a positive number that is known")
    return a % divisor if isinstance(a, int) else number(a) % divisor


def _power(t: Translator, a: Value, b: Value) -> Number:
    if isinstance(a, int) and isinstance(b, int) and 0 <= b <= 64:
        return a**b
    raise Untranslatable("a power of something that is not known")


def _range(t: Translator, f: Value) -> SetValue:
    """What a function has as values, where its arguments can be listed."""
    if isinstance(f, SequenceValue) and (isinstance(f.length, int) or f.most is not None):
        most = f.length if isinstance(f.length, int) else f.most or 0
        return finite([(at_most(index, f.length), f.at(index)) for index in range(1, most + 1)])
    if isinstance(f, RecordValue | FunctionValue):
        return finite([(entry.present, entry.value) for entry in _function(t, f).entries])
    raise Untranslatable(f"what are the values of {kind(f)} whose arguments cannot be listed")


def _override(t: Translator, f: Value, g: Value) -> Value:
    """`f @@ g`: of g what has another key than all that is in f, which of its keys that is Z3 may have to find."""
    left, right = _function(t, f), _function(t, g)
    rest = []
    for entry in right.entries:
        hidden = disjunction(conjunction([other.present, equal(entry.key, other.key)]) for other in left.entries)
        rest.append(Entry(conjunction([entry.present, negation(hidden)]), entry.key, entry.value))
    return normal(FunctionValue((*left.entries, *(entry for entry in rest if entry.present is not False))))


def _function(t: Translator, f: Value) -> FunctionValue:
    if isinstance(f, RecordValue):
        t.atoms.update(Atom(name) for name in f.fields)
    if isinstance(f, RecordValue) or (isinstance(f, SequenceValue) and isinstance(f.length, int)):
        return as_function(f)
    if isinstance(f, FunctionValue):
        return f
    raise Untranslatable(f"@@ of {kind(f)}")


def _product(a: Value, b: Value) -> Number:
    if isinstance(a, int) and isinstance(b, int):
        return a * b
    return term(number(a)) * term(number(b))


def _comparison(test: Callable[[Number, Number], Truth]) -> Callable[..., Truth]:
    return lambda t, a, b: test(number(a), number(b))


def _is_finite(t: Translator, s: Value) -> Truth:
    if as_set(s).elements() is not None or isinstance(s, Interval):
        return True
    raise Untranslatable("IsFiniteSet of a set whose elements cannot be listed")


_RULES: dict[str, Callable[..., Any]] = {
    "=": lambda t, a, b: equal(a, b),
    "#": lambda t, a, b: negation(equal(a, b)),
    "\\in": _member,
    "\\notin": lambda t, x, s: negation(_member(t, x, s)),
    "\\subseteq": lambda t, a, b: subset(a, b),
    "\\cup": lambda t, a, b: union(as_set(a), as_set(b)),
    "\\cap": lambda t, a, b: intersection(as_set(a), as_set(b)),
    "\\": lambda t, a, b: difference(as_set(a), as_set(b)),
    "SUBSET": lambda t, s: Subsets(as_set(s)),
    "UNION": _big_union,
    "DOMAIN": _domain,
    "BOOLEAN": lambda t: FiniteSet(((True, False), (True, True))),
    "STRING": lambda t: Strings(),
    "Nat": lambda t: Integers(True),
    "Int": lambda t: Integers(False),
    "+": lambda t, a, b: add(number(a), number(b)),
    "-": lambda t, a, b: subtract(number(a), number(b)),
    "-.": lambda t, a: subtract(0, number(a)),
    "*": lambda t, a, b: _product(a, b),
    "\\div": _divide,
    "%": _remainder,
    "^": _power,
    "..": lambda t, a, b: t.scope.listed(Interval(number(a), number(b))),
    "<": _comparison(below),
    "<=": _comparison(at_most),
    ">": _comparison(lambda a, b: below(b, a)),
    ">=": _comparison(lambda a, b: at_most(b, a)),
    "Seq": lambda t, s: Sequences(as_set(s)),
    "Len": lambda t, s: as_sequence(s).length,
    "\\o": lambda t, a, b: sequences.concatenation(as_sequence(a), as_sequence(b)),
    "Append": lambda t, s, x: sequences.append(as_sequence(s), x),
    "Head": lambda t, s: as_sequence(s).at(1),
    "Tail": lambda t, s: sequences.subsequence(as_sequence(s), 2, as_sequence(s).length),
    "SubSeq": lambda t, s, m, n: sequences.subsequence(as_sequence(s), number(m), number(n)),
    "Cardinality": lambda t, s: t.counts.of(as_set(s)),
    "IsFiniteSet": _is_finite,
    "Range": _range,
    "ToSet": _range,
    ":>": lambda t, k, v: normal(FunctionValue((Entry(True, k, v),))),
    "@@": _override,
}
