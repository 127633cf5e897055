"""C functions from one representation to another."""

from __future__ import annotations

from collections.abc import Sequence

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
    parts_of,
    strings,
)

from .elements import added, each_element, element_in
from .maps import finding, putting
from .ranks import rank_of, rank_table, value_of_rank
from .representation import domain_size, each_argument, is_map, words
from .routines import Routines


def conversion(r: Routines, source: Type, target: Type) -> str:
    """The name of a function of (c, a value of `source`, where to put it): whether it is a value of `target`.

    What is put there is a value of the target's structure also where it is not.
    """

    def write() -> str:
        body, x = _convert(r, source, target), r.structures.parameter(source, "x")
        return f"static inline int @(Ctx *c, {x}, {r.structures.of(target)} *o) {{ {body} }}"

    return r.routine("convert", ("convert", source, target), write)


def converting(r: Routines, source: Type, target: Type, place: str, to: str) -> str:
    """A condition, which puts the value at `place` as one of `target` to where `to` points: see `conversion`."""
    return f"{conversion(r, source, target)}(c, {r.structures.argument(source, place)}, {to})"


def _convert(r: Routines, source: Type, target: Type) -> str:
    """Statements that return whether x, which is pointed at where it is a structure, is a value of `target`."""
    if r.structures.same(source, target) and includes(target, source):
        return f"*o = {'x' if r.structures.is_scalar(source) else '*x'}; return 1;"
    clear = r.structures.cleared(target, "(*o)")
    match source, target:
        case Nothing(), _:
            return f"{clear} return 0;"
        case Union(), _:
            cases = "".join(
                f"case {i}: return {converting(r, member, target, f'x->m{i}', 'o')}; "
                for i, member in enumerate(source.members)
                if any(_may_share(member, other) for other in members_of(target))
            )
            return f"{clear} switch (x->tag) {{ {cases} }} return 0;"
        case _, Union():
            whole = "x" if r.structures.is_scalar(source) else "*x"
            tries = "".join(
                f"o->tag = {j}; if ({converting(r, source, member, whole, f'&o->m{j}')}) return 1; {clear} "
                for j, member in enumerate(target.members)
                if _may_share(source, member)
            )
            return f"{clear} {tries}return 0;"
        case Int(), Int():
            return f"*o = x; return {_within(source, target)};"
        case Enum() | Text(), Enum():
            return f"*o = x; return {rank_table(r, target)}[x] >= 0;"
        case Enum() | Text(), Text():
            return "*o = x; return !is_model_[x];"
        case Bool(), Bool():
            return "*o = x; return 1;"
        case Set(), Set():
            return _convert_set(r, source, target)
        case Seq(), Seq():
            return _convert_sequence(r, source, target)
        case Tuple(), Seq():
            if (target.most is not None and len(source.items) > target.most) or len(source.items) < target.least:
                return "return 0;"
            steps = [
                f"if (!{converting(r, item, target.element, f'x->f{i}', f'&o->a[{i}]')}) return 0;"
                for i, item in enumerate(source.items)
            ]
            return f"{clear} {' '.join(steps)} o->n = {len(source.items)}; return 1;"
        case Seq(), Tuple():
            if source.most is not None and source.most < len(target.items):
                return "return 0;"
            tests = [
                f"if (!{converting(r, source.element, item, f'x->a[{i}]', f'&o->f{i}')}) return 0;"
                for i, item in enumerate(target.items)
            ]
            return f"{clear} if (x->n != {len(target.items)}) return 0; {' '.join(tests)} return 1;"
        case Tuple(), Tuple() if len(source.items) == len(target.items):
            return _convert_items(r, source.items, target.items)
        case Record(), Record() if source.names == target.names:
            return _convert_items(r, parts_of(source), parts_of(target))
    if isinstance(target, Function) and isinstance(source, Function | Seq | Tuple | Record):
        return _to_function(r, source, target)
    return _from_function(r, source, target) if isinstance(source, Function) else "return 0;"


def _from_function(r: Routines, source: Function, target: Type) -> str:
    match target:
        case Seq() if isinstance(source.key, Int | Nothing):
            return _to_sequence(r, source, target)
        case Seq():
            return _to_sequence_by_keys(r, source, target)
        case Tuple():
            keys: list[tuple[str, Type]] = [(str(i + 1), exactly(i + 1)) for i in range(len(target.items))]
            return _to_items(r, source, keys, target)
        case Record():
            keys = [(str(r.atoms.number(Atom(name))), strings(name)) for name in target.names]
            return _to_items(r, source, keys, target)
    return "return 0;"


def _within(source: Int, target: Int) -> str:
    tests = []
    if target.low is not None and (source.low is None or source.low < target.low):
        tests.append(f"x >= {target.low}LL")
    if target.high is not None and (source.high is None or source.high > target.high):
        tests.append(f"x <= {target.high}LL")
    return " && ".join(tests) or "1"


def _convert_sequence(r: Routines, source: Seq, target: Seq) -> str:
    inner = converting(r, source.element, target.element, "x->a[i]", "&o->a[i]")
    least = f"if (x->n < {target.least}) return 0; " if source.least < target.least else ""
    return (
        f"{r.structures.cleared(target, '(*o)')} if (x->n > {target.most}) return 0; {least}"
        f"for (I i = 0; i < x->n; i++) if (!{inner}) return 0; o->n = x->n; return 1;"
    )


def _convert_items(r: Routines, source: tuple[Type, ...], target: tuple[Type, ...]) -> str:
    pairs = enumerate(zip(source, target, strict=True))
    tests = [converting(r, s, t, f"x->f{i}", f"&o->f{i}") for i, (s, t) in pairs]
    # one after the other whatever the ones before say, so that all parts are values
    return f"return {' & '.join(tests) or '1'};"


def _convert_set(r: Routines, source: Set, target: Set) -> str:
    clear = r.structures.cleared(target, "(*o)")
    if source.element == target.element and r.structures.universe_size(source.element) is None:
        return (
            f"{clear} if (x->n > {target.most or 0}) return 0; o->n = x->n; "
            f"for (I i = 0; i < x->n; i++) o->a[i] = x->a[i]; return 1;"
        )
    element = r.structures.of(target.element)
    inner = converting(r, source.element, target.element, element_in(r, source, "x_e"), "&y")
    body = f"{element} y; if (!{inner}) return 0; {added(r, target, '(*o)', 'y')}"
    if r.structures.universe_size(target.element) is None:
        body = f"if (o->n >= {target.most or 0} && o->n >= {target.most or 0}) return 0; {body}"
    return f"{clear} {each_element(r, source, '(*x)', 'x_e', body)} return 1;"


def _to_function(r: Routines, source: Function | Seq | Tuple | Record, target: Function) -> str:
    size = 0 if is_map(target) else domain_size(target)
    value = r.structures.of(target.value)
    steps = [f"{r.structures.cleared(target, '(*o)')} I count = 0; (void)count; {value} v;"]
    present = "" if target.total else "o->w[r >> 6] |= (U)1 << (r & 63); "

    def put(key: str, key_type: Type, code: str, value_type: Type) -> str:
        key_c, given = r.structures.of(target.key), ""
        if not r.structures.is_scalar(key_type):
            given, key = f"{r.structures.of(key_type)} given = {key}; ", "given"
        if is_map(target):
            return (
                f"{{ {key_c} k; {given}if (!{converting(r, key_type, target.key, key, '&k')} || "
                f"!{converting(r, value_type, target.value, code, '&v')} || "
                f"!{putting(r, target)}(o, &k, &v)) return 0; }}"
            )
        return (
            f"{{ {key_c} k; {given}if (!{converting(r, key_type, target.key, key, '&k')}) return 0; "
            f"{put_at(rank_of(r, target.key, 'k'), code, value_type)} }}"
        )

    def put_at(rank: str, code: str, value_type: Type) -> str:
        return (
            f"if (!{converting(r, value_type, target.value, code, '&v')}) return 0; "
            f"I r = {rank}; {present}o->a[r] = v; count++;"
        )

    match source:
        case Function() if is_map(source):
            inner = put("x->a[i].f0", source.key, "x->a[i].f1", source.value)
            steps.append(f"for (I i = 0; i < x->n; i++) {inner}")
        case Function():
            if source.key == target.key and not is_map(target):
                inner = put_at("i", "x->a[i]", source.value)
            else:
                inner = put(value_of_rank(r, source.key, "i"), source.key, "x->a[i]", source.value)
            steps.append(each_argument(source, "(*x)", "i", inner))
        case Seq():
            if source.most:
                inner = put("(i + 1)", Int(1, source.most), "x->a[i]", source.element)
                steps.append(f"for (I i = 0; i < x->n; i++) {inner}")
        case Tuple():
            for i, item in enumerate(source.items):
                steps.append(put(str(i + 1), Int(i + 1, i + 1), f"x->f{i}", item))
        case Record():
            for i, (name, item) in enumerate(source.fields):
                steps.append(put(str(r.atoms.number(Atom(name))), strings(name), f"x->f{i}", item))
    steps.append(f"return count == {size};" if target.total else "return 1;")
    return " ".join(steps)


def _to_sequence(r: Routines, source: Function, target: Seq) -> str:
    """A function is a sequence when its domain is 1..n."""
    if isinstance(source.key, Nothing):
        return f"{r.structures.cleared(target, '(*o)')} return 1;"
    if is_map(source):
        return _map_to_sequence(r, source, target)
    size, low = domain_size(source), source.key.low if isinstance(source.key, Int) else 1
    assert low is not None
    inner = converting(r, source.value, target.element, "x->a[i]", "&o->a[n]")
    present = "1" if source.total else "(x->w[i >> 6] >> (i & 63) & 1)"
    return (
        f"{r.structures.cleared(target, '(*o)')} I n = 0; for (I i = 0; i < {size}; i++) if ({present}) {{ "
        f"if (i + {low} != n + 1 || n >= {target.most}) return 0; "
        f"if (!{inner}) return 0; n++; }} "
        f"if (n < {target.least}) return 0; o->n = n; return 1;"
    )


def _map_to_sequence(r: Routines, source: Function, target: Seq) -> str:
    """As `_to_sequence`, of a map: its arguments are in order."""
    if not target.most:
        return f"{r.structures.cleared(target, '(*o)')} return x->n == 0;"
    place = converting(r, source.key, Int(1, target.most), "x->a[i].f0", "&at")
    inner = converting(r, source.value, target.element, "x->a[i].f1", "&o->a[i]")
    return (
        f"{r.structures.cleared(target, '(*o)')} for (I i = 0; i < x->n; i++) {{ I at; "
        f"if (!{place} || at != i + 1 || !{inner}) return 0; }} "
        f"if (x->n < {target.least}) return 0; o->n = x->n; return 1;"
    )


def _to_sequence_by_keys(r: Routines, source: Function, target: Seq) -> str:
    """As `_to_sequence`, where the keys are of any kind, some of them perhaps numbers."""
    if is_map(source):
        return _map_to_sequence(r, source, target)
    size = domain_size(source)
    if target.most == 0:
        empty = "0" if source.total else f"!({' || '.join(f'x->w[{i}]' for i in range(words(size)))})"
        return f"{r.structures.cleared(target, '(*o)')} return {empty if size else 1};"
    key, place = r.structures.of(source.key), Int(1, target.most)
    inner = converting(r, source.value, target.element, "x->a[i]", "&o->a[at - 1]")
    clear = r.structures.cleared(target, "(*o)")
    return (
        f"{clear} I last = 0, n = 0; for (I i = 0; i < {size}; i++) if ({_is_present(source, 'i')}) {{ "
        f"{key} k = {value_of_rank(r, source.key, 'i')}; I at; "
        f"if (!{converting(r, source.key, place, 'k', '&at')} || !{inner}) return 0; "
        "if (at > last) last = at; n++; } "
        f"if (n != last || last < {target.least}) return 0; o->n = n; return 1;"
    )


def _to_items(r: Routines, source: Function, keys: Sequence[tuple[str, Type]], target: Tuple | Record) -> str:
    """A function is a tuple or a record when its domain is that: `keys`, each with its type."""
    if is_map(source):
        return _map_to_items(r, source, keys, target)
    size = domain_size(source)
    if source.total and size != len(keys):
        return "return 0;"
    key = r.structures.of(source.key)
    steps = [f"{r.structures.cleared(target, '(*o)')} I r = 0, count = 0; (void)r;"]
    for place, ((code, type_), item) in enumerate(zip(keys, parts_of(target), strict=True)):
        steps.append(
            f"{{ {key} k; if (!{converting(r, type_, source.key, code, '&k')}) return 0; "
            f"r = {rank_of(r, source.key, 'k')}; if (!({_is_present(source, 'r')})) return 0; "
            f"if (!{converting(r, source.value, item, 'x->a[r]', f'&o->f{place}')}) return 0; }}"
        )
    steps.append(f"for (I i = 0; i < {size}; i++) if ({_is_present(source, 'i')}) count++;")
    return f"{' '.join(steps)} return count == {len(keys)};"


def _map_to_items(r: Routines, source: Function, keys: Sequence[tuple[str, Type]], target: Tuple | Record) -> str:
    """As `_to_items`, of a map."""
    key, find = r.structures.of(source.key), finding(r, source)
    steps = [f"{r.structures.cleared(target, '(*o)')} I at; (void)at; if (x->n != {len(keys)}) return 0;"]
    for place, ((code, type_), item) in enumerate(zip(keys, parts_of(target), strict=True)):
        steps.append(
            f"{{ {key} k; if (!{converting(r, type_, source.key, code, '&k')} || (at = {find}(x, &k)) < 0 || "
            f"!{converting(r, source.value, item, 'x->a[at].f1', f'&o->f{place}')}) return 0; }}"
        )
    return f"{' '.join(steps)} return 1;"


def _is_present(source: Function, rank: str) -> str:
    return "1" if source.total else f"x->w[{rank} >> 6] >> ({rank} & 63) & 1"


def _may_share(a: Type, b: Type) -> bool:
    """Whether a value may be of both types, which are no unions: a function may be a record, too, or a sequence."""
    if isinstance(a, Record) and isinstance(b, Record):
        return a.names == b.names
    if isinstance(a, Record) or isinstance(b, Record):
        return isinstance(a, Function) or isinstance(b, Function)
    return kind(a) == kind(b)
