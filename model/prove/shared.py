"""Formulas that are the same but for the terms in them, each said once.

What is to hold after a step mostly says of the new values what was said of the old ones: that two logs agree up to an
offset, that some request has a broker among its members. Here each such formula is a predicate of the terms in it, and
what the predicate says is said beside the question. So Z3 sees without looking into it that the same is asked of the
same values, and what one formula says there is, is the same for all that say so.

Why nothing is proved that does not follow: let a predicate be true where its formula is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import z3

from rmqproof.model.prove.logic import Truth
from rmqproof.model.prove.named import Named


@dataclass(frozen=True, eq=False, slots=True)
class Shared:
    """A formula of which the terms are left open, and the predicate that stands for it."""

    predicate: z3.FuncDeclRef
    formula: z3.QuantifierRef
    places: Sequence[z3.ExprRef]


@dataclass(eq=False)
class NamedAndShared(Named):
    """As `Named`, for one question.

    `shared`: by the formula's text, and of which sorts its places are; `said`: what the predicates say.
    """

    few: bool = True
    shared: dict[str, Shared] = field(default_factory=dict)
    said: dict[tuple[str, bool, bool], Truth] = field(default_factory=dict)
    _bound: dict[int, tuple[z3.ExprRef, bool]] = field(default_factory=dict)

    def of(
        self,
        about: Iterable[Truth],
        question: Sequence[Truth],
        plain: frozenset[int],
        goal: frozenset[int] = frozenset(),
    ) -> list[Truth]:
        found = super().of(about, question, plain, goal)
        return [*found, *self.said.values()]

    def whole(self, part: z3.ExprRef, positive: bool = True) -> z3.ExprRef:
        """A part of the question; of the quantifiers that are conjuncts of it nothing is shared."""
        if z3.is_quantifier(part):
            return self.quantified(part, positive)
        if z3.is_and(part) and positive:
            return z3.And(*(self.whole(each) for each in part.children()))
        if z3.is_not(part):
            return z3.Not(self.whole(part.arg(0), not positive))
        return self.formula(part, positive)

    def formula(self, e: z3.ExprRef, positive: bool | None) -> z3.ExprRef:
        return self._predicate(e, positive) if z3.is_quantifier(e) else super().formula(e, positive)

    def _predicate(self, e: z3.QuantifierRef, positive: bool | None) -> z3.ExprRef:
        terms = self._terms(e)
        places = [z3.Const(f"place!{number}", term.sort()) for number, term in enumerate(terms)]
        opened = z3.substitute(e, *zip(terms, places, strict=True)) if terms else e
        sorts = [place.sort() for place in places]
        text = f"{sorts} {opened.sexpr()}"
        if text not in self.shared:
            predicate = z3.Function(f"shared {len(self.shared)}", *sorts, z3.BoolSort())
            self.shared[text] = Shared(predicate, opened, places)
        for said in (True, False) if positive is None else (positive,):
            self._say(text, said)
        return self.shared[text].predicate(*terms)

    def _say(self, text: str, positive: bool) -> None:
        """That the predicate implies its formula, or that the formula implies it."""
        key = text, positive, self.of_goal
        if key not in self.said:
            self.said[key] = True  # what is within it comes later
            shared = self.shared[text]
            head = shared.predicate(*shared.places)
            inside = self.quantified(shared.formula, positive)
            meaning = z3.Implies(head, inside) if positive else z3.Implies(inside, head)
            self.said[key] = z3.ForAll(shared.places, meaning, patterns=[head]) if shared.places else meaning

    def _terms(self, e: z3.QuantifierRef) -> list[z3.ExprRef]:
        """The largest terms in it in which no variable is that it binds itself, but those that are known."""
        found: dict[int, z3.ExprRef] = {}
        seen: set[int] = set()

        def look(node: z3.ExprRef) -> None:
            if node.get_id() in seen or z3.is_var(node):
                return
            seen.add(node.get_id())
            if z3.is_quantifier(node):
                look(node.body())
            elif z3.is_bool(node) or self._has_variable(node) or _is_sum(node):
                for part in node.children():
                    look(part)
            elif not z3.is_int_value(node) and node.get_id() not in self.literals:
                found[node.get_id()] = node

        look(e.body())
        return list(found.values())

    def _has_variable(self, node: z3.ExprRef) -> bool:
        key = node.get_id()
        if key not in self._bound:
            inside = [node.body()] if z3.is_quantifier(node) else node.children()
            self._bound[key] = node, z3.is_var(node) or any(map(self._has_variable, inside))
        return self._bound[key][1]


def _is_sum(node: z3.ExprRef) -> bool:
    """Whether numbers make it a number."""
    return bool(z3.is_int(node) and node.decl().kind() != z3.Z3_OP_UNINTERPRETED)
