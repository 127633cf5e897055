"""A second solver's word: what Z3 has answered is put to cvc5, as SMT-LIB text."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import z3

from rmqproof.model.prove.certificates import Certificate, Certificates, digest_of
from rmqproof.model.prove.logic import Truth, conjunction, term
from rmqproof.model.prove.patterns import patterned
from rmqproof.model.prove.pieces import Written
from rmqproof.model.prove.proof_cache import ProofCache
from rmqproof.model.prove.terms import subterms
from rmqproof.model.tla.source import TlaError

_WORK = 150_000
"""cvc5's units of work in a second, about."""
_PATIENCE = 60
"""So many times as long a question may take where the machine is busy."""
_ENUMERATED = {"enum-inst": "true"}
_INTERLEAVED = {**_ENUMERATED, "enum-inst-interleave": "true"}
_OF_VALUES = {"mbqi": "true", "mbqi-enum": "true"}
"""By terms, composed of the question's, that make a formula false in values for the rest."""
_Attempts = tuple[tuple[float, dict[str, str], bool], ...]
_ATTEMPTS: _Attempts = (
    (0.2, {}, False),  # ends soon where it finds nothing
    (0.1, _INTERLEAVED, True),
    (0.1, {"mbqi": "true"}, False),  # soon finds values where hypotheses are missing, for which others search in vain
    (0.35, _ENUMERATED, False),
    (0.35, _INTERLEAVED, False),
)
"""Shares of the time, each with how quantifiers are instantiated, besides by the patterns that cvc5 finds.

The last says whether more patterns are named (`patterned`); that comes on top, where there are any.
"""
_ATTEMPTS_AT_A_CORE: _Attempts = (
    (0.1, {}, False),
    (0.1, _INTERLEAVED, True),
    (0.1, _ENUMERATED, False),
    (0.1, _OF_VALUES, False),
    (0.25, _ENUMERATED, False),
    (0.2, _INTERLEAVED, False),
    (0.25, _OF_VALUES, False),
)
"""Likewise, with a time as long of its own. It has few formulas, so that what gets lost among many comes to an end."""
_PROOF = {
    "produce-proofs": "true",
    "proof-format-mode": "cpc",
    "proof-granularity": "dsl-rewrite",
    "proof-print-reference": "true",
}
"""A proof in steps so small that a checker knows them all, without the declarations that are in the question."""
_UNPROVEN = {"fresh-binders": "true"}
"""Quantifiers that bind the same name are told apart when they are read; not where a proof is wanted."""
_ANSWER = re.compile(r"^(unsat|sat)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Opinions:
    """What a second solver said of so many questions: the same, nothing in its time, the opposite.

    `certified`: where it says the same, and there is a certificate of that, a proof that was written down.
    """

    same: int = 0
    none: int = 0
    opposite: int = 0
    certified: int = 0

    def __add__(self, other: Opinions) -> Opinions:
        return Opinions(
            self.same + other.same,
            self.none + other.none,
            self.opposite + other.opposite,
            self.certified + other.certified,
        )

    @property
    def asked(self) -> int:
        return self.same + self.none + self.opposite

    def json(self) -> dict[str, int]:
        said = {"asked": self.asked, "agrees": self.same, "noAnswer": self.none, "disagrees": self.opposite}
        return {**said, **({"certificates": self.certified} if self.certified else {})}


SAME, NONE, OPPOSITE, CERTIFIED = (
    Opinions(same=1), Opinions(none=1), Opinions(opposite=1), Opinions(same=1, certified=1),
)  # fmt: skip
Question = tuple[Sequence[Truth], Sequence[Written]]
"""Formulas that may contradict each other, and how they are written."""
Core = Callable[[], Sequence[Truth] | None]
"""Some of the formulas of a question that contradict each other as they are, if they are known."""


@dataclass(frozen=True, slots=True)
class _Try:
    """Whether `parts` contradict each other, to be asked for so many seconds: the question of this index, or a core."""

    index: int
    parts: Sequence[Truth]
    options: dict[str, str]
    seconds: float
    is_core: bool = False


@dataclass(frozen=True, slots=True)
class SecondSolver:
    """cvc5: `seconds` of its work a question, of a processor of its own. `check` takes SMT-LIB, options and seconds.

    `prove` likewise, for a proof; False where there are values. `certificates`: where proofs are kept, if they are
    wanted.
    """

    seconds: float
    cache: ProofCache
    check: Callable[[str, dict[str, str], float], bool | None] = field(repr=False)
    prove: Callable[[str, dict[str, str], float], str | Literal[False] | None] = field(repr=False)
    certificates: Certificates | None = None

    @classmethod
    def cvc5(cls, seconds: float, cache: ProofCache, certificates: Certificates | None = None) -> SecondSolver:
        """Raise `TlaError` where it is not installed."""
        try:
            module = importlib.import_module("cvc5")
        except ImportError as error:
            raise TlaError(
                "cvc5 is not installed",
                remedy="Install it: pip install 'rmqproof[cvc5]'. Or ask Z3 alone: --solver z3.",
                kind="config",
            ) from error
        return cls(seconds, cache.of_solver(f"cvc5 {module.__version__}"), _check, _prove, certificates)

    def on_contradiction(self, questions: Sequence[Question], core: Core = lambda: None) -> Opinions:
        """On Z3's answer that formulas contradict each other.

        Each is a question with its formulas written down. One of them is enough for the same answer; the last has all
        hypotheses, and only values for that one are the opposite: with fewer there may well be some. `core`: formulas
        that Z3 finds to contradict each other by themselves, so that values for them are the opposite, too.
        """
        if self.certificates is not None and self._certified(questions, core, self.certificates):
            return CERTIFIED
        keys, last = [self.cache.key(written) for _, written in questions], len(questions) - 1
        if any(map(self.cache.proved, keys)):
            return SAME
        open_ = [index for index, key in enumerate(keys) if self.cache.tried(key) < self.seconds]
        left = list(open_)
        for each in self._tries([parts for parts, _ in questions], left, core):
            answer = self._answer(each.parts, each.options, each.seconds)
            if answer:
                self.cache.keep(keys[each.index], True, self.seconds)
                return SAME
            if answer is False and (each.is_core or each.index == last):
                return OPPOSITE
            if answer is False:
                left.remove(each.index)
        for index in open_:
            self.cache.keep(keys[index], False, self.seconds)
        return NONE

    def _tries(self, questions: Sequence[Sequence[Truth]], left: Sequence[int], core: Core) -> Iterator[_Try]:
        """How the core is asked about, and then the questions that are `left`, by their indices, while they are."""
        few = core() if left else None
        whose = None if few is None else _first_with(questions, few)
        if few is not None and whose is not None:
            for share, options, named in _ATTEMPTS_AT_A_CORE:
                if (parts := _told(few, named)) is not None:
                    yield _Try(whose, parts, options, self.seconds * share, True)
        for share, options, named in _ATTEMPTS:
            for index in tuple(left):
                if (parts := _told(questions[index], named)) is not None:
                    yield _Try(index, parts, options, self.seconds * share / len(left))

    def _certified(self, questions: Sequence[Question], core: Core, certificates: Certificates) -> bool:
        """Whether there is a certificate of one of the questions, or cvc5 gives a proof."""
        if any(conjunction(parts) is False for parts, _ in questions):
            return True  # what is false as it stands needs none
        digests = [digest_of(written) for _, written in questions]
        if any(map(certificates.has, digests)):
            return True
        unproven = self.cache.of_solver(f"{self.cache.solver} with proofs")
        keys = [unproven.key(written) for _, written in questions]
        open_ = [index for index, key in enumerate(keys) if unproven.tried(key) < self.seconds]
        left = list(open_)
        for each in self._tries([parts for parts, _ in questions], left, core):
            proof = self.prove(smt_lib(each.parts, questions[each.index][0]), each.options, each.seconds)
            if proof is False and not each.is_core:
                left.remove(each.index)
            elif proof:  # it names no patterns, and assumes no more than the question has: so it is one of the question
                certificates.keep(Certificate(digests[each.index], self.cache.solver, proof))
                self.cache.keep(self.cache.key(questions[each.index][1]), True, self.seconds)
                return True
        for index in open_:
            unproven.keep(keys[index], False, self.seconds)
        return False

    def on_model(self, parts: Sequence[Truth]) -> Opinions:
        """On Z3's answer that some values satisfy these formulas."""
        answer = self._answer(parts, {}, self.seconds)
        return NONE if answer is None else OPPOSITE if answer else SAME

    def _answer(self, parts: Sequence[Truth], options: dict[str, str], seconds: float) -> bool | None:
        """Whether the formulas contradict each other; None: not known."""
        whole = conjunction(parts)
        return not whole if isinstance(whole, bool) else self.check(smt_lib(parts), options, seconds)


def _first_with(questions: Sequence[Sequence[Truth]], core: Sequence[Truth]) -> int | None:
    """The index of the first question that has all these formulas."""
    needed = _formulas(core)
    return next((index for index, parts in enumerate(questions) if needed <= _formulas(parts)), None)


def _formulas(parts: Sequence[Truth]) -> set[int | str]:
    return {str(part) if isinstance(part, bool) else part.get_id() for part in parts}


def _told(parts: Sequence[Truth], named: bool) -> Sequence[Truth] | None:
    """A question as it is told to cvc5, with more patterns `named`; None: it has none that could be named."""
    if not named:
        return parts
    told = [part if isinstance(part, bool) else patterned(part) for part in parts]
    return None if all(one is other for one, other in zip(parts, told, strict=True)) else told


def smt_lib(parts: Sequence[Truth], among: Sequence[Truth] = ()) -> str:
    """The formulas as a script of SMT-LIB 2.6 that asks whether they can all be true.

    What they name is called as in a question that consists of the formulas `among`.
    """
    terms = [term(part) for part in parts]
    others = overloads(list(map(term, among)) or terms)
    written = [z3.substitute_funs(each, *others) if others else each for each in terms] or [term(True)]
    # A solver's own to_smt2 writes them as it has simplified them, which differs from run to run.
    *assumed, last = (each.as_ast() for each in written)
    array = (z3.Ast * len(assumed))(*assumed)
    text = z3.Z3_benchmark_to_smtlib_string(written[0].ctx.ref(), "", "ALL", "unknown", "", len(assumed), array, last)
    return str(text)


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
    return _run(text, {**_UNPROVEN, **options}, seconds)[1]


def _prove(text: str, options: dict[str, str], seconds: float) -> str | Literal[False] | None:
    """cvc5's proof that the formulas cannot all be true, in CPC; None: it has none; False: there are values."""
    solver, answer = _run(text, {**_PROOF, **options}, seconds)
    if not answer:
        return False if answer is False else None
    (proof,) = solver.getProof()
    printed = solver.proofToString(proof)
    lines = (printed.decode() if isinstance(printed, bytes) else str(printed)).splitlines()
    return "\n".join(line for line in lines if line not in ("(", ")", "")) + "\n"


def _run(text: str, options: dict[str, str], seconds: float) -> tuple[Any, bool | None]:
    """cvc5 after this question, and whether the formulas contradict each other; None: not known."""
    cvc5: Any = importlib.import_module("cvc5")
    solver = cvc5.Solver(cvc5.TermManager())
    limits = {"rlimit-per": int(seconds * _WORK), "tlimit-per": int(seconds * 1000 * _PATIENCE)}
    fixed = {"verbosity": -1, **{name: max(1, limit) for name, limit in limits.items()}}
    try:
        for name, value in {**fixed, **options}.items():
            solver.setOption(name, str(value))
        parser = cvc5.InputParser(solver)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "question")
        symbols, said = parser.getSymbolManager(), []
        while not (command := parser.nextCommand()).isNull():
            said.append(str(command.invoke(solver, symbols)))
    except RuntimeError as error:
        raise TlaError(
            f"cvc5 does not take a question that Z3 has answered: {error}",
            remedy="This is an error of rmqproof: please report it, with the module. Or ask Z3 alone: --solver z3.",
            kind="evaluation",
        ) from error
    found = _ANSWER.search("".join(said))
    return solver, None if found is None else found[1] == "unsat"
