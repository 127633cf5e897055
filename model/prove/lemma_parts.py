"""What can be seen from the parts of a lemma, and of those that it uses, without translating them."""

from __future__ import annotations

from rmqproof.model.prove.formulas import conjuncts, gives_values
from rmqproof.model.prove.reads import Path, paths_in
from rmqproof.model.prove.theorems import Hypothesis, Lemma
from rmqproof.model.tla import core

WHOLE = "the goal"
"""The name of a goal of one conjunct that has none."""


def named_conjuncts(goal: core.Expression) -> list[tuple[str, core.Expression]]:
    """The conjuncts of a lemma's goal, each with a name: an answer without one says that nothing was asked."""
    found = conjuncts(goal)
    alone = len(found) == 1
    return [
        (name or (WHOLE if alone else f"{WHOLE}'s part {number}"), part) for number, (name, part) in enumerate(found, 1)
    ]


def part_of(goal: core.Expression) -> int:
    """What identifies a conjunct: the node under the prime."""
    inside = goal.arguments[0] if isinstance(goal, core.Builtin) and is_primed(goal) else goal
    return id(inside)


def is_primed(goal: core.Expression) -> bool:
    return isinstance(goal, core.Builtin) and goal.operator == "'"


def valued_with(lemma: Lemma) -> frozenset[int]:
    """The conjuncts that have a value after the step if they have one before it.

    They stand unprimed among the hypotheses, and so does, and is kept, whatever stands before them there and speaks of
    the state: why they have a value before the step is why they have one after it.
    """
    kept = {part_of(goal) for _, goal in conjuncts(lemma.goal) if is_primed(goal)}
    found: set[int] = set()
    if any(paths_in(domain) for _, domain in lemma.fresh):
        return frozenset()
    for hypothesis in lemma.hypotheses:
        for _, part in conjuncts(hypothesis.formula):
            if id(part) in kept:
                found.add(id(part))
            elif gives_values(hypothesis.formula) or paths_in(part):
                return frozenset(found)
    return frozenset(found)


def unchanged_parts(lemma: Lemma) -> dict[int, frozenset[Path]]:
    """The conjuncts that stand primed in the goal and unprimed among the hypotheses, with what they read.

    A step that leaves that alone keeps the conjunct, and Z3 need not be asked.
    """
    assumed = {id(part) for hypothesis in lemma.hypotheses for _, part in conjuncts(hypothesis.formula)}
    found = {}
    for _, goal in conjuncts(lemma.goal):
        inside = part_of(goal)
        if inside in assumed and isinstance(goal, core.Builtin) and is_primed(goal):
            found[inside] = paths_in(goal.arguments[0])
    return found


def says_more_of(used: Lemma, lemma: Lemma) -> bool:
    """Whether the lemma that is used needs nothing but hypotheses of this one about the same state, or conjuncts of
    them, so that its goal holds here too."""
    here = {key for h in lemma.hypotheses for key in _conjuncts_in(h)} - {None}
    return not used.fresh and bool(used.hypotheses) and all(_conjuncts_in(h) <= here for h in used.hypotheses)


def _conjuncts_in(hypothesis: Hypothesis) -> set[core.Definition | int | None]:
    """What identifies the conjuncts: the definition without parameters that each is, else the node; None: it is primed,
    or about a step."""
    found: set[core.Definition | int | None] = set()
    for _, part in conjuncts(hypothesis.formula):
        if (isinstance(part, core.Builtin) and is_primed(part)) or gives_values(part):
            found.add(None)
        else:
            found.add(part.definition if isinstance(part, core.Call) and not part.arguments else id(part))
    return found


def _called(formula: core.Expression) -> core.Definition | None:
    while isinstance(formula, core.Label):
        formula = formula.body
    return formula.definition if isinstance(formula, core.Call) and not formula.arguments else None


def speaks_of_goals(used: Lemma, lemma: Lemma) -> bool:
    """Whether the lemma that is used needs nothing but what this one is to show of the state after the step.

    One that has whole hypotheses of this one for its own is used before the step only.
    """
    goals = {name for name, _ in conjuncts(lemma.goal)}
    whole = {_called(h.formula) for h in lemma.hypotheses} - {None}
    return (
        lemma.is_about_steps
        and not used.fresh
        and bool(used.hypotheses)
        and all({name for name, _ in conjuncts(h.formula)} <= goals - {""} for h in used.hypotheses)
        and not all(_called(h.formula) in whole for h in used.hypotheses)
    )


def is_of_use(used: Lemma, lemma: Lemma) -> bool:
    """Whether one that speaks of states holds in a state that the other lemma is about; any other holds anywhere."""
    spoken = [h.formula for h in used.hypotheses] + [domain for _, domain in used.fresh] + [used.goal]
    return says_more_of(used, lemma) or speaks_of_goals(used, lemma) or not any(map(paths_in, spoken))


def as_formula(lemma: Lemma) -> core.Expression:
    """`\\A new symbols : hypotheses => goal`"""
    body = lemma.goal
    if lemma.hypotheses:
        premise = core.Builtin(lemma.at, "/\\", tuple(h.formula for h in lemma.hypotheses))
        body = core.Builtin(lemma.at, "=>", (premise, lemma.goal))
    if not lemma.fresh:
        return body
    return core.Quantified(
        lemma.at, "\\A", tuple(core.Binder((binding,), False, domain) for binding, domain in lemma.fresh), body
    )
