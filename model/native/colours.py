"""C functions that say how a value is made of atoms, each of which has a colour: for symmetry.c.

What they give does not depend on how atoms are numbered or ordered: of the image of a value, with the colours at the
images of the atoms, it is the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from rmqproof.model.records import dataclass
from rmqproof.model.types.domain import (
    Bool,
    Enum,
    Function,
    Int,
    Nothing,
    Record,
    Seq,
    Set,
    Tuple,
    Type,
    Union,
    parts_of,
)

from .elements import each_element, element_in
from .layout import Layout
from .ranks import value_of_rank
from .representation import each_argument, is_map
from .routines import Routines
from .symmetry import Group, Interchangeable, Permuting, atoms_moved_by, changing_variables, image_of_state
from .value_order import comparing


@dataclass(slots=True)
class Colouring:
    """Writes the functions, for values of any type."""

    routines: Routines

    def word(self, type_: Type, code: str) -> str:
        """An expression for the word of the value at `code`; `colour` has those of atoms."""
        match type_:
            case Int() | Bool():
                return f"mixed_((U){code} + 1)"
            case Nothing():
                return "(U)1"
            case Enum():
                return f"colour[{code}]"
        return f"{self._function(type_)}(c, &({code}), colour)"

    def _function(self, type_: Type) -> str:
        def write() -> str:
            c_type = self.routines.structures.of(type_)
            return f"static U @(Ctx *c, const {c_type} *x, const U *colour) {{ (void)c; {self._body(type_)}}}"

        return self.routines.routine("coloured", ("coloured", type_), write)

    def _body(self, type_: Type) -> str:
        match type_:
            case Set():
                element = element_in(self.routines, type_, "e")
                add = f"word += mixed_({self.word(type_.element, element)});"
                return f"U word = 1; {each_element(self.routines, type_, '(*x)', 'e', add)} return mixed_(word); "
            case Seq():
                item = self.word(type_.element, "x->a[i]")
                steps = f"for (I i = 0; i < x->n; i++) word = mixed_(word ^ {item}) + i;"
                return f"U word = (U)x->n + 1; {steps} return word; "
            case Tuple() | Record():
                parts = [
                    f"word = mixed_(word ^ {self.word(item, f'x->f{i}')}) + {i};"
                    for i, item in enumerate(parts_of(type_))
                ]
                return f"U word = 1; {' '.join(parts)} return word; "
            case Function() if is_map(type_):
                word = f"mixed_(mixed_({self.word(type_.key, 'x->a[i].f0')}) ^ {self.word(type_.value, 'x->a[i].f1')})"
                return f"U word = 1; for (I i = 0; i < x->n; i++) word += mixed_({word}); return mixed_(word); "
            case Function():
                key_c, key = self.routines.structures.of(type_.key), value_of_rank(self.routines, type_.key, "i")
                pair = f"mixed_(mixed_({self.word(type_.key, 'k')}) ^ {self.word(type_.value, 'x->a[i]')})"
                add = f"{key_c} k = {key}; word += mixed_({pair});"
                return f"U word = 1; {each_argument(type_, '(*x)', 'i', add)} return mixed_(word); "
            case Union():
                cases = " ".join(
                    f"case {i}: return mixed_({self.word(member, f'x->m{i}')} + {i});"
                    for i, member in enumerate(type_.members)
                )
                return f"switch (x->tag) {{ {cases} }} return 0; "
        raise AssertionError(type_)


def canonical_states(r: Routines, layout: Layout, group: Group, compared: Sequence[int]) -> list[str]:
    """The C functions that symmetry.c wants. If all permutations are tried, and there are any `compared`, the least
    image is that in the order of values: by the first of these variables, by their indices, in which two differ."""
    functions = ["static void canonical_(Ctx *c, const S *s, const W *state, W *w);", image_of_state(r, layout, group)]
    if isinstance(group, Interchangeable):
        functions.append(_colours_of_state(r, layout, group))
    elif compared:
        functions.append(_before(r, layout, compared))
    return functions


def _before(r: Routines, layout: Layout, compared: Sequence[int]) -> str:
    """Whether a state is before another one: by the first variable in which they differ."""
    types = {v.index: type_ for v, type_ in zip(layout.variables, layout.types, strict=True)}
    steps = " ".join(
        f"if ((o = {comparing(r, types[index], f'a->v{index}', f'b->v{index}')})) return o < 0;" for index in compared
    )
    return f"static int before_(const S *a, const S *b) {{ int o; {steps} return 0; }}"


def _colours_of_state(r: Routines, layout: Layout, group: Interchangeable) -> str:
    """A C function for the word of a state, by the variables that have images."""
    colouring = Colouring(r)
    permuting = Permuting(r, atoms_moved_by(group), 0)
    types = dict(zip(layout.variables, layout.types, strict=True))
    changing = changing_variables(r, layout, permuting)
    words = " ".join(
        f"word = mixed_(word ^ {colouring.word(types[v], f's->v{v.index}')}) + {v.index};" for v in changing
    )
    return f"static U coloured_(Ctx *c, const S *s, const U *colour) {{ U word = 1; {words} return word; }}"


def orbit_tables(r: Routines, group: Interchangeable) -> str:
    """The atoms of each set, by their numbers."""
    numbers = {atom.name: number for atom, number in r.atoms.numbers.items() if atom.is_model}
    starts = [sum(map(len, group.sets[:k])) for k in range(len(group.sets) + 1)]
    atoms = [str(numbers[name]) for names in group.sets for name in names]
    return (
        f"enum {{ ATOMS = {len(r.atoms.numbers)}, MOVED = {len(atoms)} }};\n"
        f"static const int16_t orbit_starts_[] = {{ {', '.join(map(str, starts))} }}, "
        f"orbit_atoms_[] = {{ {', '.join(atoms)} }};"
    )
