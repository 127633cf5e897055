"""C functions over representations: equality, order, rank in a universe, conversion, packing.

Each is written when first asked for, and named by a number.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rmqproof.model.tla.types.domain import (
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
    cardinality,
    includes,
    kind,
    members_of,
)

from .errors import NotCompilable
from .representation import Atoms, Structures, atom_order, domain_size, universe_size, words


@dataclass(slots=True)
class Conversions:
    """The functions written so far, in an order in which each uses only earlier ones."""

    structures: Structures
    atoms: Atoms
    names: dict[object, str] = field(default_factory=dict)
    functions: list[str] = field(default_factory=list)
    tables: list[tuple[str, Enum]] = field(default_factory=list)

    def _name(self, prefix: str, key: object) -> str:
        name = f"{prefix}{len(self.names)}"
        self.names[key] = name
        return name

    # --- iteration ----------------------------------------------------------------------------------------------

    def each(self, set_type: Set, code: str, variable: str, body: str, index: str = "") -> str:
        """A loop over the elements of the set at `code` (a name); `variable` is the element, `index` its rank."""
        element = self.structures.of(set_type.element)
        size = universe_size(set_type.element)
        i = index or f"{variable}_i"
        if size is None:
            return f"for (I {i} = 0; {i} < {code}.n; {i}++) {{ {element} {variable} = {code}.a[{i}]; {body} }}"
        if isinstance(set_type.element, Nothing):
            return f"for (I {i} = 0; {i} < 0; {i}++) {{ {element} {variable} = 0; {body} }}"
        word = f"{variable}_w"
        k = f"{variable}_k"
        return (
            f"for (I {k} = 0; {k} < {words(size)}; {k}++) for (U {word} = {code}.w[{k}]; {word}; {word} &= {word} - 1) "
            f"{{ I {i} = {k} * 64 + __builtin_ctzll({word}); "
            f"{element} {variable} = {self.unrank(set_type.element, i)}; {body} }}"
        )

    def add(self, set_type: Set, code: str, value: str) -> str:
        """A statement that adds `value`, which is of the element type, to the set at `code`."""
        if universe_size(set_type.element) is None:
            return f"{self.insert(set_type)}(c, &{code}, {value});"
        if isinstance(set_type.element, Nothing):
            return ";"
        rank = self.rank(set_type.element, value)
        return f"{{ I r_ = {rank}; {code}.w[r_ >> 6] |= (U)1 << (r_ & 63); }}"

    def insert(self, set_type: Set) -> str:
        key = ("insert", self.structures.key(set_type))
        if key in self.names:
            return self.names[key]
        compare = self.compare(set_type.element)
        type_, element = self.structures.of(set_type), self.structures.of(set_type.element)
        name = self._name("insert", key)
        self.functions.append(
            f"static void {name}(Ctx *c, {type_} *s, {element} x) {{ I i = s->n; "
            f"while (i > 0) {{ int o = {compare}(s->a[i - 1], x); if (o == 0) return; if (o < 0) break; i--; }} "
            f"if (s->n >= {set_type.most or 0}) {{ fail_(c, WIDEN, -1); return; }} "
            f"for (I j = s->n; j > i; j--) s->a[j] = s->a[j - 1]; s->a[i] = x; s->n++; }}"
        )
        return name

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
                inner = self.equal(type_.element)
                body = (
                    f"if (a.n != b.n) return 0; for (I i = 0; i < a.n; i++) "
                    f"if (!{inner}(c, a.a[i], b.a[i])) return 0; return 1;"
                )
            case Tuple() | Record():
                tests = [f"{self.equal(item)}(c, a.f{i}, b.f{i})" for i, item in enumerate(_items(type_))]
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
                    f"for (int k = 0; k < {count}; k++) {{ U d = a.w[k] ^ b.w[k]; "
                    f"if (d) return (a.w[k] & d & -d) ? -1 : 1; }} return 0;"
                )
            case Set() | Seq():
                inner = self.compare(type_.element)
                body = (
                    f"if (a.n != b.n) return a.n < b.n ? -1 : 1; for (I i = 0; i < a.n; i++) "
                    f"{{ int o = {inner}(a.a[i], b.a[i]); if (o) return o; }} return 0;"
                )
            case Tuple() | Record():
                steps = [
                    f"if ((o = {self.compare(item)}(a.f{i}, b.f{i}))) return o;" for i, item in enumerate(_items(type_))
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
                        f"for (int k = 0; k < {count}; k++) {{ U d = a.w[k] ^ b.w[k]; "
                        f"if (d) return (a.w[k] & d & -d) ? -1 : 1; }} "
                    )
                    present = "if (a.w[i >> 6] >> (i & 63) & 1) "
                body = (
                    f"{first}for (I i = 0; i < {size}; i++) {present}"
                    f"{{ int o = {inner}(a.a[i], b.a[i]); if (o) return o; }} return 0;"
                )
            case Union():
                cases = " ".join(
                    f"case {i}: return {self.compare(member)}(a.m{i}, b.m{i});"
                    for i, member in enumerate(type_.members)
                )
                classes = " ".join(f"case {i}: {{v}} = {_class(m, i)}; break;" for i, m in enumerate(type_.members))
                a_class, b_class = classes.replace("{v}", "p"), classes.replace("{v}", "q").replace("a.m", "b.m")
                body = (
                    f"if (a.tag != b.tag) {{ I p = 0, q = 0; switch (a.tag) {{ {a_class} }} switch "
                    f"(b.tag) {{ {b_class} }} "
                    f"if (p == q) {{ p = a.tag; q = b.tag; }} return p < q ? -1 : 1; }} "
                    f"switch (a.tag) {{ {cases} }} return 0;"
                )
            case _:
                raise NotCompilable(None, "order of values whose type is not known")
        name = self._name("compare", key)
        self.functions.append(f"static inline int {name}({c_type} a, {c_type} b) {{ {body} }}")
        return name

    # --- rank ---------------------------------------------------------------------------------------------------

    def table(self, type_: Enum) -> str:
        """The name of a table from atoms to their ranks in the enumeration, -1 outside."""
        key = ("table", type_)
        if key not in self.names:
            for atom in sorted(type_.atoms, key=atom_order):
                self.atoms.number(atom)
            self.tables.append((self._name("ranks", key), type_))
        return self.names[key]

    def rank(self, type_: Type, code: str) -> str:
        """The rank of the value at `code`, which is in the type: an expression."""
        match type_:
            case Int():
                return f"({code} - ({type_.low}LL))" if type_.low else code
            case Bool():
                return code
            case Nothing():
                return "(I)0"
            case Enum():
                return f"(I){self.table(type_)}[{code}]"
        return f"{self._rank(type_)}({code})"

    def unrank(self, type_: Type, code: str) -> str:
        match type_:
            case Int():
                return f"({code} + ({type_.low}LL))" if type_.low else code
            case Bool():
                return code
            case Nothing():
                return "(I)0"
            case Enum():
                return f"(I){self.table(type_)}_of[{code}]"
        return f"{self._unrank(type_)}({code})"

    def _rank(self, type_: Type) -> str:
        key = ("rank", type_)
        if key in self.names:
            return self.names[key]
        match type_:
            case Set():
                body = "return (I)x.w[0];"
            case Tuple() | Record():
                body = "I r = 0; "
                for i, item in enumerate(_items(type_)):
                    body += f"r = r * {_size(item)} + {self.rank(item, f'x.f{i}')}; "
                body += "return r;"
            case Function():
                size, value = domain_size(type_), _size(type_.value)
                inner = self.rank(type_.value, "x.a[i]")
                if type_.total:
                    body = f"I r = 0; for (I i = 0; i < {size}; i++) r = r * {value} + {inner}; return r;"
                else:
                    body = (
                        f"I r = 0; for (I i = 0; i < {size}; i++) r = r * {value + 1} + "
                        f"((x.w[i >> 6] >> (i & 63) & 1) ? 1 + {inner} : 0); return r;"
                    )
            case Seq():
                value = _size(type_.element)
                first = f"I p = 1; for (I n = 0; n < x.n; n++) {{ if (n >= {type_.least}) base += p; p *= {value}; }}"
                body = (
                    f"I base = 0, r = 0; {first} for (I i = 0; i < x.n; i++) "
                    f"r = r * {value} + {self.rank(type_.element, 'x.a[i]')}; return base + r;"
                )
            case Union():
                cases, base = "", 0
                for i, member in enumerate(type_.members):
                    cases += f"case {i}: return {base} + {self.rank(member, f'x.m{i}')}; "
                    base += _size(member)
                body = f"switch (x.tag) {{ {cases} }} return 0;"
            case _:
                raise NotCompilable(None, "a universe that cannot be counted")
        name = self._name("rank", key)
        self.functions.append(f"static inline I {name}({self.structures.of(type_)} x) {{ {body} }}")
        return name

    def _unrank(self, type_: Type) -> str:
        key = ("unrank", type_)
        if key in self.names:
            return self.names[key]
        c_type = self.structures.of(type_)
        body = f"{c_type} x; memset(&x, 0, sizeof x); "
        match type_:
            case Set():
                body += "x.w[0] = (U)r; "
            case Tuple() | Record():
                items = _items(type_)
                for i in reversed(range(len(items))):
                    size = _size(items[i])
                    body += f"x.f{i} = {self.unrank(items[i], f'(r % {size})')}; r /= {size}; "
            case Function():
                size, value = domain_size(type_), _size(type_.value)
                if type_.total:
                    inner = self.unrank(type_.value, f"(r % {value})")
                    body += f"for (I i = {size - 1}; i >= 0; i--) {{ x.a[i] = {inner}; r /= {value}; }} "
                else:
                    inner = self.unrank(type_.value, "(d - 1)")
                    body += (
                        f"for (I i = {size - 1}; i >= 0; i--) {{ I d = r % {value + 1}; r /= {value + 1}; "
                        f"if (d) {{ x.w[i >> 6] |= (U)1 << (i & 63); x.a[i] = {inner}; }} }} "
                    )
            case Seq():
                value = _size(type_.element)
                inner = self.unrank(type_.element, f"(r % {max(1, value)})")
                value = max(1, value)
                body += (
                    f"I p = 1, n = 0; for (; n < {type_.least}; n++) p *= {value}; "
                    f"while (r >= p) {{ r -= p; p *= {value}; n++; }} x.n = n; "
                    f"for (I i = n - 1; i >= 0; i--) {{ x.a[i] = {inner}; r /= {value}; }} "
                )
            case Union():
                for i, member in enumerate(type_.members):
                    size = _size(member)
                    body += (
                        f"if (r < {size}) {{ x.tag = {i}; x.m{i} = {self.unrank(member, 'r')}; return x; "
                        f"}} r -= {size}; "
                    )
            case _:
                raise NotCompilable(None, "a universe that cannot be counted")
        name = self._name("unrank", key)
        self.functions.append(f"static inline {c_type} {name}(I r) {{ {body}return x; }}")
        return name

    # --- conversion ----------------------------------------------------------------------------------------------

    def convert(self, source: Type, target: Type) -> str:
        """The name of a function of (c, a value of `source`, where to put it): whether it is a value of `target`."""
        key = ("convert", source, target)
        if key in self.names:
            return self.names[key]
        body = self._convert(source, target)
        name = self._name("convert", key)
        a, b = self.structures.of(source), self.structures.of(target)
        self.functions.append(f"static inline int {name}(Ctx *c, {a} x, {b} *o) {{ {body} }}")
        return name

    def _convert(self, source: Type, target: Type) -> str:
        if self.structures.same(source, target) and includes(target, source):
            return "*o = x; return 1;"
        match source, target:
            case Nothing(), _:
                return "memset(o, 0, sizeof *o); return 0;"
            case (Union(), _) if not isinstance(target, Union):
                for i, member in enumerate(source.members):
                    if kind(member) == kind(target) or _functional(member, target):
                        return f"if (x.tag != {i}) return 0; return {self.convert(member, target)}(c, x.m{i}, o);"
                return "return 0;"
            case Union(), Union():
                cases = ""
                for i, member in enumerate(source.members):
                    j = _place(member, target)
                    if j is None:
                        continue
                    inner = self.convert(member, target.members[j])
                    cases += f"case {i}: o->tag = {j}; return {inner}(c, x.m{i}, &o->m{j}); "
                return f"memset(o, 0, sizeof *o); switch (x.tag) {{ {cases} }} return 0;"
            case _, Union():
                j = _place(source, target)
                if j is None:
                    return "return 0;"
                inner = self.convert(source, target.members[j])
                return f"memset(o, 0, sizeof *o); o->tag = {j}; return {inner}(c, x, &o->m{j});"
            case Int(), Int():
                tests = []
                if target.low is not None and (source.low is None or source.low < target.low):
                    tests.append(f"x >= {target.low}LL")
                if target.high is not None and (source.high is None or source.high > target.high):
                    tests.append(f"x <= {target.high}LL")
                return f"*o = x; return {' && '.join(tests) or '1'};"
            case Enum() | Text(), Enum():
                return f"*o = x; return {self.table(target)}[x] >= 0;"
            case Enum() | Text(), Text():
                return "*o = x; return !is_model_[x];"
            case Bool(), Bool():
                return "*o = x; return 1;"
            case Set(), Set():
                return self._convert_set(source, target)
            case Seq(), Seq():
                inner = self.convert(source.element, target.element)
                least = f"if (x.n < {target.least}) return 0; " if source.least < target.least else ""
                return (
                    f"memset(o, 0, sizeof *o); if (x.n > {target.most}) return 0; {least}o->n = x.n; "
                    f"for (I i = 0; i < x.n; i++) if (!{inner}(c, x.a[i], &o->a[i])) return 0; return 1;"
                )
            case Tuple(), Seq():
                steps = [f"o->n = {len(source.items)};"]
                if (target.most is not None and len(source.items) > target.most) or len(source.items) < target.least:
                    return "return 0;"
                for i, item in enumerate(source.items):
                    steps.append(f"if (!{self.convert(item, target.element)}(c, x.f{i}, &o->a[{i}])) return 0;")
                return f"memset(o, 0, sizeof *o); {' '.join(steps)} return 1;"
            case Seq(), Tuple():
                if source.most is not None and source.most < len(target.items):
                    return "return 0;"
                steps = [
                    f"if (!{self.convert(source.element, item)}(c, x.a[{i}], &o->f{i})) return 0;"
                    for i, item in enumerate(target.items)
                ]
                return f"if (x.n != {len(target.items)}) return 0; {' '.join(steps)} return 1;"
            case Tuple(), Tuple() if len(source.items) == len(target.items):
                return self._convert_items(source.items, target.items)
            case Record(), Record() if source.names == target.names:
                return self._convert_items(_items(source), _items(target))
        if isinstance(target, Function) and isinstance(source, Function | Seq | Tuple | Record):
            return self._to_function(source, target)
        if isinstance(target, Seq) and isinstance(source, Function) and isinstance(source.key, Int | Nothing):
            return self._to_sequence(source, target)
        return "return 0;"

    def _convert_items(self, source: tuple[Type, ...], target: tuple[Type, ...]) -> str:
        tests = [
            f"{self.convert(s, t)}(c, x.f{i}, &o->f{i})" for i, (s, t) in enumerate(zip(source, target, strict=True))
        ]
        return f"return {' && '.join(tests) or '1'};"

    def _convert_set(self, source: Set, target: Set) -> str:
        element = self.structures.of(target.element)
        inner = self.convert(source.element, target.element)
        body = f"{element} y; if (!{inner}(c, x_e, &y)) return 0; {self.add(target, '(*o)', 'y')}"
        if universe_size(target.element) is None:
            body = f"if (o->n >= {target.most or 0} && o->n >= {target.most or 0}) return 0; {body}"
        return f"memset(o, 0, sizeof *o); {self.each(source, 'x', 'x_e', body)} return 1;"

    def _to_function(self, source: Function | Seq | Tuple | Record, target: Function) -> str:
        size = domain_size(target)
        value = self.structures.of(target.value)
        steps = [f"memset(o, 0, sizeof *o); I count = 0; (void)count; {value} v;"]
        present = "" if target.total else "o->w[r >> 6] |= (U)1 << (r & 63); "

        def put(key: str, key_type: Type, code: str, value_type: Type) -> str:
            key_c = self.structures.of(target.key)
            return (
                f"{{ {key_c} k; if (!{self.convert(key_type, target.key)}(c, {key}, &k)) return 0; "
                f"if (!{self.convert(value_type, target.value)}(c, {code}, &v)) return 0; "
                f"I r = {self.rank(target.key, 'k')}; {present}o->a[r] = v; count++; }}"
            )

        match source:
            case Function():
                test = "" if source.total else "if (x.w[i >> 6] >> (i & 63) & 1) "
                inner = put(self.unrank(source.key, "i"), source.key, "x.a[i]", source.value)
                steps.append(f"for (I i = 0; i < {domain_size(source)}; i++) {test}{inner}")
            case Seq():
                if source.most:
                    inner = put("(i + 1)", Int(1, source.most), "x.a[i]", source.element)
                    steps.append(f"for (I i = 0; i < x.n; i++) {inner}")
            case Tuple():
                for i, item in enumerate(source.items):
                    steps.append(put(str(i + 1), Int(i + 1, i + 1), f"x.f{i}", item))
            case Record():
                from rmqproof.model.tla.types.domain import Atom, strings

                for i, (name, item) in enumerate(source.fields):
                    steps.append(put(str(self.atoms.number(Atom(name))), strings(name), f"x.f{i}", item))
        steps.append(f"return count == {size};" if target.total else "return 1;")
        return " ".join(steps)

    def _to_sequence(self, source: Function, target: Seq) -> str:
        """A function is a sequence when its domain is 1..n."""
        if isinstance(source.key, Nothing):
            return "memset(o, 0, sizeof *o); return 1;"
        size, low = domain_size(source), source.key.low if isinstance(source.key, Int) else 1
        assert low is not None
        inner = self.convert(source.value, target.element)
        present = "1" if source.total else "(x.w[i >> 6] >> (i & 63) & 1)"
        return (
            f"memset(o, 0, sizeof *o); I n = 0; for (I i = 0; i < {size}; i++) if ({present}) {{ "
            f"if (i + {low} != n + 1 || n >= {target.most}) return 0; if (!{inner}(c, x.a[i], "
            f"&o->a[n])) return 0; n++; }} "
            f"o->n = n; return n >= {target.least};"
        )

    # --- packing --------------------------------------------------------------------------------------------------

    def bits(self, type_: Type) -> int:
        """The bits that a packed value takes."""
        match type_:
            case Nothing():
                return 0
            case Bool():
                return 1
            case Text():
                return 16
            case Int() | Enum():
                return max(0, (_size(type_) - 1).bit_length())
            case Set():
                size = universe_size(type_.element)
                if size is not None:
                    return size
                return _length_bits(0, type_.most or 0) + (type_.most or 0) * self.bits(type_.element)
            case Seq():
                return _length_bits(type_.least, type_.most or 0) + (type_.most or 0) * self.bits(type_.element)
            case Tuple() | Record():
                return sum(self.bits(item) for item in _items(type_))
            case Function():
                size = domain_size(type_)
                return (0 if type_.total else size) + size * self.bits(type_.value)
            case Union():
                return _length_bits(0, len(type_.members) - 1) + max(self.bits(member) for member in type_.members)
        raise NotCompilable(None, "a variable whose type is not known")

    def pack(self, type_: Type, code: str, at: int) -> list[str]:
        """Statements that put the value at `code` into the bits of `w` from `at` on; those bits are zero before."""
        return self._transfer(type_, code, at, True)

    def unpack(self, type_: Type, code: str, at: int) -> list[str]:
        """Statements that read it back; the memory at `code` is zero before."""
        return self._transfer(type_, code, at, False)

    def _transfer(self, type_: Type, code: str, at: int, packing: bool) -> list[str]:
        match type_:
            case Int() | Bool() | Enum() | Text():
                width = self.bits(type_)
                if isinstance(type_, Text):
                    rank, back = code, "{}"
                else:
                    rank, back = self.rank(type_, code), self.unrank(type_, "{}")
                if packing:
                    return [f"put_(w, {at}, {width}, (U)({rank}));"] if width else []
                return [f"{code} = {back.format(f'(I)get_(w, {at}, {width})' if width else '(I)0')};"]
            case Nothing():
                return []
            case Set() if universe_size(type_.element) is not None:
                size = universe_size(type_.element) or 0
                steps = []
                for k in range(words(size)):
                    for part in (0, 32):
                        width = min(32, size - k * 64 - part)
                        if width > 0:
                            position = at + k * 64 + part
                            if packing:
                                steps.append(
                                    f"put_(w, {position}, {width}, {code}.w[{k}] >> {part} & {(1 << width) - 1}ULL);"
                                )
                            else:
                                steps.append(f"{code}.w[{k}] |= get_(w, {position}, {width}) << {part};")
                return steps
            case Set() | Seq():
                least = type_.least if isinstance(type_, Seq) else 0
                most = type_.most or 0
                width, each = _length_bits(least, most), self.bits(type_.element)
                steps = []
                if packing and width:
                    steps.append(f"put_(w, {at}, {width}, (U)({code}.n - {least}));")
                elif not packing:
                    steps.append(f"{code}.n = {least}{f' + (I)get_(w, {at}, {width})' if width else ''};")
                for i in range(most):
                    inner = self._transfer(type_.element, f"{code}.a[{i}]", at + width + i * each, packing)
                    steps += inner if i < least else [f"if ({code}.n > {i}) {{", *inner, "}"] if inner else []
                return steps
            case Tuple() | Record():
                steps = []
                for i, item in enumerate(_items(type_)):
                    steps += self._transfer(item, f"{code}.f{i}", at, packing)
                    at += self.bits(item)
                return steps
            case Function():
                size, each = domain_size(type_), self.bits(type_.value)
                steps = []
                if not type_.total:
                    for i in range(size):
                        place = f"{code}.w[{i >> 6}]"
                        if packing:
                            steps.append(f"put_(w, {at + i}, 1, {place} >> {i & 63} & 1);")
                        else:
                            steps.append(f"{place} |= get_(w, {at + i}, 1) << {i & 63};")
                    at += size
                for i in range(size):
                    inner = self._transfer(type_.value, f"{code}.a[{i}]", at + i * each, packing)
                    if not type_.total and inner:
                        inner = [f"if ({code}.w[{i >> 6}] >> {i & 63} & 1) {{", *inner, "}"]
                    steps += inner
                return steps
            case Union():
                width = _length_bits(0, len(type_.members) - 1)
                steps = []
                steps.append(
                    f"put_(w, {at}, {width}, (U){code}.tag);" if packing else f"{code}.tag = (I)get_(w, {at}, {width});"
                )
                for i, member in enumerate(type_.members):
                    inner = self._transfer(member, f"{code}.m{i}", at + width, packing)
                    steps += [f"if ({code}.tag == {i}) {{", *inner, "}"] if inner else []
                return steps
        raise NotCompilable(None, "a variable whose type is not known")


def _items(type_: Tuple | Record) -> tuple[Type, ...]:
    return type_.items if isinstance(type_, Tuple) else tuple(item for _, item in type_.fields)


def _class(member: Type, at: int) -> str:
    """`member_class` of the value a.m{at}, in C."""
    if isinstance(member, Enum | Text):
        return f"is_model_[a.m{at}] ? 0 : 3"
    return f"{member_class(member, False)}LL"


def member_class(member: Type, is_model: bool) -> int:
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
        case Record():
            digest = 0
            for name in "\0".join(member.names).encode()[:6].ljust(6, b"\0"):
                digest = digest * 256 + name
            return (5 + len(member.names)) * (1 << 48) + digest
    return 5


def _size(type_: Type) -> int:
    size = cardinality(type_)
    if size is None:
        raise NotCompilable(None, "a universe that is not bounded")
    return size


def _length_bits(least: int, most: int) -> int:
    return (most - least).bit_length()


def _functional(a: Type, b: Type) -> bool:
    return isinstance(a, Record | Function) and isinstance(b, Record | Function)


def _place(member: Type, target: Union) -> int | None:
    """The member of `target` that takes values of `member`."""
    for i, candidate in enumerate(target.members):
        if kind(candidate) == kind(member):
            return i
    for i, candidate in enumerate(target.members):
        if _functional(candidate, member):
            return i
    return None


def alternatives(type_: Type) -> tuple[Type, ...]:
    return members_of(type_)
