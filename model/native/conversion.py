"""C functions from one representation to another, and between representations and packed bits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
    exactly,
    includes,
    kind,
    members_of,
    strings,
)

from .errors import NotCompilable
from .ordering import Ordering
from .ranks import items_of, size_of
from .representation import domain_size, listed_size, universe_size, words


@dataclass(slots=True)
class Conversions(Ordering):
    """Everything that is written over representations; each when first asked for, named by a number."""

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
            case Union(), _:
                cases = "".join(
                    f"case {i}: return {self.convert(member, target)}(c, x.m{i}, o); "
                    for i, member in enumerate(source.members)
                    if any(_may_share(member, other) for other in members_of(target))
                )
                return f"memset(o, 0, sizeof *o); switch (x.tag) {{ {cases} }} return 0;"
            case _, Union():
                tries = "".join(
                    f"o->tag = {j}; if ({self.convert(source, member)}(c, x, &o->m{j})) return 1; "
                    "memset(o, 0, sizeof *o); "
                    for j, member in enumerate(target.members)
                    if _may_share(source, member)
                )
                return f"memset(o, 0, sizeof *o); {tries}return 0;"
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
                return self._convert_items(items_of(source), items_of(target))
        if isinstance(target, Function) and isinstance(source, Function | Seq | Tuple | Record):
            return self._to_function(source, target)
        if isinstance(source, Function):
            match target:
                case Seq() if isinstance(source.key, Int | Nothing):
                    return self._to_sequence(source, target)
                case Seq():
                    return self._to_sequence_by_keys(source, target)
                case Tuple():
                    keys: list[tuple[str, Type]] = [(str(i + 1), exactly(i + 1)) for i in range(len(target.items))]
                    return self._to_items(source, keys, target.items)
                case Record():
                    keys = [(str(self.atoms.number(Atom(name))), strings(name)) for name in target.names]
                    return self._to_items(source, keys, items_of(target))
        return "return 0;"

    def _convert_items(self, source: tuple[Type, ...], target: tuple[Type, ...]) -> str:
        tests = [
            f"{self.convert(s, t)}(c, x.f{i}, &o->f{i})" for i, (s, t) in enumerate(zip(source, target, strict=True))
        ]
        return f"return {' && '.join(tests) or '1'};"

    def _convert_set(self, source: Set, target: Set) -> str:
        if source.element == target.element and listed_size(source.element) is not None:
            return (
                f"memset(o, 0, sizeof *o); if (x.n > {target.most or 0}) return 0; o->n = x.n; "
                f"for (I i = 0; i < x.n; i++) o->a[i] = x.a[i]; return 1;"
            )
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

    def _to_sequence_by_keys(self, source: Function, target: Seq) -> str:
        """As `_to_sequence`, where the keys are of any kind, some of them perhaps numbers."""
        size = domain_size(source)
        if target.most == 0:
            empty = "0" if source.total else f"!({' || '.join(f'x.w[{i}]' for i in range(words(size)))})"
            return f"memset(o, 0, sizeof *o); return {empty if size else 1};"
        key, place = self.structures.of(source.key), Int(1, target.most)
        inner = self.convert(source.value, target.element)
        return (
            f"memset(o, 0, sizeof *o); I last = 0; for (I i = 0; i < {size}; i++) if ({_is_present(source, 'i')}) {{ "
            f"{key} k = {self.unrank(source.key, 'i')}; I at; "
            f"if (!{self.convert(source.key, place)}(c, k, &at) || !{inner}(c, x.a[i], &o->a[at - 1])) return 0; "
            "if (at > last) last = at; o->n++; } "
            f"return o->n == last && last >= {target.least};"
        )

    def _to_items(self, source: Function, keys: Sequence[tuple[str, Type]], items: Sequence[Type]) -> str:
        """A function is a tuple or a record when its domain is that: `keys`, each with its type."""
        size = domain_size(source)
        if source.total and size != len(keys):
            return "return 0;"
        key = self.structures.of(source.key)
        steps = ["memset(o, 0, sizeof *o); I r = 0, count = 0; (void)r;"]
        for place, ((code, type_), item) in enumerate(zip(keys, items, strict=True)):
            steps.append(
                f"{{ {key} k; if (!{self.convert(type_, source.key)}(c, {code}, &k)) return 0; "
                f"r = {self.rank(source.key, 'k')}; if (!({_is_present(source, 'r')})) return 0; "
                f"if (!{self.convert(source.value, item)}(c, x.a[r], &o->f{place})) return 0; }}"
            )
        steps.append(f"for (I i = 0; i < {size}; i++) if ({_is_present(source, 'i')}) count++;")
        return f"{' '.join(steps)} return count == {len(keys)};"

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
                return max(0, (size_of(type_) - 1).bit_length())
            case Set():
                size = universe_size(type_.element)
                if size is not None:
                    return size
                listed = listed_size(type_.element)
                each = self.bits(type_.element) if listed is None else (listed - 1).bit_length()
                return length_bits(0, type_.most or 0) + (type_.most or 0) * each
            case Seq():
                return length_bits(type_.least, type_.most or 0) + (type_.most or 0) * self.bits(type_.element)
            case Tuple() | Record():
                return sum(self.bits(item) for item in items_of(type_))
            case Function():
                size = domain_size(type_)
                return (0 if type_.total else size) + size * self.bits(type_.value)
            case Union():
                return length_bits(0, len(type_.members) - 1) + max(self.bits(member) for member in type_.members)
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
                listed = listed_size(type_.element) if isinstance(type_, Set) else None
                each = self.bits(type_.element) if listed is None else (listed - 1).bit_length()
                width = length_bits(least, most)
                steps = []
                if packing and width:
                    steps.append(f"put_(w, {at}, {width}, (U)({code}.n - {least}));")
                elif not packing:
                    steps.append(f"{code}.n = {least}{f' + (I)get_(w, {at}, {width})' if width else ''};")
                for i in range(most):
                    position = at + width + i * each
                    if listed is None:
                        inner = self._transfer(type_.element, f"{code}.a[{i}]", position, packing)
                    elif packing:
                        rank = self.rank_at(type_.element, f"{code}.a[{i}]")
                        inner = [f"put_(w, {position}, {each}, (U){rank});"]
                    else:
                        rank = f"(I)get_(w, {position}, {each})"
                        inner = [f"{code}.a[{i}] = {self.place_of_rank(type_.element, rank)};"]
                    steps += inner if i < least else [f"if ({code}.n > {i}) {{", *inner, "}"] if inner else []
                return steps
            case Tuple() | Record():
                steps = []
                for i, item in enumerate(items_of(type_)):
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
                width = length_bits(0, len(type_.members) - 1)
                steps = []
                steps.append(
                    f"put_(w, {at}, {width}, (U){code}.tag);" if packing else f"{code}.tag = (I)get_(w, {at}, {width});"
                )
                for i, member in enumerate(type_.members):
                    inner = self._transfer(member, f"{code}.m{i}", at + width, packing)
                    steps += [f"if ({code}.tag == {i}) {{", *inner, "}"] if inner else []
                return steps
        raise NotCompilable(None, "a variable whose type is not known")


def length_bits(least: int, most: int) -> int:
    return (most - least).bit_length()


def _is_present(source: Function, rank: str) -> str:
    return "1" if source.total else f"x.w[{rank} >> 6] >> ({rank} & 63) & 1"


def _may_share(a: Type, b: Type) -> bool:
    """Whether a value may be of both types, which are no unions: a function may be a record, too, or a sequence."""
    if isinstance(a, Record) and isinstance(b, Record):
        return a.names == b.names
    if isinstance(a, Record) or isinstance(b, Record):
        return isinstance(a, Function) or isinstance(b, Function)
    return kind(a) == kind(b)


def alternatives(type_: Type) -> tuple[Type, ...]:
    return members_of(type_)
