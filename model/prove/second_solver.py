"""A second solver's word: what Z3 has answered is put to cvc5, as SMT-LIB text."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import z3

from rmqproof.model.prove.logic import Truth, conjunction, term
from rmqproof.model.prove.pieces import Written
from rmqproof.model.prove.proof_cache import ProofCache
from rmqproof.model.prove.terms import subterms
from rmqproof.model.tla.source import TlaError

_WORK = 150_000
"""cvc5's units of work in a second, about."""
_PATIENCE = 60
"""So many times as long a question may take where the machine is busy."""
_ATTEMPTS: tuple[tuple[float, dict[str, str]], ...] = ((0.1, {}), (0.9, {"enum-inst": "true"}))
"""Shares of the time, each with how quantifiers are instantiated, besides by patterns."""
_ANSWER = re.compile(r"^(unsat|sat)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Opinions:
    """What a second solver said of so many questions: the same, nothing in its time, the opposite."""

    same: int = 0
    none: int = 0
    opposite: int = 0

    def __add__(self, other: Opinions) -> Opinions:
        return Opinions(self.same + other.same, self.none + other.none, self.opposite + other.opposite)

    @property
    def asked(self) -> int:
        return self.same + self.none + self.opposite

    def json(self) -> dict[str, int]:
        return {"asked": self.asked, "agrees": self.same, "noAnswer": self.none, "disagrees": self.opposite}


SAME, NONE, OPPOSITE = Opinions(same=1), Opinions(none=1), Opinions(opposite=1)


@dataclass(frozen=True, slots=True)
class SecondSolver:
    """cvc5: `seconds` of its work a question, of a processor of its own. `check` takes SMT-LIB, options and seconds."""

    seconds: float
    cache: ProofCache
    check: Callable[[str, dict[str, str], float], bool | None] = field(repr=False)

    @classmethod
    def cvc5(cls, seconds: float, cache: ProofCache) -> SecondSolver:
        """Raise `TlaError` where it is not installed."""
        try:
            module = importlib.import_module("cvc5")
        except ImportError as error:
            raise TlaError(
                "cvc5 is not installed",
                remedy="Install it: pip install 'rmqproof[cvc5]'. Or ask Z3 alone: --solver z3.",
                kind="config",
            ) from error
        return cls(seconds, cache.of_solver(f"cvc5 {module.__version__}"), _check)

    def on_contradiction(self, questions: Sequence[tuple[Sequence[Truth], Sequence[Written]]]) -> Opinions:
        """On Z3's answer that formulas contradict each other.

        Each is a question with its formulas written down. One of them is enough for the same answer; the last has all
        hypotheses, and only values for that one are the opposite: with fewer there may well be some.
        """
        keys = [self.cache.key(written) for _, written in questions]
        if any(map(self.cache.proved, keys)):
            return SAME
        open_ = [index for index, key in enumerate(keys) if self.cache.tried(key) < self.seconds]
        for share, options in _ATTEMPTS:
            for index in open_:
                answer = self._answer(questions[index][0], options, self.seconds * share / len(open_))
                if answer:
                    self.cache.keep(keys[index], True, self.seconds)
                    return SAME
                if answer is False and index == len(questions) - 1:
                    return OPPOSITE
        for index in open_:
            self.cache.keep(keys[index], False, self.seconds)
        return NONE

    def on_model(self, parts: Sequence[Truth]) -> Opinions:
        """On Z3's answer that some values satisfy these formulas."""
        answer = self._answer(parts, {}, self.seconds)
        return NONE if answer is None else OPPOSITE if answer else SAME

    def _answer(self, parts: Sequence[Truth], options: dict[str, str], seconds: float) -> bool | None:
        """Whether the formulas contradict each other; None: not known."""
        whole = conjunction(parts)
        return not whole if isinstance(whole, bool) else self.check(smt_lib(parts), options, seconds)


def smt_lib(parts: Sequence[Truth]) -> str:
    """The formulas as a script of SMT-LIB 2.6 that asks whether they can all be true."""
    terms = [term(part) for part in parts]
    others = overloads(terms)
    solver = z3.SimpleSolver()
    solver.add(*(z3.substitute_funs(each, *others) if others else each for each in terms))
    return f"(set-logic ALL)\n{solver.to_smt2()}"


def overloads(terms: Sequence[z3.ExprRef]) -> list[tuple[z3.FuncDeclRef, z3.ExprRef]]:
    """Functions of Z3 that have the name of another with other sorts, each with one that no other is called as."""
    names: dict[str, list[z3.FuncDeclRef]] = {}
    for node in subterms(terms):
        function = node.decl()
        if function.kind() == z3.Z3_OP_UNINTERPRETED and function not in names.setdefault(function.name(), []):
            names[function.name()].append(function)
    found = []
    for name, functions in names.items():
        for number, function in enumerate(functions[1:], 1):
            sorts = [function.domain(i) for i in range(function.arity())]
            other = z3.Function(f"{name}!{number}!", *sorts, function.range())
            found.append((function, other(*(z3.Var(i, sort) for i, sort in enumerate(sorts)))))
    return found


def _check(text: str, options: dict[str, str], seconds: float) -> bool | None:
    cvc5: Any = importlib.import_module("cvc5")
    solver = cvc5.Solver(cvc5.TermManager())
    limits = {"rlimit-per": int(seconds * _WORK), "tlimit-per": int(seconds * 1000 * _PATIENCE)}
    fixed = {"verbosity": -1, "fresh-binders": "true", **{name: max(1, limit) for name, limit in limits.items()}}
    for name, value in {**fixed, **options}.items():
        solver.setOption(name, str(value))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "question")
    symbols, said = parser.getSymbolManager(), []
    try:
        while not (command := parser.nextCommand()).isNull():
            said.append(str(command.invoke(solver, symbols)))
    except RuntimeError as error:
        raise TlaError(
            f"cvc5 does not take a question that Z3 has answered: {error}",
            remedy="This is an error of rmqproof: please report it, with the module. Or ask Z3 alone: --solver z3.",
            kind="evaluation",
        ) from error
    found = _ANSWER.search("".join(said))
    return None if found is None else found[1] == "unsat"
