"""The order of values in C, and positions: the numbers of the values of a universe in that order."""

from __future__ import annotations

from rmqproof.model.types.domain import (
    Atom,
    Bool,
    Enum,
    Function,
    Int,
    Nothing,
    Record,
    Seq,
    Set,
    Text,
    Tuple,
    Type,
    Union,
    parts_of,
)

from .errors import NotCompilable
from .ranks import LARGEST_LIST, rank_within, value_of_rank
from .representation import domain_size, in_rank_order, is_map, may_clash, words
from .routines import Routines, size_of


def position_of(r: Routines, type_: Type, code: str, risky: bool = False) -> str:
    """The position of the value at `code` among all values of the type: an expression; `risky`: it may have failed."""
    rank = rank_within(r, type_, code, risky)
    return rank if in_rank_order(type_) else f"(I){_position_tables(r, type_)}[{rank}]"


def value_at_position(r: Routines, type_: Type, code: str) -> str:
    """The value at a position."""
    if in_rank_order(type_):
        return value_of_rank(r, type_, code)
    size = size_of(type_)
    if size * r.structures.size(type_) > LARGEST_LIST:
        return value_of_rank(r, type_, rank_at_position(r, type_, code))
    key = ("listed", type_)
    if key not in r.names:
        value = value_of_rank(r, type_, rank_at_position(r, type_, "i"))
        name = r.name("listed", key)
        r.functions.append(f"static {r.structures.of(type_)} {name}[{size}];")
        r.initialisers.append(f"for (I i = 0; i < {size}; i++) {name}[i] = {value};")
    return f"{r.names[key]}[{code}]"


def rank_at_position(r: Routines, type_: Type, code: str) -> str:
    """The rank of the value at a position."""
    return code if in_rank_order(type_) else f"(I){_position_tables(r, type_)}_of[{code}]"


def position_of_rank(r: Routines, type_: Type, code: str) -> str:
    return code if in_rank_order(type_) else f"(I){_position_tables(r, type_)}[{code}]"


def _position_tables(r: Routines, type_: Type) -> str:
    """The name of a table from ranks to positions, and with `_of` of its inverse."""
    key = ("positions", type_)
    if key not in r.names:
        size, compare, c_type = size_of(type_), comparing(r, type_, "a", "b"), r.structures.of(type_)
        unrank = [value_of_rank(r, type_, f"*(const uint16_t *){name}") for name in ("p", "q")]
        name = r.name("positions", key)
        r.functions.append(
            f"static uint16_t {name}[{size}], {name}_of[{size}]; "
            f"static int {name}_compare(const void *p, const void *q) {{ "
            f"{c_type} a = {unrank[0]}, b = {unrank[1]}; return {compare}; }}"
        )
        r.initialisers.append(
            f"for (I i = 0; i < {size}; i++) {name}_of[i] = (uint16_t)i; "
            f"qsort({name}_of, {size}, sizeof(uint16_t), {name}_compare); "
            f"for (I i = 0; i < {size}; i++) {name}[{name}_of[i]] = (uint16_t)i;"
        )
    return r.names[key]


def comparison(r: Routines, type_: Type, checked: bool = False) -> str:
    """The name of a function of (a, b) that is negative, zero or positive: a total order on the type. Structures are
    pointed at. `checked`: of (c, a, b), which fails where TLC does not compare them."""

    def write() -> str:
        a, b = (r.structures.parameter(type_, name) for name in ("a", "b"))
        return f"static inline int @({'Ctx *c, ' * checked}{a}, {b}) {{ {_compare(r, type_, checked)} }}"

    return r.routine("compare", ("compare", type_, checked), write)


def comparing(r: Routines, type_: Type, a: str, b: str, checked: bool = False) -> str:
    """How the values at two places compare. `checked`: it fails where TLC does not compare them; needs a `c`."""
    checked = checked and may_clash(type_)
    given = r.structures.argument
    return f"{comparison(r, type_, checked)}({'c, ' * checked}{given(type_, a)}, {given(type_, b)})"


def may_compare(type_: Union) -> str:
    """Whether TLC compares a and b, of different members: model values with all, functions with functions."""
    tests = []
    for i, member in enumerate(type_.members):
        if isinstance(member, Enum):
            tests += [f"(a->tag == {i} && is_model_[a->m{i}])", f"(b->tag == {i} && is_model_[b->m{i}])"]
    functions = [i for i, m in enumerate(type_.members) if isinstance(m, Record | Seq | Tuple | Function)]
    if len(functions) > 1:
        mask = sum(1 << i for i in functions)
        tests.append(f"(({mask} >> a->tag & 1) && ({mask} >> b->tag & 1))")
    return " || ".join(tests) or "0"


def _compare(r: Routines, type_: Type, checked: bool) -> str:
    """Statements that return how a and b compare."""
    match type_:
        case Int() | Bool() | Enum() | Text() | Nothing():
            return "return (a > b) - (a < b);"
        case Set() if (size := r.structures.universe_size(type_.element)) is not None:
            return f"{_compare_counts(size)} {_compare_bits(r, type_.element)} return 0;"
        case Set() | Seq():
            inner = comparing(r, held_type(r, type_), "a->a[i]", "b->a[i]", checked)
            return (
                f"if (a->n != b->n) return a->n < b->n ? -1 : 1; for (I i = 0; i < a->n; i++) "
                f"{{ int o = {inner}; if (o) return o; }} return 0;"
            )
        case Tuple() | Record():
            items = parts_of(type_)
            steps = [
                f"if ((o = {comparing(r, items[i], f'a->f{i}', f'b->f{i}', checked)})) return o;"
                for i in r.atoms.part_order(type_)
            ]
            return f"int o; {' '.join(steps)} return 0;"
        case Function() if is_map(type_):
            key = comparing(r, type_.key, "a->a[i].f0", "b->a[i].f0", checked)
            value = comparing(r, type_.value, "a->a[i].f1", "b->a[i].f1", checked)
            return (
                f"if (a->n != b->n) return a->n < b->n ? -1 : 1; int o; "
                f"for (I i = 0; i < a->n; i++) if ((o = {key})) return o; "
                f"for (I i = 0; i < a->n; i++) if ((o = {value})) return o; return 0;"
            )
        case Function():
            inner, size = comparing(r, type_.value, "a->a[i]", "b->a[i]", checked), domain_size(type_)
            present, first = "", ""
            if not type_.total:
                first = f"{_compare_counts(size)} {_compare_bits(r, type_.key)} "
                present = "if (a->w[i >> 6] >> (i & 63) & 1) "
            return (
                f"{first}for (I at = 0; at < {size}; at++) {{ I i = {rank_at_position(r, type_.key, 'at')}; {present}"
                f"{{ int o = {inner}; if (o) return o; }} }} return 0;"
            )
        case Union():
            return _compare_members(r, type_, checked)
    raise NotCompilable(None, "order of values whose type is not known")


def _compare_counts(size: int) -> str:
    """A statement that returns where one of two sets has more elements."""
    counts = [" + ".join(f"__builtin_popcountll({v}->w[{k}])" for k in range(words(size))) for v in ("a", "b")]
    return f"I p = {counts[0]}, q = {counts[1]}; if (p != q) return p < q ? -1 : 1;"


def _compare_members(r: Routines, type_: Union, checked: bool) -> str:
    cases = " ".join(
        f"case {i}: return {comparing(r, member, f'a->m{i}', f'b->m{i}', checked)};"
        for i, member in enumerate(type_.members)
    )
    fails = f"if (!({may_compare(type_)})) fail_(c, EVALUATE, -1); " if checked else ""
    classes = " ".join(f"case {i}: {{v}} = {_class(m, i)}; break;" for i, m in enumerate(type_.members))
    a_class, b_class = classes.replace("{v}", "p"), classes.replace("{v}", "q").replace("a->m", "b->m")
    a_domain, b_domain, largest = _domains(r, type_)
    domains = (
        f"if (p == 5 && q == 5) {{ I d[{largest}], e[{largest}], n = 0, m = 0; switch (a->tag) {{ {a_domain} }} "
        f"switch (b->tag) {{ {b_domain} }} if (n != m) return n < m ? -1 : 1; "
        f"for (I i = 0; i < n; i++) if (d[i] != e[i]) return d[i] < e[i] ? -1 : 1; }} "
    )
    return (
        f"if (a->tag != b->tag) {{ {fails}I p = 0, q = 0; switch (a->tag) {{ {a_class} }} switch "
        f"(b->tag) {{ {b_class} }} {domains if largest else ''}"
        f"if (p == q) {{ p = a->tag; q = b->tag; }} return p < q ? -1 : 1; }} "
        f"switch (a->tag) {{ {cases} }} return 0;"
    )


def held_type(r: Routines, type_: Set | Seq) -> Type:
    """The type of what the array of a vector or sequence holds."""
    return Int() if isinstance(type_, Set) and r.structures.listed_size(type_.element) is not None else type_.element


def _compare_bits(r: Routines, element: Type) -> str:
    """A statement that returns which of two sets of as many elements has the first that the other has not."""
    size = size_of(element)
    if in_rank_order(element):
        return (
            f"for (int k = 0; k < {words(size)}; k++) {{ U d = a->w[k] ^ b->w[k]; "
            f"if (d) return (a->w[k] & d & -d) ? -1 : 1; }}"
        )
    return (
        f"for (I at = 0; at < {size}; at++) {{ I r = {rank_at_position(r, element, 'at')}; "
        f"U d = (a->w[r >> 6] ^ b->w[r >> 6]) >> (r & 63) & 1; "
        f"if (d) return a->w[r >> 6] >> (r & 63) & 1 ? -1 : 1; }}"
    )


def _domains(r: Routines, union: Union) -> tuple[str, str, int]:
    """Cases that put into d (of a) and e (of b) numbers in the order of the arguments of a function, and into n and
    m how many there are; and the most there can be."""
    atoms: set[Atom] = set()
    for member in union.members:
        if isinstance(member, Record):
            atoms |= {Atom(name) for name in member.names}
        elif isinstance(member, Function) and isinstance(member.key, Enum):
            atoms |= set(member.key.atoms)
    numbers = {atom: position for position, atom in enumerate(r.atoms.sorted(atoms))}
    cases, largest = "", 0
    for i, member in enumerate(union.members):
        fill, size = _domain_of(r, member, numbers, f"{{x}}->m{i}")
        if size:
            cases += f"case {i}: {fill} break; "
            largest = max(largest, size)
    forms = [(("{x}", x), ("{d}", d), ("{n}", n)) for x, d, n in (("a", "d", "n"), ("b", "e", "m"))]
    texts = []
    for form in forms:
        text = cases
        for mark, name in form:
            text = text.replace(mark, name)
        texts.append(text)
    return texts[0], texts[1], largest


def _domain_of(r: Routines, member: Type, numbers: dict[Atom, int], code: str) -> tuple[str, int]:
    """Statements that list the arguments of the function at `code` in their order, and how many there can be."""

    def number(kind: int, value: str) -> str:
        return f"((I){kind} << 52) + {value}"

    match member:
        case Record():
            positions = sorted(numbers[Atom(name)] for name in member.names)
            steps = [f"{{d}}[{k}] = {number(3, str(position))};" for k, position in enumerate(positions)]
            return f"{' '.join(steps)} {{n}} = {len(positions)};", max(1, len(positions))
        case Tuple():
            steps = [f"{{d}}[{k}] = {number(2, str(k + 1))};" for k in range(len(member.items))]
            return f"{' '.join(steps)} {{n}} = {len(member.items)};", max(1, len(member.items))
        case Seq():
            step = f"for (I k = 0; k < {code}.n; k++) {{d}}[k] = {number(2, 'k + 1')};"
            return f"{step} {{n}} = {code}.n;", max(1, member.most or 0)
        case Function() if is_map(member):
            match member.key:
                case Int():
                    key = number(2, f"{code}.a[k].f0")
                case Enum() | Text() | Bool() | Union():
                    raise NotCompilable(None, "order of functions with large domains and of others")
                case _:
                    key = number(4 if isinstance(member.key, Set) else 5, "k")
            step = f"for (I k = 0; k < {code}.n; k++) {{d}}[k] = {key};"
            return f"{step} {{n}} = {code}.n;", max(1, member.most or 0)
        case Function():
            size = domain_size(member)
            rank = rank_at_position(r, member.key, "at")
            present = "" if member.total else f"if ({code}.w[i >> 6] >> (i & 63) & 1) "
            match member.key:
                case Int():
                    key = number(2, f"i + ({member.key.low}LL)")
                case Bool():
                    key = number(1, "i")
                case Enum():
                    inside = r.atoms.sorted(member.key.atoms)
                    table = ", ".join(f"{(0 if atom.is_model else 3) << 52}LL + {numbers[atom]}" for atom in inside)
                    key = f"((const I[]){{{{ {table} }}}})[i]".replace("{{", "{").replace("}}", "}")
                case _:
                    key = number(4 if isinstance(member.key, Set) else 5, "at")
            loop = f"for (I at = 0; at < {size}; at++) {{ I i = {rank}; {present}{{d}}[{{n}}++] = {key}; }}"
            return loop, max(1, size)
    return "", 0


def _class(member: Type, at: int) -> str:
    """Where the value a->m{at} of this member of a union stands in the order of all values, in C."""
    match member:
        case Enum() | Text():
            return f"is_model_[a->m{at}] ? 0 : 3"
        case Bool() | Int():
            return "1LL" if isinstance(member, Bool) else "2LL"
    return "4LL" if isinstance(member, Set) else "5LL"
