"""SYMMETRY: the least of a state's images under a group of permutations of model values stands for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rmqproof.model.tla.types.domain import (
    Atom,
    Enum,
    Function,
    Nothing,
    Record,
    Seq,
    Set,
    Tuple,
    Type,
    Union,
    set_of,
)

from .conversion import Conversions
from .representation import Atoms, domain_size, universe_size

Permutation = dict[str, str]
"""From model value to model value, by name; what it leaves out stays."""


def closed(type_: Type, group: Sequence[Permutation]) -> Type:
    """`type_` with the images of its model values."""
    match type_:
        case Enum():
            found = set(type_.atoms)
            for permutation in group:
                found |= {Atom(permutation.get(a.name, a.name), True) for a in type_.atoms if a.is_model}
            return Enum(frozenset(found))
        case Set():
            element = closed(type_.element, group)
            return type_ if element == type_.element else set_of(element)
        case Seq():
            return Seq(closed(type_.element, group), type_.least, type_.most)
        case Tuple():
            return Tuple(tuple(closed(item, group) for item in type_.items))
        case Record():
            return Record(tuple((name, closed(item, group)) for name, item in type_.fields))
        case Function():
            key = closed(type_.key, group)
            return Function(key, closed(type_.value, group), type_.total and key == type_.key)
        case Union():
            return Union(tuple(closed(member, group) for member in type_.members))
    return type_


@dataclass(slots=True)
class Permuting:
    """Writes C functions that exchange model values in values of a type."""

    conversions: Conversions
    moved: frozenset[Atom]

    def moves(self, type_: Type) -> bool:
        """Whether a value of the type can change."""
        match type_:
            case Enum():
                return bool(type_.atoms & self.moved)
            case Set() | Seq():
                return self.moves(type_.element)
            case Tuple():
                return any(self.moves(item) for item in type_.items)
            case Record():
                return any(self.moves(item) for _, item in type_.fields)
            case Function():
                return self.moves(type_.key) or self.moves(type_.value)
            case Union():
                return any(self.moves(member) for member in type_.members)
        return False

    def image(self, type_: Type, code: str) -> str:
        """An expression for the image of the value at `code`; `p` is the table of the permutation."""
        if not self.moves(type_):
            return code
        if isinstance(type_, Enum):
            return f"(I)p[{code}]"
        return f"{self._function(type_)}(c, p, {code})"

    def _function(self, type_: Type) -> str:
        conversions = self.conversions
        key = ("permute", type_)
        if key in conversions.names:
            return conversions.names[key]
        c_type = conversions.structures.of(type_)
        body = f"{c_type} y; memset(&y, 0, sizeof y); "
        match type_:
            case Set():
                element = conversions.structures.of(type_.element)
                image = self.image(type_.element, "e")
                add = conversions.add(type_, "y", "f")
                if universe_size(type_.element) is None or not isinstance(type_.element, Nothing):
                    body += conversions.each(type_, "x", "e", f"{element} f = {image}; {add}")
            case Seq():
                body += f"y.n = x.n; for (I i = 0; i < x.n; i++) y.a[i] = {self.image(type_.element, 'x.a[i]')}; "
            case Tuple() | Record():
                items = type_.items if isinstance(type_, Tuple) else tuple(item for _, item in type_.fields)
                body += " ".join(f"y.f{i} = {self.image(item, f'x.f{i}')};" for i, item in enumerate(items))
            case Function():
                key_type = conversions.structures.of(type_.key)
                source = conversions.unrank(type_.key, "i")
                rank = conversions.rank(type_.key, "k")
                present = "" if type_.total else "if (x.w[i >> 6] >> (i & 63) & 1) "
                mark = "" if type_.total else "y.w[r >> 6] |= (U)1 << (r & 63); "
                body += (
                    f"for (I i = 0; i < {domain_size(type_)}; i++) {present}{{ {key_type} k0 = {source}; "
                    f"{key_type} k = {self.image(type_.key, 'k0')}; I r = {rank}; {mark}"
                    f"y.a[r] = {self.image(type_.value, 'x.a[i]')}; }} "
                )
            case Union():
                cases = " ".join(
                    f"case {i}: y.m{i} = {self.image(member, f'x.m{i}')}; break;"
                    for i, member in enumerate(type_.members)
                )
                body += f"y.tag = x.tag; switch (x.tag) {{ {cases} }} "
        name = conversions._name("permute", key)
        conversions.functions.append(
            f"static {c_type} {name}(Ctx *c, const int16_t *p, {c_type} x) {{ (void)c; {body} return y; }}"
        )
        return name


def moved_by(group: Sequence[Permutation]) -> frozenset[Atom]:
    return frozenset(Atom(a, True) for permutation in group for a, b in permutation.items() if a != b)


def table(atoms: Atoms, group: Sequence[Permutation]) -> str:
    """One row a permutation: the number of the image of each atom."""
    rows = []
    for permutation in group:
        images = [Atom(permutation.get(a.name, a.name), True) if a.is_model else a for a in atoms.numbers]
        rows.append("{ " + ", ".join(str(atoms.numbers[image]) for image in images) + " }")
    return f"static const int16_t images_[{len(group)}][{max(1, len(atoms.numbers))}] = {{ {', '.join(rows)} }};"
