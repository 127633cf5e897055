"""C functions that compare values of a type, and loops over sets."""

from __future__ import annotations

from dataclasses import dataclass

from rmqproof.model.evaluate.order import Order
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
)

from .errors import NotCompilable
from .ranks import LARGEST_LIST, Ranks, items_of, size_of
from .representation import domain_size, in_rank_order, listed_size, universe_size, words


@dataclass(slots=True)
class Ordering(Ranks):
    """Equality, order, and what needs them."""

    # --- iteration ----------------------------------------------------------------------------------------------

    def each(self, set_type: Set, code: str, variable: str, body: str, index: str = "") -> str:
        """A loop over the elements of the set at `code` (a name), in their order; `variable` is the element, `index`
        its rank."""
        element = self.structures.of(set_type.element)
        size = universe_size(set_type.element)
        i = index or f"{variable}_i"
        if listed_size(set_type.element) is not None:
            value = self.at_place(set_type.element, f"{code}.a[{i}]")
            return f"for (I {i} = 0; {i} < {code}.n; {i}++) {{ {element} {variable} = {value}; {body} }}"
        if size is None:
            return f"for (I {i} = 0; {i} < {code}.n; {i}++) {{ {element} {variable} = {code}.a[{i}]; {body} }}"
        if isinstance(set_type.element, Nothing):
            return f"for (I {i} = 0; {i} < 0; {i}++) {{ {element} {variable} = 0; {body} }}"
        if not in_rank_order(set_type.element):
            rank = self.rank_at(set_type.element, f"{variable}_p")
            return (
                f"for (I {variable}_p = 0; {variable}_p < {size}; {variable}_p++) {{ I {i} = {rank}; "
                f"if ({code}.w[{i} >> 6] >> ({i} & 63) & 1) {{ "
                f"{element} {variable} = {self.unrank(set_type.element, i)}; {body} }} }}"
            )
        word = f"{variable}_w"
        k = f"{variable}_k"
        return (
            f"for (I {k} = 0; {k} < {words(size)}; {k}++) for (U {word} = {code}.w[{k}]; {word}; {word} &= {word} - 1) "
            f"{{ I {i} = {k} * 64 + __builtin_ctzll({word}); "
            f"{element} {variable} = {self.unrank(set_type.element, i)}; {body} }}"
        )

    def add(self, set_type: Set, code: str, value: str) -> str:
        """A statement that adds `value`, which is of the element type, to the set at `code`."""
        if listed_size(set_type.element) is not None:
            value = self.place(set_type.element, value)
        if universe_size(set_type.element) is None:
            return f"{self.insert(set_type)}(c, &{code}, {value});"
        if isinstance(set_type.element, Nothing):
            return ";"
        rank = self.rank(set_type.element, value)
        return f"{{ I r_ = {rank}; {code}.w[r_ >> 6] |= (U)1 << (r_ & 63); }}"

    def insert(self, set_type: Set) -> str:
        """The name of a function that puts an element, or its place in the universe, into a vector."""
        key = ("insert", self.structures.key(set_type))
        if key in self.names:
            return self.names[key]
        listed = listed_size(set_type.element) is not None
        compare = self.compare(Int() if listed else set_type.element)
        type_, element = self.structures.of(set_type), "I" if listed else self.structures.of(set_type.element)
        name = self._name("insert", key)
        self.functions.append(
            f"static void {name}(Ctx *c, {type_} *s, {element} x) {{ I i = s->n; "
            f"while (i > 0) {{ int o = {compare}(s->a[i - 1], x); if (o == 0) return; if (o < 0) break; i--; }} "
            f"if (s->n >= {set_type.most or 0}) {{ fail_(c, WIDEN, -1); return; }} "
            f"for (I j = s->n; j > i; j--) s->a[j] = s->a[j - 1]; s->a[i] = x; s->n++; }}"
        )
        return name

    # --- places: the values of a universe in the order of `compare` -------------------------------------------------

    def place(self, type_: Type, code: str) -> str:
        """The place of the value at `code` among all values of the type: an expression."""
        rank = self.rank(type_, code)
        return rank if in_rank_order(type_) else f"(I){self._places(type_)}[{rank}]"

    def at_place(self, type_: Type, code: str) -> str:
        """The value at a place."""
        if in_rank_order(type_):
            return self.unrank(type_, code)
        size = size_of(type_)
        if size * self.structures.size(type_) > LARGEST_LIST:
            return self.unrank(type_, self.rank_at(type_, code))
        key = ("listed", type_)
        if key not in self.names:
            value = self.unrank(type_, self.rank_at(type_, "i"))
            name = self._name("listed", key)
            self.functions.append(f"static {self.structures.of(type_)} {name}[{size}];")
            self.initialisers.append(f"for (I i = 0; i < {size}; i++) {name}[i] = {value};")
        return f"{self.names[key]}[{code}]"

    def rank_at(self, type_: Type, code: str) -> str:
        """The rank of the value at a place."""
        return code if in_rank_order(type_) else f"(I){self._places(type_)}_of[{code}]"

    def place_of_rank(self, type_: Type, code: str) -> str:
        return code if in_rank_order(type_) else f"(I){self._places(type_)}[{code}]"

    def _places(self, type_: Type) -> str:
        """The name of a table from ranks to places, and with `_of` of its inverse."""
        key = ("places", type_)
        if key not in self.names:
            size, compare, c_type = size_of(type_), self.compare(type_), self.structures.of(type_)
            unrank = [self.unrank(type_, f"*(const uint16_t *){name}") for name in ("p", "q")]
            name = self._name("places", key)
            self.functions.append(
                f"static uint16_t {name}[{size}], {name}_of[{size}]; "
                f"static int {name}_compare(const void *p, const void *q) {{ "
                f"{c_type} a = {unrank[0]}, b = {unrank[1]}; return {compare}(a, b); }}"
            )
            self.initialisers.append(
                f"for (I i = 0; i < {size}; i++) {name}_of[i] = (uint16_t)i; "
                f"qsort({name}_of, {size}, sizeof(uint16_t), {name}_compare); "
                f"for (I i = 0; i < {size}; i++) {name}[{name}_of[i]] = (uint16_t)i;"
            )
        return self.names[key]

    # --- equality and order --------------------------------------------------------------------------------------

    def equal(self, type_: Type) -> str:
        """The name of a function of (c, a, b)."""
        key = ("equal", type_)
        if key in self.names:
            return self.names[key]
        c_type = self.structures.of(type_)
        match type_:
            case Int() | Bool() | Enum() | Text() | Nothing():
                body = "return a == b;"
            case Set() if universe_size(type_.element) is not None:
                count = words(universe_size(type_.element) or 0)
                body = " ".join(f"if (a.w[{k}] != b.w[{k}]) return 0;" for k in range(count)) + " return 1;"
            case Set() | Seq():
                inner = self.equal(self._held(type_))
                body = (
                    f"if (a.n != b.n) return 0; for (I i = 0; i < a.n; i++) "
                    f"if (!{inner}(c, a.a[i], b.a[i])) return 0; return 1;"
                )
            case Tuple() | Record():
                tests = [f"{self.equal(item)}(c, a.f{i}, b.f{i})" for i, item in enumerate(items_of(type_))]
                body = f"return {' && '.join(tests) or '1'};"
            case Function():
                inner, size = self.equal(type_.value), domain_size(type_)
                present = "" if type_.total else "if (a.w[i >> 6] >> (i & 63) & 1) "
                same = (
                    "" if type_.total else " ".join(f"if (a.w[{k}] != b.w[{k}]) return 0;" for k in range(words(size)))
                )
                body = (
                    f"{same} for (I i = 0; i < {size}; i++) {present}if (!{inner}(c, a.a[i], b.a[i])) "
                    f"return 0; return 1;"
                )
            case Union():
                cases = " ".join(
                    f"case {i}: return {self.equal(member)}(c, a.m{i}, b.m{i});"
                    for i, member in enumerate(type_.members)
                )
                body = (
                    f"if (a.tag != b.tag) {{ if (!({self._comparable(type_)})) fail_(c, EVALUATE, -1); return 0; }} "
                    f"switch (a.tag) {{ {cases} }} return 0;"
                )
            case _:
                raise NotCompilable(None, "equality of values whose type is not known")
        name = self._name("equal", key)
        self.functions.append(f"static inline int {name}(Ctx *c, {c_type} a, {c_type} b) {{ {body} }}")
        return name

    def _held(self, type_: Set | Seq) -> Type:
        """The type of what the array of a vector or sequence holds."""
        return Int() if isinstance(type_, Set) and listed_size(type_.element) is not None else type_.element

    def _comparable(self, type_: Union) -> str:
        """Whether TLC compares a and b, of different members: model values with all, functions with functions."""
        tests = []
        for i, member in enumerate(type_.members):
            if isinstance(member, Enum):
                tests += [f"(a.tag == {i} && is_model_[a.m{i}])", f"(b.tag == {i} && is_model_[b.m{i}])"]
        functions = [i for i, m in enumerate(type_.members) if isinstance(m, Record | Seq | Tuple | Function)]
        if len(functions) > 1:
            mask = sum(1 << i for i in functions)
            tests.append(f"(({mask} >> a.tag & 1) && ({mask} >> b.tag & 1))")
        return " || ".join(tests) or "0"

    def compare(self, type_: Type) -> str:
        """The name of a function of (a, b) that is negative, zero or positive: a total order on the type."""
        key = ("compare", type_)
        if key in self.names:
            return self.names[key]
        c_type = self.structures.of(type_)
        match type_:
            case Int() | Bool() | Enum() | Text() | Nothing():
                body = "return (a > b) - (a < b);"
            case Set() if universe_size(type_.element) is not None:
                count = words(universe_size(type_.element) or 0)
                total = " + ".join(f"__builtin_popcountll({{v}}.w[{k}])" for k in range(count))
                body = (
                    f"I p = {total.format(v='a')}, q = {total.format(v='b')}; if (p != q) return p < q ? -1 : 1; "
                    f"{self._compare_bits(type_.element)} return 0;"
                )
            case Set() | Seq():
                inner = self.compare(self._held(type_))
                body = (
                    f"if (a.n != b.n) return a.n < b.n ? -1 : 1; for (I i = 0; i < a.n; i++) "
                    f"{{ int o = {inner}(a.a[i], b.a[i]); if (o) return o; }} return 0;"
                )
            case Tuple() | Record():
                items = items_of(type_)
                steps = [
                    f"if ((o = {self.compare(items[i])}(a.f{i}, b.f{i}))) return o;" for i in self.atoms.places(type_)
                ]
                body = f"int o; {' '.join(steps)} return 0;"
            case Function():
                inner, size = self.compare(type_.value), domain_size(type_)
                present, first = "", ""
                if not type_.total:
                    count = words(size)
                    bits = " + ".join(f"__builtin_popcountll({{v}}.w[{k}])" for k in range(count))
                    first = (
                        f"I p = {bits.format(v='a')}, q = {bits.format(v='b')}; if (p != q) return p < q ? -1 : 1; "
                        f"{self._compare_bits(type_.key)} "
                    )
                    present = "if (a.w[i >> 6] >> (i & 63) & 1) "
                body = (
                    f"{first}for (I at = 0; at < {size}; at++) {{ I i = {self.rank_at(type_.key, 'at')}; {present}"
                    f"{{ int o = {inner}(a.a[i], b.a[i]); if (o) return o; }} }} return 0;"
                )
            case Union():
                cases = " ".join(
                    f"case {i}: return {self.compare(member)}(a.m{i}, b.m{i});"
                    for i, member in enumerate(type_.members)
                )
                classes = " ".join(
                    f"case {i}: {{v}} = {self._class(m, i)}; break;" for i, m in enumerate(type_.members)
                )
                a_class, b_class = classes.replace("{v}", "p"), classes.replace("{v}", "q").replace("a.m", "b.m")
                a_domain, b_domain, largest = self._domains(type_)
                domains = (
                    f"if (p == 5 && q == 5) {{ I d[{largest}], e[{largest}], n = 0, m = 0; "
                    f"switch (a.tag) {{ {a_domain} }} "
                    f"switch (b.tag) {{ {b_domain} }} if (n != m) return n < m ? -1 : 1; "
                    f"for (I i = 0; i < n; i++) if (d[i] != e[i]) return d[i] < e[i] ? -1 : 1; }} "
                )
                body = (
                    f"if (a.tag != b.tag) {{ I p = 0, q = 0; switch (a.tag) {{ {a_class} }} switch "
                    f"(b.tag) {{ {b_class} }} {domains if largest else ''}"
                    f"if (p == q) {{ p = a.tag; q = b.tag; }} return p < q ? -1 : 1; }} "
                    f"switch (a.tag) {{ {cases} }} return 0;"
                )
            case _:
                raise NotCompilable(None, "order of values whose type is not known")
        name = self._name("compare", key)
        self.functions.append(f"static inline int {name}({c_type} a, {c_type} b) {{ {body} }}")
        return name

    def _compare_bits(self, element: Type) -> str:
        """A statement that returns which of two sets of as many elements has the first that the other has not."""
        size = size_of(element)
        if in_rank_order(element):
            return (
                f"for (int k = 0; k < {words(size)}; k++) {{ U d = a.w[k] ^ b.w[k]; "
                f"if (d) return (a.w[k] & d & -d) ? -1 : 1; }}"
            )
        return (
            f"for (I at = 0; at < {size}; at++) {{ I r = {self.rank_at(element, 'at')}; "
            f"U d = (a.w[r >> 6] ^ b.w[r >> 6]) >> (r & 63) & 1; "
            f"if (d) return a.w[r >> 6] >> (r & 63) & 1 ? -1 : 1; }}"
        )

    def _domains(self, union: Union) -> tuple[str, str, int]:
        """Cases that put into d (of a) and e (of b) numbers in the order of the arguments of a function, and into n and
        m how many there are; and the most there can be."""
        atoms: set[Atom] = set()
        for member in union.members:
            if isinstance(member, Record):
                atoms |= {Atom(name) for name in member.names}
            elif isinstance(member, Function) and isinstance(member.key, Enum):
                atoms |= set(member.key.atoms)
        numbers = {atom: place for place, atom in enumerate(self.atoms.sorted(atoms))}
        cases, largest = "", 0
        for i, member in enumerate(union.members):
            fill, size = self._domain_of(member, numbers, f"{{x}}.m{i}")
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

    def _domain_of(self, member: Type, numbers: dict[Atom, int], code: str) -> tuple[str, int]:
        """Statements that list the arguments of the function at `code` in their order, and how many there can be."""

        def number(kind: int, value: str) -> str:
            return f"((I){kind} << 52) + {value}"

        match member:
            case Record():
                places = sorted(numbers[Atom(name)] for name in member.names)
                steps = [f"{{d}}[{k}] = {number(3, str(place))};" for k, place in enumerate(places)]
                return f"{' '.join(steps)} {{n}} = {len(places)};", max(1, len(places))
            case Tuple():
                steps = [f"{{d}}[{k}] = {number(2, str(k + 1))};" for k in range(len(member.items))]
                return f"{' '.join(steps)} {{n}} = {len(member.items)};", max(1, len(member.items))
            case Seq():
                step = f"for (I k = 0; k < {code}.n; k++) {{d}}[k] = {number(2, 'k + 1')};"
                return f"{step} {{n}} = {code}.n;", max(1, member.most or 0)
            case Function():
                size = domain_size(member)
                rank = self.rank_at(member.key, "at")
                present = "" if member.total else f"if ({code}.w[i >> 6] >> (i & 63) & 1) "
                match member.key:
                    case Int():
                        key = number(2, f"i + ({member.key.low}LL)")
                    case Bool():
                        key = number(1, "i")
                    case Enum():
                        inside = self.atoms.sorted(member.key.atoms)
                        table = ", ".join(f"{(0 if atom.is_model else 3) << 52}LL + {numbers[atom]}" for atom in inside)
                        key = f"((const I[]){{{{ {table} }}}})[i]".replace("{{", "{").replace("}}", "}")
                    case _:
                        key = number(4 if isinstance(member.key, Set) else 5, "at")
                loop = f"for (I at = 0; at < {size}; at++) {{ I i = {rank}; {present}{{d}}[{{n}}++] = {key}; }}"
                return loop, max(1, size)
        return "", 0

    def _class(self, member: Type, at: int) -> str:
        """`member_class` of the value a.m{at}, in C."""
        if isinstance(member, Enum | Text):
            return f"is_model_[a.m{at}] ? 0 : 3"
        return f"{member_class(member, False, self.atoms.order)}LL"


def member_class(member: Type, is_model: bool, order: Order) -> int:
    """Where the values of a member of a union stand in the order of all values; `is_model`: model values."""
    match member:
        case Bool():
            return 1
        case Int():
            return 2
        case Enum() | Text():
            return 0 if is_model else 3
        case Set():
            return 4
    return 5
