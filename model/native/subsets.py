"""Loops over the subsets of a set."""

from __future__ import annotations

from rmqproof.model.tla import core
from rmqproof.model.types import operators
from rmqproof.model.types.domain import Set

from .code_motion import outermost
from .context import Context
from .elements import added, each_element, element_in
from .representation import words
from .terms import Body, C, Env
from .unfolding import unfolded

MOST_KEPT = 64
"""As many subsets are kept of those that a loop finds again and again."""


def each_subset(x: Context, e: core.Builtin, env: Env, body: Body) -> tuple[str, bool]:
    base = x.only(e, x.compile(e.arguments[0], env), Set)
    i = x.name("i")
    prepare, build, element = _subsets(x, e, base, i)
    inner = body(element)
    code = (
        f"{{ {prepare} else {{ U {i} = 0; do {{ {build} {{ {inner} }} "
        f"{i} = next_subset_(c, {i}, (int){i}n); }} while ({i}); }} }}"
    )
    return code, base.risky


def _subsets(x: Context, e: core.Builtin, base: C, i: str) -> tuple[str, str, C]:
    """Statements before a loop over the subsets of `base`, which count its elements and end with an `if` for too
    many; statements that make the subset of which `i` is the number; that subset.
    """
    if not isinstance(base.type, Set):
        raise x.refuse(e, "the subsets of a set that is not known")
    size = x.universe_size(base.type.element)
    statements, held = x.held(base)
    element = x.name()
    type_ = Set(base.type.element, base.type.most)
    if size is not None and words(size) == 1:
        listing = f"U {i}all = {held.code}.w[0]; int {i}n = __builtin_popcountll({i}all);"
        build = (
            f"{x.c_type(type_)} {element}; {element}.w[0] = 0; U {i}r = {i}all; "
            f"for (U b_ = {i}n ? (U)1 << ({i}n - 1) : 0; b_; b_ >>= 1) {{ "
            f"if ({i} & b_) {element}.w[0] |= {i}r & -{i}r; {i}r &= {i}r - 1; }}"
        )
    else:
        if size is None and x.routines.structures.listed_size(base.type.element) is None:
            listing = f"{i}n = {held.code}.n; for (I k_ = 0; k_ < {i}n; k_++) {i}a[k_] = {held.code}.a[k_];"
        else:
            y = x.name()
            listing = each_element(
                x.routines, type_, held.code, y, f"{i}a[{i}n++] = {element_in(x.routines, type_, y)};"
            )
        most = base.type.most if base.type.most is not None else size or 0
        listing = f"{x.c_type(type_.element)} {i}a[{max(1, most)}]; I {i}n = 0; {listing}"
        add = added(x.routines, type_, element, f"{i}a[k_]")
        build = f"{x.zero(type_, element)} for (I k_ = 0; k_ < {i}n; k_++) if ({i} >> ({i}n - 1 - k_) & 1) {{ {add} }}"
    return f"{statements} {listing} if ({i}n > 40) {{ {x.fail(e)} }}", build, C(element, type_, lvalue=True)


def each_kept_subset(x: Context, e: core.SetFilter, env: Env, body: Body) -> tuple[str, bool] | None:
    """A loop over {S \\in SUBSET T : P(S)} that stands in a loop which changes neither T nor P: what was found in a
    turn of that, is not looked for in the next. None where that is not so.

    The subsets that were found are kept, and where to look for the next; if there are too many, those that have no
    room, and what comes after them, are found again each time.
    """
    assert e.binder.domain is not None
    domain, outer = unfolded(x, e.binder.domain, env)
    subsets = isinstance(domain, core.Builtin) and operators.short_name(domain.operator) == "SUBSET"
    if not x.loops or not isinstance(domain, core.Builtin) or not subsets or e.binder.is_tuple:
        return None
    first = x.names
    base = x.only(domain, x.compile(domain.arguments[0], outer), Set)
    i = x.name("i")
    prepare, build, element = _subsets(x, domain, base, i)
    with x.turning(first) as turn:
        condition = x.condition(e.body, env.bind({e.binder.bindings[0]: element}))
    loop = outermost(x.loops, f"{base.code} {condition.code}", first)
    if loop is None:
        return None
    kept = x.name("kept")
    loop.kept[kept] = f"U {kept}a[{MOST_KEPT}], {kept}at = 0; int {kept}n = 0, {kept}done = 0;"
    sure = " && !(c->soft && c->kept)" if condition.risky else ""
    inner = body(element)
    code = (
        f"{{ {turn.declared(condition.code)} {prepare} else {{ "
        f"int {i}j = 0, {i}done = 0, {i}full = 0; U {i}at = 0; for (;;) {{ "
        f"U {i}; int {i}known = {i}j < {kept}n; if ({i}known) {i} = {kept}a[{i}j++]; else {{ "
        f"if (!{i}full) {{ {i}at = {kept}at; {i}done = {kept}done; }} if ({i}done) break; "
        f"{i} = {i}at; {i}at = next_subset_(c, {i}, (int){i}n); {i}done = !{i}at; }} "
        f"{build} if (!{i}known) {{ int {i}holds = {condition.code}; "
        f"if (!{i}full{sure} && (!{i}holds || {kept}n < {MOST_KEPT})) {{ {kept}at = {i}at; {kept}done = {i}done; "
        f"if ({i}holds) {{ {kept}a[{kept}n++] = {i}; {i}j = {kept}n; }} }} else {i}full = 1; "
        f"if (!{i}holds) continue; }} {{ {inner} }} }} }} }}"
    )
    return code, base.risky or condition.risky
