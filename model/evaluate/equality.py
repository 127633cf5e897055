"""Whether two values are equal, as text: with the checks that their shapes leave open."""

from __future__ import annotations

from rmqproof.model.evaluate.generator import Generator
from rmqproof.model.evaluate.library.operator import Code
from rmqproof.model.evaluate.scope import Env
from rmqproof.model.evaluate.shape import Shape, domain_element, plain_shape

_CLASSES = {"int": "int", "str": "str"}


def comparable(a: Shape, b: Shape) -> bool:
    """Whether values of these shapes can be compared without checks."""
    if a.kind == "never" or b.kind == "never":
        return True
    if a.lazy or b.lazy:
        return False
    if a.kind == b.kind and a.kind in ("int", "str", "bool", "model"):
        return True
    if a.kind == b.kind == "set":
        return comparable(a.element, b.element)
    if a.kind in ("seq", "fun", "map") and b.kind in ("seq", "fun", "map"):
        if a.fields is not None and b.fields is not None and a.domain is b.domain:
            return all(comparable(x, y) for x, y in zip(a.fields, b.fields, strict=True))
        if not comparable(domain_element(a), domain_element(b)):
            return False
        if a.named is not None or b.named is not None:
            left, right = dict(a.record_fields or ()), dict(b.record_fields or ())
            if left and right:
                return all(comparable(left[name], right[name]) for name in left if name in right)
        return comparable(a.element, b.element)
    return False


def equality(g: Generator, a: Code, b: Code, env: Env) -> str:
    if g.careful:
        return f"equal({a.text}, {b.text})"
    if comparable(a.shape, b.shape):
        return f"({a.text} is {b.text})" if a.shape.kind in ("bool", "model") else f"({a.text} == {b.text})"
    if a.shape.lazy or b.shape.lazy:
        if a.shape.kind == b.shape.kind == "set" and comparable(plain_shape(a.shape), plain_shape(b.shape)):
            return f"({g.normal(a).text} == {g.normal(b).text})"
        return f"equal({a.text}, {b.text})"
    if "model" in (a.shape.kind, b.shape.kind):
        return (
            f"({a.text} == {b.text} or differ({a.text}, {b.text}))"
            if a.atom and b.atom
            else f"equal({a.text}, {b.text})"
        )
    if b.shape.kind in _CLASSES and b.shape.kind != a.shape.kind:
        a, b = b, a
    if a.shape.kind in _CLASSES and a.atom and b.shape.kind == "any":
        first = g.temporary(b, env)
        if first is not None:
            kind = _CLASSES[a.shape.kind]
            return f"({first[0]} == {a.text} or (type({first[1]}) is not {kind} and differ({a.text}, {first[1]})))"
    if a.atom and b.atom:
        return f"({a.text} == {b.text} or differ({a.text}, {b.text}))"
    return f"equal({a.text}, {b.text})"
