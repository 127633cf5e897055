"""Membership, which seldom needs the set to be built."""

from __future__ import annotations

from collections.abc import Sequence

from rmqproof.model.tla import core
from rmqproof.model.tla.walk import reached
from rmqproof.model.types import operators
from rmqproof.model.types.domain import (
    BOOL,
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
    Union,
    all_parts,
    includes,
    members_of,
)

from .context import Context
from .conversion import converting
from .elements import each_element, element_in
from .equality import equal_at
from .errors import NotCompilable
from .loops import bind_element, evaluated, fields_in_order, known_table, nested
from .maps import finding
from .questions import is_endless, is_lazy, may_clash
from .ranks import rank_within
from .representation import compared_as, is_map
from .representation import may_clash as element_may_clash
from .tables import in_table, is_table
from .terms import C, Env
from .unfolding import unfolded
from .value_order import position_of

NUMBERS = frozenset(["Nat", "Int", ".."])


def member(
    x: Context, e: core.Expression, candidate: C, domain: core.Expression, env: Env, is_evaluated: bool = False
) -> C:
    """`candidate \\in domain`; the candidate is an lvalue. `is_evaluated`: TLC's evaluation of the set is written."""
    opened, inner = unfolded(x, domain, env)
    asked = _has_parts(opened) or _takes_all(x, candidate, domain, env)
    before = evaluated(x, opened, inner) if asked and not is_evaluated else ""
    inside = _asked(x, e, candidate, domain, env)
    return C(f"({{ {before} {inside.code}; }})", BOOL, True) if before else inside


def _takes_all(x: Context, candidate: C, domain: core.Expression, env: Env) -> bool:
    """Whether the types show that the candidate is in the set."""
    whole = x.typed(domain, env)
    if not operators.is_full(whole):
        return False
    element = operators.element_of(whole)
    # A type of strings holds the model values that it is joined with; STRING does not.
    is_strange = any(isinstance(part, Text) for part in all_parts(element)) and any(
        atom.is_model for part in all_parts(candidate.type) if isinstance(part, Enum) for atom in part.atoms
    )
    return not is_strange and includes(element, candidate.type)


def _has_parts(domain: core.Expression) -> bool:
    """Whether a set is asked part by part, so that it is not evaluated by that."""
    if isinstance(domain, core.Builtin):
        return operators.short_name(domain.operator) not in NUMBERS
    return isinstance(domain, core.SetFilter | core.FunctionSet | core.RecordSet | core.Cartesian)


def _asked(x: Context, e: core.Expression, candidate: C, domain: core.Expression, env: Env) -> C:
    """`candidate \\in domain`, when the set has been evaluated."""
    if _takes_all(x, candidate, domain, env):
        return C(f"((void)({candidate.code}), 1)" if candidate.risky else "1", BOOL, candidate.risky)
    domain, env = unfolded(x, domain, env)
    match domain:
        case core.Builtin():
            return _member_builtin(x, e, candidate, domain, env)
        case core.SetFilter():
            statements, bound = bind_element(x, domain.binder, candidate)
            assert domain.binder.domain is not None
            inside = _asked(x, e, candidate, domain.binder.domain, env)
            # The predicate may speak only of elements of the domain, whose type can be smaller.
            element = operators.element_of(x.typed(domain.binder.domain, env))
            if not includes(element, candidate.type):
                whole = member_of_value(x, candidate, x.compile(domain, env))
                return _together("&&", [inside, whole]) if inside.risky else whole
            condition = x.condition(domain.body, env.bind(bound))
            return C(
                f"({inside.code} && ({{ {statements} {condition.code}; }}))", BOOL, inside.risky or condition.risky
            )
        case core.FunctionSet():
            return _member_function(x, e, candidate, domain, env)
        case core.RecordSet():
            return _member_record(x, e, candidate, domain, env)
        case core.Cartesian():
            return _member_product(x, e, candidate, domain, env)
    return _member_of_whole(x, candidate, domain, env)


def _member_of_whole(x: Context, candidate: C, domain: core.Expression, env: Env) -> C:
    """`candidate \\in domain` where the set is a table, or is built."""
    if _may_ask_of_subsets(x, candidate, domain, env):
        raise x.refuse(domain, "membership of what may be no set where sets are described")
    found = in_table(x, candidate, known_table(x, domain)) if is_table(x, domain, env) else None
    return found if found is not None else member_of_value(x, candidate, x.only(domain, x.compile(domain, env), Set))


def _may_ask_of_subsets(x: Context, candidate: C, domain: core.Expression, env: Env) -> bool:
    """Whether TLC may ask what is no set, of which it does not say whether it is in SUBSET S."""
    if isinstance(candidate.type, Set | Nothing) or not any(
        isinstance(part, core.Builtin) and operators.short_name(part.operator) == "SUBSET" for part in reached(domain)
    ):
        return False
    return any(isinstance(kind, Set) for kind in members_of(operators.element_of(x.typed(domain, env))))


def member_of_value(x: Context, candidate: C, value: C) -> C:
    if not isinstance(value.type, Set):
        raise NotCompilable(None, "membership in what may be no set")
    element = value.type.element
    if isinstance(element, Nothing):
        return x.after(candidate, x.after(value, C("0", BOOL)))
    if may_clash(candidate.type, element):
        raise NotCompilable(None, "membership of a value of another kind")
    statements, s = x.held(value)
    y = x.name()
    size = x.universe_size(element)
    if x.routines.structures.listed_size(element) is not None:
        position = position_of(x.routines, element, y, candidate.risky)
        found = f"listed_({s.code}.a, {s.code}.n, {position})"
    elif size is None:
        z = x.name()
        equal = equal_at(x.routines, element, element_in(x.routines, value.type, z), y)
        body = f"if ({equal}) {{ {y}in = 1; break; }}"
        found = f"({{ I {y}in = 0; {each_element(x.routines, value.type, s.code, z, body)} {y}in; }})"
    else:
        rank = rank_within(x.routines, element, y, candidate.risky)
        found = f"({{ I r_ = {rank}; (I)({s.code}.w[r_ >> 6] >> (r_ & 63) & 1); }})"
    convert = converting(x.routines, candidate.type, element, candidate.code, f"&{y}")
    code = f"({{ {statements} {x.zero(element, y)} {convert} ? {found} : 0; }})"
    return C(code, BOOL, candidate.risky or value.risky)


def _member_of_domain(x: Context, candidate: C, function: C) -> C:
    """`candidate \\in DOMAIN f`, of a map."""
    type_ = function.type
    assert isinstance(type_, Function)
    if may_clash(candidate.type, type_.key):
        raise NotCompilable(None, "membership of a value of another kind")
    statements, f = x.held(function)
    k, find = x.name(), finding(x.routines, type_)
    convert = converting(x.routines, candidate.type, type_.key, candidate.code, f"&{k}")
    inside = f"{convert} && {find}(&{f.code}, &{k}) >= 0"
    code = f"({{ {statements} {x.zero(type_.key, k)} {inside}; }})"
    return C(code, BOOL, candidate.risky or function.risky)


def _member_builtin(x: Context, e: core.Expression, candidate: C, domain: core.Builtin, env: Env) -> C:
    name = operators.short_name(domain.operator)
    arguments = domain.arguments
    if isinstance(candidate.type, Union) and (name in NUMBERS or name == "SUBSET"):
        return _member_of_kinds(x, e, candidate, candidate.type, domain, env)
    if name == ".." and isinstance(candidate.type, Int):
        low, high = (x.number(a, env) for a in arguments)
        tests = [
            C(f"({low.code} <= {candidate.code})", BOOL, low.risky),
            C(f"({candidate.code} <= {high.code})", BOOL, high.risky),
        ]
        return _together("&", tests, candidate.risky)
    if name == "Nat" and isinstance(candidate.type, Int):
        return C(f"({candidate.code} >= 0)", BOOL, candidate.risky)
    if name == "STRING" and isinstance(candidate.type, Enum) and compared_as(candidate.type) <= {"Text"}:
        return C(f"(!is_model_[{candidate.code}])", BOOL, candidate.risky)
    if name == "SUBSET" and not isinstance(candidate.type, Set | Nothing):
        return C(f"({{ {x.fail(e)} (I)0; }})", BOOL, True)
    if name == "SUBSET" and isinstance(candidate.type, Set):
        y = x.name()
        item = C(element_in(x.routines, candidate.type, y), candidate.type.element, lvalue=True)
        inside = _asked(x, e, item, arguments[0], env)
        loop = each_element(
            x.routines, candidate.type, candidate.code, y, f"if (!({inside.code})) {{ {y}all = 0; break; }}"
        )
        # `break` leaves the innermost of two loops only; the flag stays 0.
        return C(f"({{ I {y}all = 1; {loop} {y}all; }})", BOOL, candidate.risky or inside.risky)
    if name == "Seq" and isinstance(candidate.type, Seq | Tuple):
        sequence = x.sequence(domain, candidate)
        statements, s = x.held(sequence)
        assert isinstance(s.type, Seq)
        if isinstance(s.type.element, Nothing):
            return x.after(sequence, C("1", BOOL))
        y = x.name()
        inside = _asked(x, e, C(y, s.type.element, lvalue=True), arguments[0], env)
        loop = (
            f"for (I {y}i = 0; {y}i < {s.code}.n; {y}i++) {{ {x.c_type(s.type.element)} {y} = {s.code}.a[{y}i]; "
            f"if (!({inside.code})) {{ {y}all = 0; break; }} }}"
        )
        return C(f"({{ {statements} I {y}all = 1; {loop} {y}all; }})", BOOL, candidate.risky or inside.risky)
    if name == "DOMAIN":
        function = x.compile(arguments[0], env)
        if is_map(function.type):
            return _member_of_domain(x, candidate, function)
    if name == "UNION":
        found = _member_of_some(x, e, candidate, arguments[0], env)
        if found is not None:
            return found
    if name in ("\\cup", "\\union"):
        return _member_of_union(x, e, candidate, domain, env)
    if name in ("\\cap", "\\intersect"):
        tests = [_asked(x, e, candidate, a, env) for a in arguments]
        return _together("&&", tests)
    if name == "\\":
        inside, outside = (_asked(x, e, candidate, a, env) for a in arguments)
        return _together("&&", [inside, C(f"(!{outside.code})", BOOL, outside.risky)])
    return _member_of_whole(x, candidate, domain, env)


def _member_of_kinds(x: Context, e: core.Expression, candidate: C, kinds: Union, domain: core.Builtin, env: Env) -> C:
    """A value of several kinds in a set of numbers, or in SUBSET S.

    Other kinds cannot be asked, but that a model value is no number; whether it is in SUBSET S TLC does not say.
    """
    code, risky = "0", candidate.risky
    of_sets = operators.short_name(domain.operator) == "SUBSET"
    for i, member in enumerate(kinds.members):
        if isinstance(member, Set if of_sets else Int):
            inside = _asked(x, e, C(f"{candidate.code}.m{i}", member, lvalue=True), domain, env)
            code, risky = f"({candidate.code}.tag == {i} ? {inside.code} : {code})", risky or inside.risky
        elif of_sets or compared_as(member):
            code, risky = f"({candidate.code}.tag == {i} ? ({{ {x.fail(e)} (I)0; }}) : {code})", True
    return C(code, BOOL, risky)


def _member_of_union(x: Context, e: core.Expression, candidate: C, domain: core.Builtin, env: Env) -> C:
    """In one of two sets, asked one after the other; TLC unites those that are listed first, and compares elements."""
    whole = x.typed(domain, env)
    if not any(map(is_lazy, domain.arguments)) and isinstance(whole, Set) and element_may_clash(whole.element):
        raise x.refuse(domain, "a union of sets whose elements TLC may not be able to compare")
    return _together("||", [_asked(x, e, candidate, items, env) for items in domain.arguments])


def _member_of_some(x: Context, e: core.Expression, candidate: C, sets: core.Expression, env: Env) -> C | None:
    """`candidate \\in UNION {S : …}`, asked of one set after the other; None where one of the sets may fail.

    TLC sorts several sets first, for which it evaluates all conditions in them, and not the candidate's alone.
    """
    sets, env = unfolded(x, sets, env)
    several: Sequence[core.Expression] = ()
    if isinstance(sets, core.SetMap):
        several = (sets.body,)
    elif isinstance(sets, core.SetEnumeration) and len(sets.items) > 1:
        several = sets.items
    if any(isinstance(part, core.SetFilter) or is_endless(part) for part in reached(*several)):
        return None
    whole = x.typed(sets, env)
    if several and isinstance(whole, Set) and element_may_clash(whole.element):
        return None  # they may be such that TLC cannot sort them
    if isinstance(sets, core.SetEnumeration) and sets.items and all(map(is_lazy, sets.items)):
        asked = [_asked(x, e, candidate, part, env) for part in sets.items]
        return None if any(a.risky for a in asked) else _together("||", asked, candidate.risky)
    if not isinstance(sets, core.SetMap) or not is_lazy(sets.body):
        return None
    body, result, end = sets.body, x.name("q"), x.name("end")
    risks: list[bool] = []

    def ask(_: list[C], inner: Env) -> str:
        inside = _asked(x, e, candidate, body, inner)
        risks.append(inside.risky)
        return f"if ({inside.code}) {{ {result} = 1; goto {end}; }}"

    loop, risky = nested(x, sets.binders, env, ask, leaves=True)
    if risky or any(risks):
        return None
    return C(f"({{ __label__ {end}; I {result} = 0; {loop} {end}:; {result}; }})", BOOL, candidate.risky)


def _together(operator: str, tests: Sequence[C], risky: bool = False) -> C:
    """Membership in several sets, by `&&` or `||`."""
    return C(f"({f' {operator} '.join(test.code for test in tests)})", BOOL, risky or any(t.risky for t in tests))


def _member_function(x: Context, e: core.Expression, candidate: C, domain: core.FunctionSet, env: Env) -> C:
    """`f \\in [S -> T]`: DOMAIN f = S and every value in T."""
    f = core.Binding("f", e.at)
    inner = env.bind({f: candidate})
    reference = core.Reference(e.at, f)
    keys = core.Builtin(e.at, "DOMAIN", (reference,))
    if isinstance(candidate.type, Union | Set | Int | Bool | Enum | Text):
        raise x.refuse(domain, "membership of a value that may be no function")
    if isinstance(candidate.type, Seq) and candidate.type.most == 0:
        return x.compile(core.Builtin(e.at, "=", (domain.domain, core.SetEnumeration(e.at, ()))), env)
    y = core.Binding("y", e.at)
    applied = core.FunctionApplication(e.at, reference, core.Reference(e.at, y))
    same = x.condition(core.Builtin(e.at, "=", (keys, domain.domain)), inner)
    result, end = x.name("q"), x.name("end")
    risks: list[bool] = []

    def ask(_: list[C], env: Env) -> str:
        statements, value = x.held(x.compile(applied, env))
        inside = _asked(x, e, value, domain.range, env)
        risks.append(inside.risky or value.risky)
        return f"{statements} if (!({inside.code})) {{ {result} = 0; goto {end}; }}"

    loop, risky = nested(x, (core.Binder((y,), False, keys),), inner, ask)
    every = f"({{ __label__ {end}; I {result} = 1; {loop} {end}:; {result}; }})"
    return C(f"({same.code} && {every})", BOOL, same.risky or risky or any(risks))


def _member_record(x: Context, e: core.Expression, candidate: C, domain: core.RecordSet, env: Env) -> C:
    names = tuple(sorted(name for name, _ in domain.fields))
    if isinstance(candidate.type, Union):
        for i, member in enumerate(candidate.type.members):
            if isinstance(member, Record) and member.names == names:
                inner = _member_record(x, e, C(f"{candidate.code}.m{i}", member, lvalue=True), domain, env)
                return C(f"({candidate.code}.tag == {i} && {inner.code})", BOOL, inner.risky or candidate.risky)
        if all(isinstance(m, Record | Seq | Tuple) or not compared_as(m) for m in candidate.type.members):
            return C("0", BOOL, candidate.risky)
    if not isinstance(candidate.type, Record):
        if not compared_as(candidate.type):
            return C("0", BOOL)
        raise x.refuse(domain, "membership of a value that may be no record")
    if candidate.type.names != names:
        return C("0", BOOL)
    tests = []
    for name, value in fields_in_order(x, domain):
        i = names.index(name)
        field_type = candidate.type.field(name)
        assert field_type is not None
        tests.append(_asked(x, e, C(f"{candidate.code}.f{i}", field_type, lvalue=True), value, env))
    return _together("&&", tests, candidate.risky)


def _member_product(x: Context, e: core.Expression, candidate: C, domain: core.Cartesian, env: Env) -> C:
    tests = []
    if isinstance(candidate.type, Tuple) and len(candidate.type.items) == len(domain.factors):
        parts = [C(f"{candidate.code}.f{i}", item, lvalue=True) for i, item in enumerate(candidate.type.items)]
    elif isinstance(candidate.type, Seq) and candidate.type.least == candidate.type.most == len(domain.factors):
        parts = [C(f"{candidate.code}.a[{i}]", candidate.type.element, lvalue=True) for i in range(len(domain.factors))]
    else:
        raise x.refuse(domain, "membership of a value that may be no tuple")
    for part, factor in zip(parts, domain.factors, strict=True):
        tests.append(_asked(x, e, part, factor, env))
    return _together("&&", tests, candidate.risky)
