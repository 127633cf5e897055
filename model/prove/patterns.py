"""Patterns by which cvc5 may use what is said of all values, where it looks for none itself.

What `\\A i : \\E k : f[i] = g[k]` says is of use for a value of which a term such as `f[i]` is known. cvc5 looks for
such terms outside of inner quantifiers only; here those inside are named. A formula says the same with them.
"""

from __future__ import annotations

import z3

from rmqproof.model.prove.terms import has_variable


def patterned(formula: z3.ExprRef) -> z3.ExprRef:
    """The formula, in which quantifiers of one variable have the patterns that are only inside of inner ones."""
    return _Patterned().of(formula)


class _Patterned:
    def __init__(self) -> None:
        self._known: dict[int, tuple[z3.ExprRef, z3.ExprRef]] = {}

    def of(self, node: z3.ExprRef) -> z3.ExprRef:
        key = node.get_id()
        if key not in self._known:  # the node is kept, or its id would be given to another one
            self._known[key] = node, self._of(node)
        return self._known[key][1]

    def _of(self, node: z3.ExprRef) -> z3.ExprRef:
        parts = node.children()
        told = list(map(self.of, parts))
        if not z3.is_quantifier(node):
            return node if all(map(z3.eq, parts, told)) else node.decl()(*told)
        if node.is_lambda() or node.num_patterns():
            return node
        found = _inside(node.body(), node.var_sort(0)) if node.num_vars() == 1 else []
        return _quantifier(node, told[0], found) if found or not told[0].eq(parts[0]) else node


def _inside(body: z3.ExprRef, sort: z3.SortRef) -> list[z3.ExprRef]:
    """What inner quantifiers apply to the variable and to nothing that they bind; that it is in a set is the like.

    Nothing where it is applied outside of them, too.
    """
    found: dict[int, z3.ExprRef] = {}
    seen: set[tuple[int, int]] = set()
    stack = [(body, 0)]
    while stack:
        node, depth = stack.pop()
        if (node.get_id(), depth) in seen:
            continue
        seen.add((node.get_id(), depth))
        if z3.is_quantifier(node):
            stack.append((node.body(), depth + node.num_vars()))
            continue
        parts = node.children()
        stack.extend((part, depth) for part in parts)
        ours = [z3.is_var(part) and z3.get_var_index(part) == depth for part in parts]
        if not any(ours) or node.decl().kind() not in (z3.Z3_OP_UNINTERPRETED, z3.Z3_OP_SELECT):
            continue
        if depth == 0:
            return []
        told = [z3.Var(0, sort) if is_ours else part for is_ours, part in zip(ours, parts, strict=True)]
        if not any(has_variable(part) for is_ours, part in zip(ours, parts, strict=True) if not is_ours):
            pattern = node.decl()(*told)
            found[pattern.get_id()] = pattern
    return list(found.values())


def _quantifier(old: z3.QuantifierRef, body: z3.ExprRef, patterns: list[z3.ExprRef]) -> z3.ExprRef:
    """With this body, and patterns each of which is enough; its variables keep their names, which a proof names."""
    context, count = old.ctx, old.num_vars()
    each = list(map(z3.MultiPattern, patterns))  # kept until the quantifier is made: Z3 counts who refers to them
    told = (z3.Pattern * len(each))(*(pattern.ast for pattern in each))
    sorts = (z3.Sort * count)(*(old.var_sort(i).ast for i in range(count)))
    names = (z3.Symbol * count)(*(z3.to_symbol(old.var_name(i), context) for i in range(count)))
    made = z3.Z3_mk_quantifier(
        context.ref(), old.is_forall(), old.weight(), len(each), told, count, sorts, names, body.as_ast()
    )
    return z3.QuantifierRef(made, context)
