"""What Z3 terms contain."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import z3

_BOUND = re.compile(r"[ix]![0-9]+\b")


def subterms(roots: Iterable[z3.AstRef]) -> Iterator[z3.ExprRef]:
    """The applications in these terms, under quantifiers too, each once; those named last come first."""
    seen: set[int] = set()
    stack = list(roots)
    while stack:
        node = stack.pop()
        if node.get_id() in seen:
            continue
        seen.add(node.get_id())
        if z3.is_quantifier(node):
            stack.append(node.body())
        elif z3.is_app(node):
            yield node
            stack.extend(node.children())


def free_variables(*terms: Any) -> list[Any]:
    """The bound variables of quantifiers around that occur in the terms, in a fixed order."""
    found: dict[str, Any] = {}
    for node in subterms(t for t in terms if isinstance(t, z3.ExprRef)):
        if node.num_args() == 0 and node.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            name = node.decl().name()
            if _BOUND.match(name):
                found[name] = node
    return [found[name] for name in sorted(found)]


def signature(*terms: Any) -> str:
    """A text that equal terms share, whatever numbers their bound variables got."""
    numbers: dict[str, str] = {}

    def renamed(match: re.Match[str]) -> str:
        return numbers.setdefault(match[0], f"v!{len(numbers)}")

    return "\n".join(_BOUND.sub(renamed, term.sexpr()) if isinstance(term, z3.ExprRef) else str(term) for term in terms)


def has_quantifier(term: z3.ExprRef) -> bool:
    return _stands_in(term, z3.is_quantifier)


def has_variable(term: z3.ExprRef) -> bool:
    """Whether a variable is in it that a quantifier around it binds, but for such as stand within one of its own."""
    return _stands_in(term, z3.is_var)


def _stands_in(term: z3.ExprRef, wanted: Callable[[z3.ExprRef], bool]) -> bool:
    """Whether there is such a part; what stands in many places is looked at once."""
    seen: set[int] = set()
    stack: list[Any] = [term]
    while stack:
        node = stack.pop()
        if wanted(node):
            return True
        if node.get_id() not in seen:
            seen.add(node.get_id())
            stack.extend(node.children())
    return False


def asked_at(node: z3.ExprRef) -> list[z3.ExprRef]:
    """What a term asks something of: what it gives to an uninterpreted function, or looks for in a set."""
    kind = node.decl().kind()
    if kind == z3.Z3_OP_UNINTERPRETED:
        return list(node.children())
    return [node.arg(1)] if kind == z3.Z3_OP_SELECT else []


def constants_in(*terms: Any) -> list[Any]:
    """The uninterpreted constants of the terms, by name."""
    found: dict[str, Any] = {}
    seen: set[int] = set()
    stack = list(terms)
    while stack:
        node = stack.pop()
        if node.get_id() in seen or not z3.is_app(node):
            continue
        seen.add(node.get_id())
        if node.num_args() == 0 and node.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            found[node.decl().name()] = node
        stack.extend(node.children())
    return [found[name] for name in sorted(found)]
