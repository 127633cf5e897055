"""SYMMETRY: the least of a state's images under a group of permutations of model values stands for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rmqproof.model.records import dataclass
from rmqproof.model.types.domain import (
    Atom,
    Enum,
    Function,
    Record,
    Seq,
    Set,
    Tuple,
    Type,
    Union,
    all_parts,
    parts_of,
    rebuilt,
    set_of,
)

from .elements import added, each_element, element_in, insertion
from .layout import FULL, Layout
from .maps import putting
from .ranks import rank_of, value_of_rank
from .representation import Atoms, domain_size, each_argument, is_map, words
from .routines import Routines
from .value_order import position_of, value_at_position

if TYPE_CHECKING:
    from rmqproof.model.tla.core import Variable

SMALL_SET = 8
"""The images of all sets over a universe up to this size are listed."""
LARGEST_TABLE = 1 << 20
"""Entries in a list of images."""

Permutation = dict[str, str]
"""From model value to model value, by name; what it leaves out stays."""


@dataclass(frozen=True, slots=True)
class Interchangeable:
    """All permutations of each of these sets of model values, by name, and what they make together."""

    sets: tuple[tuple[str, ...], ...]


Group = Sequence[Permutation] | Interchangeable
"""Permutations without the identity, or sets of which there are too many to be listed."""


def images_of(group: Group, name: str) -> set[str]:
    """The model values that a permutation makes of this one."""
    if isinstance(group, Interchangeable):
        return {image for names in group.sets if name in names for image in names}
    return {permutation.get(name, name) for permutation in group}


def atoms_moved_by(group: Group) -> frozenset[Atom]:
    """The model values that some permutation changes into others."""
    if isinstance(group, Interchangeable):
        return frozenset(Atom(name, True) for names in group.sets for name in names)
    return frozenset(Atom(a, True) for permutation in group for a, b in permutation.items() if a != b)


def closed(type_: Type, group: Group) -> Type:
    """`type_` with the images of its model values."""
    match type_:
        case Enum():
            found = set(type_.atoms)
            for atom in type_.atoms:
                found |= {Atom(image, True) for image in images_of(group, atom.name)} if atom.is_model else set()
            return Enum(frozenset(found))
        case Set():
            element = closed(type_.element, group)
            return type_ if element == type_.element else set_of(element)
        case Seq():
            return Seq(closed(type_.element, group), type_.least, type_.most)
        case Function():
            key = closed(type_.key, group)
            return Function(key, closed(type_.value, group), type_.total and key == type_.key, type_.most)
        case Union():
            return Union(tuple(closed(member, group) for member in type_.members))
    return rebuilt(type_, lambda part: closed(part, group))


@dataclass(slots=True)
class Permuting:
    """Writes C functions that exchange model values in values of a type."""

    routines: Routines
    moved: frozenset[Atom]
    size: int
    """Of the permutations: `g` is the number of one, `images_[g]` its images of all atoms. 0: they are not listed, and
    `g` itself is the images."""

    @property
    def parameter(self) -> str:
        return "int g" if self.size else "const int16_t *g"

    def moves(self, type_: Type) -> bool:
        """Whether a value of the type can change."""
        return any(isinstance(part, Enum) and part.atoms & self.moved for part in all_parts(type_))

    def image(self, type_: Type, source: str, target: str) -> str:
        """A statement that puts the image of the value at `source` to `target`; `g` is the permutation's number."""
        if not self.moves(type_):
            return f"{target} = {source};"
        if isinstance(type_, Enum):
            return f"{target} = (I)images_[g][{source}];" if self.size else f"{target} = (I)g[{source}];"
        return f"{self._function(type_)}(c, g, &({source}), &({target}));"

    def _function(self, type_: Type) -> str:
        routines = self.routines
        key = ("permute", type_)
        if key in routines.names:
            return routines.names[key]
        c_type, clear = routines.structures.of(type_), routines.structures.cleared(type_, "(*y)")
        body = ""
        match type_:
            case Set():
                body = f"{clear} {self._set(type_)}"
            case Seq():
                item = self.image(type_.element, "x->a[i]", "y->a[i]")
                body = f"{clear} y->n = x->n; for (I i = 0; i < x->n; i++) {{ {item} }} "
            case Tuple() | Record():
                body = " ".join(self.image(item, f"x->f{i}", f"y->f{i}") for i, item in enumerate(parts_of(type_)))
            case Function() if is_map(type_):
                key_c, value_c = routines.structures.of(type_.key), routines.structures.of(type_.value)
                images = f"{self.image(type_.key, 'x->a[i].f0', 'k')} {self.image(type_.value, 'x->a[i].f1', 'v')}"
                put = f"{key_c} k; {value_c} v; {images} {putting(routines, type_)}(y, &k, &v);"
                body = f"{clear} for (I i = 0; i < x->n; i++) {{ {put} }} "
            case Function():
                start = "" if type_.total else clear
                mark = "" if type_.total else "y->w[r >> 6] |= (U)1 << (r & 63); "
                rank = self._rank(type_.key, domain_size(type_), "i") if self.moves(type_.key) else "i"
                put = f"I r = {rank}; {mark}{self.image(type_.value, 'x->a[i]', 'y->a[r]')}"
                body = f"{start} {each_argument(type_, '(*x)', 'i', put)} "
            case Union():
                cases = " ".join(
                    f"case {i}: {self.image(member, f'x->m{i}', f'y->m{i}')} break;"
                    for i, member in enumerate(type_.members)
                )
                body = f"{clear} y->tag = x->tag; switch (x->tag) {{ {cases} }} "
        name = routines.name("permute", key)
        routines.functions.append(
            f"static void {name}(Ctx *c, {self.parameter}, const {c_type} *restrict x, {c_type} *restrict y) {{ "
            f"(void)c; {body}}}"
        )
        return name

    def _set(self, type_: Set) -> str:
        """Statements that put the image of the set x into y."""
        routines = self.routines
        size = routines.structures.universe_size(type_.element)
        listed = routines.structures.listed_size(type_.element)
        if listed is not None and self._listed(listed):
            insert, table = insertion(routines, type_), self._positions(type_.element, listed)
            return f"for (I i = 0; i < x->n; i++) {insert}(c, y, {table}[g][x->a[i]]); "
        if size is None:
            element = routines.structures.of(type_.element)
            add = added(routines, type_, "(*y)", "f")
            image = self.image(type_.element, element_in(routines, type_, "e"), "f")
            return each_element(routines, type_, "(*x)", "e", f"{element} f; {image} {add}")
        if size <= SMALL_SET and self.size:
            return f"y->w[0] = (U){self._small_sets(type_.element, size)}[g][x->w[0]]; "
        return (
            f"for (I k = 0; k < {words(size)}; k++) for (U v = x->w[k]; v; v &= v - 1) {{ "
            f"I i = k * 64 + __builtin_ctzll(v); I r = {self._rank(type_.element, size, 'i')}; "
            f"y->w[r >> 6] |= (U)1 << (r & 63); }} "
        )

    def _rank(self, type_: Type, size: int, code: str) -> str:
        """The rank of the image of the value with the rank at `code`, in a universe of `size` values."""
        routines, c_type = self.routines, self.routines.structures.of(type_)
        if not self._listed(size):
            image, value = self.image(type_, "e", "f"), value_of_rank(routines, type_, code)
            return f"({{ {c_type} e = {value}, f; {image} {rank_of(routines, type_, 'f')}; }})"
        table = self._table("permuted", type_, size, value_of_rank(routines, type_, "i"), rank_of(routines, type_, "f"))
        return f"(I){table}[g][{code}]"

    def _listed(self, values: int) -> bool:
        """Whether the images of so many values are in a table."""
        return 0 < values * self.size <= LARGEST_TABLE

    def _positions(self, type_: Type, size: int) -> str:
        """The name of a table from the positions of values among all of the type to those of their images."""
        routines = self.routines
        value, position = value_at_position(routines, type_, "i"), position_of(routines, type_, "f")
        return self._table("permuted positions", type_, size, value, position)

    def _table(self, what: str, type_: Type, size: int, value: str, number: str) -> str:
        """The name of a table from the numbers of values to those of their images: `value` is the one that has the
        number i, `number` that of the image f."""
        routines = self.routines
        key = (what, type_)
        if key not in routines.names:
            image = self.image(type_, "e", "f")
            name = routines.name("permuted", key)
            routines.functions.append(f"static uint16_t {name}[{self.size}][{max(1, size)}];")
            routines.initialisers.append(
                f"for (int g = 0; g < {self.size}; g++) for (I i = 0; i < {size}; i++) {{ "
                f"{routines.structures.of(type_)} e = {value}, f; {image} {name}[g][i] = (uint16_t){number}; }}"
            )
        return routines.names[key]

    def _small_sets(self, element: Type, size: int) -> str:
        """The name of a table from small sets, as bits, to their images."""
        routines = self.routines
        key = ("permuted sets", element)
        if key not in routines.names:
            rank = self._rank(element, size, "i")
            name = routines.name("permuted", key)
            routines.functions.append(f"static uint16_t {name}[{self.size}][{1 << size}];")
            routines.initialisers.append(
                f"for (int g = 0; g < {self.size}; g++) for (U v = 0; v < {1 << size}; v++) {{ {name}[g][v] = 0; "
                f"for (I i = 0; i < {size}; i++) if (v >> i & 1) {name}[g][v] |= (uint16_t)(1 << {rank}); }}"
            )
        return routines.names[key]


def image_table(atoms: Atoms, group: Sequence[Permutation]) -> str:
    """One row a permutation: the number of the image of each atom."""
    rows = []
    for permutation in group:
        images = [Atom(permutation.get(a.name, a.name), True) if a.is_model else a for a in atoms.numbers]
        rows.append("{ " + ", ".join(str(atoms.numbers[image]) for image in images) + " }")
    return f"static const int16_t images_[{len(group)}][{max(1, len(atoms.numbers))}] = {{ {', '.join(rows)} }};"


def changing_variables(r: Routines, layout: Layout, permuting: Permuting) -> list[Variable]:
    """Those that have images, what is cheap to permute first."""
    types = dict(zip(layout.variables, layout.types, strict=True))
    changing = [v for v in layout.variables if permuting.moves(types[v])]
    return sorted(changing, key=lambda v: r.structures.size(types[v]))


def image_of_state(r: Routines, layout: Layout, group: Group) -> str:
    """A C function that packs the image of a state, and compares it with a packed state, variable by variable.

    An image that is larger there is not made any further.
    """
    size = 0 if isinstance(group, Interchangeable) else len(group)
    permuting = Permuting(r, atoms_moved_by(group), size)
    types = dict(zip(layout.variables, layout.types, strict=True))
    changing = changing_variables(r, layout, permuting)
    masks = layout.masks(changing)
    keep = " ".join(f"image[{i}] = state[{i}] & {hex(FULL & ~mask)}ULL;" for i, mask in enumerate(masks))
    steps = []
    for v in changing:
        c_type = r.structures.of(types[v])
        value = permuting.image(types[v], f"s->v{v.index}", "y")
        compared = " ".join(
            f"if (!less) {{ W a = image[{i}] & {hex(mask)}ULL, b = than[{i}] & {hex(mask)}ULL; "
            f"if (a > b) return 1; less = a < b; }}"
            for i, mask in enumerate(layout.masks([v]))
            if mask
        )
        steps.append(f"{{ {c_type} y; {value} pack{v.index}_(image, &y); }} {compared}")
    return (
        f"static inline __attribute__((always_inline)) int image_(Ctx *c, const S *s, {permuting.parameter}, "
        f"const W *state, const W *than, W *image) {{ (void)s; int less = 0; {keep} {' '.join(steps)} return -less; }}"
    )
