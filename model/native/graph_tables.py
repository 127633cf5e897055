"""What the C functions on graphs take: addresses of columns, formulas as tables, and whom to ask meanwhile."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import field
from typing import Any

from rmqproof.model.records import dataclass
from rmqproof.model.search.liveness.formula import And, Atom, Formula, Or, Predicate, Truth
from rmqproof.model.search.liveness.graph import Answers, GraphStopped, TooLarge

from .labels import buffer_of

_Answer = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_uint64, ctypes.c_uint64)
_Stop = ctypes.CFUNCTYPE(ctypes.c_int)
_TRUTH = {False: 0, True: 1}
_ATOM, _NEGATED, _AND, _OR = 2, 3, 4, 5
_STOPPED = -3


class _Formula(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int32) for name in ("kind", "atom", "first", "count")]


class _Atom(ctypes.Structure):
    _fields_ = [("step", ctypes.c_int32), ("bits", ctypes.c_void_p)]


class Propositions(ctypes.Structure):
    _fields_ = [
        ("formulas", ctypes.c_void_p),
        ("children", ctypes.c_void_p),
        ("atoms", ctypes.c_void_p),
        ("answer", _Answer),
        ("stop", _Stop),
        ("out", ctypes.c_void_p),
    ]


def memory_of(numbers: Any) -> Any:
    """Numbers as something whose address C takes; None for those that are their own places."""
    return None if isinstance(numbers, range) else buffer_of(numbers)


def address(buffer: Any) -> int | None:
    return ctypes.addressof(buffer) if buffer is not None else None


def numbers_of(kind: Any, items: Sequence[Any]) -> Any:
    return (kind * max(1, len(items)))(*items)


@dataclass(slots=True)
class Asked:
    """Formulas as tables, and what is to be evaluated for them meanwhile."""

    answers: Answers
    formulas: list[_Formula] = field(default_factory=list)
    children: list[int] = field(default_factory=list)
    predicates: dict[Predicate, int] = field(default_factory=dict)
    raised: BaseException | None = None
    _known: dict[Formula, int] = field(default_factory=dict)
    _kept: list[Any] = field(default_factory=list)

    def number(self, formula: Formula) -> int:
        """The number by which C knows the proposition."""
        if formula not in self._known:
            self._known[formula] = self._add(formula)
        return self._known[formula]

    def _add(self, formula: Formula) -> int:
        match formula:
            case Truth(value):
                made = _Formula(_TRUTH[value], 0, 0, 0)
            case Atom(predicate, positive):
                atom = self.predicates.setdefault(predicate, len(self.predicates))
                made = _Formula(_ATOM if positive else _NEGATED, atom, 0, 0)
            case And(parts) | Or(parts):
                inner = [self.number(part) for part in parts]
                made = _Formula(_AND if isinstance(formula, And) else _OR, 0, len(self.children), len(inner))
                self.children += inner
            case _:
                raise TypeError(f"{formula} is not a proposition")
        self.formulas.append(made)
        return len(self.formulas) - 1

    def tables(self) -> Propositions:
        """For C; complete when all formulas have their numbers. They live as long as this object."""
        predicates, answers = list(self.predicates), self.answers
        columns = [memory_of(answers.bits(predicate)) for predicate in predicates]
        atoms = [_Atom(predicate.step, address(column)) for predicate, column in zip(predicates, columns, strict=True)]

        def answer(atom: int, state: int, step: int) -> int:
            try:
                return answers.answer(predicates[atom], state, step)
            except BaseException as raised:  # raised again where C has returned
                self.raised = raised
                return 0

        def stop() -> int:
            try:
                return answers.stop()
            except BaseException as raised:
                self.raised = raised
                return 1

        tables = (
            numbers_of(_Formula, self.formulas),
            numbers_of(ctypes.c_int32, self.children),
            numbers_of(_Atom, atoms),
        )
        callbacks = (_Answer(answer), _Stop(stop))
        self._kept += [columns, tables, callbacks]
        return Propositions(*map(ctypes.addressof, tables), *callbacks, None)

    def checked(self, result: int) -> int:
        """What a function returned. Raise what it means where it is negative."""
        if result >= 0:
            return result
        if self.raised is not None:
            raise self.raised
        raise GraphStopped if result == _STOPPED else TooLarge
