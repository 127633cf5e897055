"""Sequences. A sequence is a Python tuple; a string is one where TLC takes it for one (`Len`, `\\o`, `SubSeq`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.lazy_sets import Sequences
from rmqproof.model.evaluate.library.arguments import sequence
from rmqproof.model.evaluate.library.operator import Code, Operator
from rmqproof.model.evaluate.operations import numbers, set_needed, truth
from rmqproof.model.evaluate.shape import ANY, INT, STR, Shape, join, seq_of, set_of
from rmqproof.model.evaluate.show import shorten
from rmqproof.model.evaluate.values import Value


def length(s: Value) -> int:
    """Len(s)"""
    return len(s) if type(s) is str else len(sequence(s, "Len"))


def concatenate(s: Value, t: Value) -> Value:
    """s \\o t"""
    if type(s) is str and type(t) is str:
        return s + t
    return sequence(s, "\\o") + sequence(t, "\\o")


def append(s: Value, item: Value) -> Value:
    """Append(s, item)"""
    return (*sequence(s, "Append"), item)


def head(s: Value) -> Value:
    """Head(s)"""
    if not sequence(s, "Head"):
        raise Fault("Head of the empty sequence", "Guard it with s # <<>>.")
    return s[0]


def tail(s: Value) -> Value:
    """Tail(s)"""
    if type(s) is str and s:
        return s[1:]
    if not sequence(s, "Tail"):
        raise Fault("Tail of the empty sequence", "Guard it with s # <<>>.")
    return s[1:]


def sub_sequence(s: Value, first: Value, last: Value) -> Value:
    """SubSeq(s, first, last)"""
    numbers("SubSeq", first, last)
    if type(s) is not str:
        sequence(s, "SubSeq")
    if first > last:
        return "" if type(s) is str else ()
    if first < 1 or last > len(s):
        raise Fault(f"SubSeq({shorten(s)}, {first}, {last}) reaches outside of 1..{len(s)}")
    return s[first - 1 : last]


def select(s: Value, test: Callable[[Value], Value]) -> Value:
    """SelectSeq(s, test)"""
    return tuple(item for item in sequence(s, "SelectSeq") if truth(test(item)))


def sequences(items: Value) -> Sequences:
    """Seq(items)"""
    set_needed(items, "Seq")
    return Sequences(items)


def _inline(template: str) -> Callable[[Sequence[Code]], str | None]:
    def inline(arguments: Sequence[Code]) -> str | None:
        if arguments[0].shape.kind != "seq":
            return None
        return template.format(*(argument.text for argument in arguments))

    return inline


def _tail(arguments: Sequence[Code]) -> str | None:
    (s,) = arguments
    return f"({s.text}[1:] if {s.text} else below_one())" if s.shape.kind == "seq" and s.atom else None


def _part(arguments: Sequence[Code]) -> str | None:
    s, first, last = arguments
    if s.shape.kind != "seq" or not all(code.atom and code.shape.kind == "int" for code in (first, last)) or not s.atom:
        return None
    inside = f"{first.text} > 0 <= {last.text} <= len({s.text})"
    return (
        f"({s.text}[{first.text} - 1 : {last.text}] if {inside} else sub_sequence({s.text}, {first.text}, {last.text}))"
    )


def _concatenate(arguments: Sequence[Code]) -> str | None:
    a, b = arguments
    return f"({a.text} + {b.text})" if a.shape.kind == b.shape.kind == "seq" else None


def _joined(shapes: Sequence[Shape]) -> Shape:
    a, b = shapes
    if a.kind == "never" or b.kind == "never":
        return a if b.kind == "never" else b
    if a.kind == "str" or b.kind == "str":
        return STR
    if "any" in (a.kind, b.kind) and "seq" not in (a.kind, b.kind):
        return ANY
    return seq_of(join(a.element, b.element))


def _same(shapes: Sequence[Shape]) -> Shape:
    if shapes[0].kind in ("seq", "never"):
        return shapes[0]
    return ANY


def _appended(shapes: Sequence[Shape]) -> Shape:
    return seq_of(join(shapes[0].element, shapes[1]))


OPERATORS = {
    f"Sequences!{name}": operator
    for name, operator in {
        "Seq": Operator(sequences, lambda shapes: set_of(seq_of(shapes[0].element), lazy=True), lazy=True),
        "Len": Operator(length, INT, _inline("len({0})")),
        "\\o": Operator(concatenate, _joined, _concatenate),
        "Append": Operator(append, _appended, _inline("(*{0}, {1})")),
        "Head": Operator(head, lambda shapes: shapes[0].element, _inline("{0}[0]")),
        "Tail": Operator(tail, _same, _tail),
        "SubSeq": Operator(sub_sequence, _same, _part),
        "SelectSeq": Operator(select, _same),
    }.items()
}
