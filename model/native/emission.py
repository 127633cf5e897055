"""States to C: statements that emit the next state, functions that pack a state and read it back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from itertools import groupby

from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.types.domain import Function, Type

from .arguments import Signatures
from .context import Context
from .layout import FULL, WORD_BITS, Layout
from .packing import UNROLLED, bits_of, packing, unpacking
from .routines import Routines
from .terms import Env


@dataclass(slots=True)
class Emission:
    """What the formulas of Init and Next do with a state of which every variable has its value."""

    context: Context
    layout: Layout
    signatures: Signatures | None
    """Of the arguments that steps carry, where they do."""
    actions: list[str] = field(default_factory=list)
    replaced: set[core.Variable] = field(default_factory=set)
    """Functions of which steps change some elements only."""

    def initial(self, env: Env, at: core.Expression) -> str:
        return self._emit(env, at, 0, "")

    def step(self, env: Env, at: core.Expression) -> str:
        name = env.step.name or "Next"
        if name not in self.actions:
            self.actions.append(name)
        shown = self.signatures.put(env.step.arguments) if self.signatures is not None else ""
        return self._emit(env, at, self.actions.index(name), shown)

    def _emit(self, env: Env, at: core.Expression, action: int, shown: str) -> str:
        """Statements that emit the next state, of which all variables are assigned; `shown` puts its arguments."""
        primed, variables = env.primed or {}, self.layout.variables
        if any(v not in primed for v in variables):
            return self.context.fail(at)  # as in TLC, when it is reached: what is switched off assigns nothing
        changed = [v for v in variables if primed[v].code != f"s->v{v.index}"]
        replaced = [v for v in changed if primed[v].changes]
        changed = [v for v in changed if not primed[v].changes]
        self.replaced.update(replaced)
        masks = [FULL] * self.layout.words if len(changed) == len(variables) else self.layout.masks(changed)
        keep = _kept(masks)
        packs = "".join(f" pack{v.index}_(w, &{primed[v].code});" for v in changed)
        for v in replaced:
            for change in primed[v].changes:
                packs += f" if ({change.rank} >= 0) replace{v.index}_(w, {change.rank}, &{change.value});"
        return f"{{ W *w = slot_(c); {' '.join(keep)}{packs} {shown}c->actions[c->count++] = {action}; }}"


def _kept(masks: Sequence[int]) -> Iterator[str]:
    """Statements that copy a state's words without the bits of `masks`, which become zero."""
    at = 0
    for mask, run in groupby(masks):
        size = len(list(run))
        if size > UNROLLED and mask in (0, FULL):
            value = f"memset(w + {at}, 0, {size} * sizeof(W));"
            yield value if mask else f"memcpy(w + {at}, c->base + {at}, {size} * sizeof(W));"
        else:
            kept = "0" if mask == FULL else "c->base[{0}]" if mask == 0 else f"c->base[{{0}}] & {hex(FULL & ~mask)}ULL"
            yield from (f"w[{i}] = {kept.format(i)};" for i in range(at, at + size))
        at += size


def state_functions(r: Routines, layout: Layout, replaced: Iterable[core.Variable], remembers: bool) -> list[str]:
    """C functions that pack each variable, that replace an element of those `replaced`, and that unpack a state.

    `remembers`: with a state go values of operators, none of which is known yet."""
    functions, reading = [], []
    for v, type_, (at, _) in zip(layout.variables, layout.types, layout.spans, strict=True):
        body = "\n    ".join(packing(r, type_, "(*x)", at))
        arguments = f"W *restrict w, const {r.structures.of(type_)} *restrict x"
        functions.append(f"static void pack{v.index}_({arguments}) {{ (void)w; (void)x;\n    {body}\n}}")
        if v in replaced:
            functions.append(_replacing(r, v, type_, at))
        reading.append("\n    ".join(unpacking(r, type_, f"s->v{v.index}", at)))
    lines = "\n    ".join(reading)
    size = "__builtin_offsetof(S, remembered_)" if remembers else "sizeof *s"
    unpack = f"static void unpack_(const W *w, S *s) {{ (void)w; memset(s, 0, {size});\n    {lines}\n}}"
    return [*functions, unpack]


def _replacing(r: Routines, variable: core.Variable, type_: Type, at: int) -> str:
    """A function that puts one element of a function in the place of another, by rank."""
    assert isinstance(type_, Function)
    each, element = bits_of(r, type_.value), r.structures.of(type_.value)
    size = (each + WORD_BITS - 1) // WORD_BITS
    packs = " ".join(packing(r, type_.value, "(*x)", 0))
    if at // WORD_BITS == (at + bits_of(r, type_) - 1) // WORD_BITS:
        start = f"{at % WORD_BITS} + (unsigned)r * {each}"
        sets = f"set_bits_(w + {at // WORD_BITS}, {start}, {each}, e[0]);" if each else ""
    else:
        sets = " ".join(
            f"set_(w, {at + WORD_BITS * i} + (U)r * {each}, {min(WORD_BITS, each - WORD_BITS * i)}, e[{i}]);"
            for i in range(size)
        )
    return (
        f"static void replace{variable.index}_(W *restrict v, I r, const {element} *restrict x) {{ "
        f"(void)v; (void)r; (void)x; W e[{max(1, size)}] = {{0}}; {{ W *w = e; (void)w; {packs} }} "
        f"{{ W *w = v; (void)w; {sets} }} }}"
    )
