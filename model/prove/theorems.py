"""Theorems as lemmas: hypotheses with names, a goal, and what the comment above says of them.

    \\* A new entry keeps the file rising.
    \\* EXPECT refuted
    \\* BOUNDS length 4 high 8
    THEOREM AppendKeepsOrder == ASSUME NEW file \\in EpochFiles, ... PROVE ...

`EXPECT refuted` says that a countermodel is wanted: the rule is known to be wrong. `BOUNDS` says how large a
countermodel may be (`scope.Bounds`). `USES Name` puts another theorem of the module among the hypotheses;
`USES Name IN Action` only where the step is one of this action. In which state, say `lemma_parts.says_more_of` and
`speaks_of_goals`; which other hypotheses a question with it has, `ask.Extent`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from rmqproof.model.prove.formulas import conjuncts, gives_values
from rmqproof.model.prove.scope import Bounds
from rmqproof.model.tla import core
from rmqproof.model.tla.source import Location, TlaError

_LINE = re.compile(r"\b(EXPECT|BOUNDS|USES)\b([^\n]*?)(?=\b(?:EXPECT|BOUNDS|USES)\b|$|\n)")
EXPECTATIONS = ("proved", "refuted")


@dataclass(frozen=True, eq=False, slots=True)
class Hypothesis:
    """An assumption. `name` is its label, the operator that it applies, or its text."""

    name: str
    formula: core.Expression


@dataclass(frozen=True, slots=True)
class Use:
    """Another theorem among the hypotheses; where the step is one of `actions`, of any if there are none."""

    name: str
    actions: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class Lemma:
    name: str
    sentence: str
    at: Location
    fresh: tuple[tuple[core.Binding, core.Expression], ...]
    hypotheses: tuple[Hypothesis, ...]
    goal: core.Expression
    expected: str = "proved"
    bounds: Bounds = field(default_factory=Bounds)
    uses: tuple[Use, ...] = ()

    def actions_for(self, name: str) -> tuple[str, ...]:
        """The actions in which the lemma uses the theorem of this name; none: in all."""
        return next(use.actions for use in self.uses if use.name == name)

    @property
    def is_about_steps(self) -> bool:
        """Whether a hypothesis is an action."""
        return any(gives_values(hypothesis.formula) for hypothesis in self.hypotheses)

    @property
    def conjuncts(self) -> int:
        """How many parts the goal has."""
        return len(conjuncts(self.goal))

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of the hypotheses' parts, but for a step's; one without a name has that of its hypothesis."""
        formulas = [h for h in self.hypotheses if not gives_values(h.formula)]
        return tuple(dict.fromkeys(name or h.name for h in formulas for name, _ in conjuncts(h.formula)))

    def without(self, part: str) -> Lemma:
        """The lemma in which no hypothesis has this name, nor a part of one, nor a part of the goal; a step stays."""
        kept = []
        for hypothesis in self.hypotheses:
            formula = hypothesis.formula
            if not gives_values(formula):
                left = None if hypothesis.name == part else _less(formula, part)
                if left is None:
                    continue
                formula = left
            kept.append(Hypothesis(hypothesis.name, formula))
        return replace(self, hypotheses=tuple(kept), goal=_less(self.goal, part) or self.goal)


def _less(formula: core.Expression, part: str) -> core.Expression | None:
    """Without the parts of this name; None: nothing is left."""
    parts = conjuncts(formula)
    kept = [each for name, each in parts if name != part]
    if len(kept) == len(parts):
        return formula
    return core.Builtin(formula.at, "/\\", tuple(kept)) if kept else None


def lemmas_of(specification: core.Specification) -> list[Lemma]:
    """The theorems of the root module that have a name. Raise `TlaError` for one that cannot be read as a lemma."""
    return [_lemma(theorem) for theorem in specification.theorems if theorem.name]


def _lemma(theorem: core.Theorem) -> Lemma:
    fresh = []
    for kind, binding, domain in theorem.fresh:
        if kind not in ("CONSTANT", "") or domain is None or binding.arity:
            raise TlaError(
                f"rmqproof prove wants a set from which the new {binding.name} comes",
                binding.at,
                f"Write NEW {binding.name} \\in S.",
                "evaluation",
            )
        fresh.append((binding, domain))
    hypotheses = tuple(Hypothesis(_name(formula), formula) for formula in theorem.assumptions)
    lemma = Lemma(theorem.name, _sentence(theorem.comment), theorem.at, tuple(fresh), hypotheses, theorem.goal)
    for word, rest in _LINE.findall(theorem.comment):
        lemma = _with(lemma, word, rest.split())
    return lemma


def _with(lemma: Lemma, word: str, rest: list[str]) -> Lemma:
    if word == "EXPECT" and len(rest) == 1 and rest[0] in EXPECTATIONS:
        return replace(lemma, expected=rest[0])
    if word == "USES" and rest:
        used, actions = (rest[: rest.index("IN")], rest[rest.index("IN") + 1 :]) if "IN" in rest else (rest, [])
        return replace(lemma, uses=(*lemma.uses, *(Use(name, tuple(actions)) for name in used)))
    if word == "BOUNDS":
        names, numbers = rest[::2], rest[1::2]
        if len(names) == len(numbers) and all(re.fullmatch(r"-?\d+", n) for n in numbers):
            given = dict(zip(names, map(int, numbers), strict=True))
            if set(given) <= {"length", "size", "low", "high"}:
                return replace(lemma, bounds=replace(lemma.bounds, **given))  # type: ignore[arg-type]
    raise TlaError(
        f"the line {word} {' '.join(rest)} above {lemma.name} says nothing to rmqproof prove",
        lemma.at,
        "Write EXPECT refuted, BOUNDS length 4 size 2 low -1 high 4 (some of them), or USES Lemma.",
        "evaluation",
    )


def _sentence(comment: str) -> str:
    return " ".join(_LINE.sub("", comment).split())


def _name(formula: core.Expression) -> str:
    if isinstance(formula, core.Label):
        return formula.name
    at = formula.at
    if at.line == at.end_line:
        return at.text
    return formula.definition.name if isinstance(formula, core.Call) else f"line {at.line}"
