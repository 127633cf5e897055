"""A model as one C program: the packed layout, Init, Next and the properties, with the fixed search behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources

from rmqproof.model.evaluate.order import Order
from rmqproof.model.tla import core
from rmqproof.model.tla.walk import literals
from rmqproof.model.types import TypeReport
from rmqproof.model.types.domain import Atom, Function, Text, Type, Unknown

from .action import Formulas
from .arguments import Signature, Signatures
from .context import Context
from .conversion import Conversions
from .errors import NotCompilable
from .forms import FORMS
from .predicates import Wanted, conditions
from .representation import Atoms, Capacity, Structures, bounded, refuse_mixed
from .symmetry import Permutation, Permuting, closed, moved_by, table
from .terms import C, Env

SEARCH = ("fingerprints", "runs", "workers", "violations", "expand", "search", "interface")
ENGINE = (*SEARCH, "kernel", "labels", "simulate", "guard")
"""The C text behind the generated part, in its order."""
FULL = (1 << 63) - 1
"""A word with all its bits."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where each variable lies in a packed state: (bit, bits), 63 bits to a word."""

    variables: tuple[core.Variable, ...]
    types: tuple[Type, ...]
    places: tuple[tuple[int, int], ...]
    atoms: Atoms

    @property
    def words(self) -> int:
        end = max((at + bits for at, bits in self.places), default=0)
        return max(1, (end + 62) // 63)


@dataclass(frozen=True, slots=True)
class Program:
    """C text, and what is needed to read its results."""

    source: str
    layout: Layout
    actions: tuple[str, ...]
    places: tuple[core.Node, ...]
    """What can fail at run time, by the number that the program reports."""
    signatures: tuple[Signature, ...] = ()
    """The types of the arguments that a step can carry."""
    labels: tuple[bool, ...] = ()
    """Which of the liveness check's predicates have a form in C."""


def compile_model(
    model: core.Model,
    report: TypeReport,
    capacities: dict[core.Variable, Capacity],
    capacity: Capacity,
    *,
    check_deadlock: bool,
    group: Sequence[Permutation] | None = None,
    arguments: bool = False,
    labels: Sequence[Wanted] = (),
) -> Program:
    """`group`: the permutations of SYMMETRY. `arguments`: steps carry the arguments of their actions. `labels`:
    predicates of the liveness check; those without a form in C are left out.

    Raise `NotCompilable` where a construct has no form in C.
    """
    return _Builder(model, report, capacities, capacity, check_deadlock, group, arguments, labels).build()


class _Builder:
    def __init__(
        self,
        model: core.Model,
        report: TypeReport,
        capacities: dict[core.Variable, Capacity],
        capacity: Capacity,
        check_deadlock: bool,
        group: Sequence[Permutation] | None,
        arguments: bool,
        labels: Sequence[Wanted],
    ) -> None:
        self.model = model
        self.predicates = labels
        self.group = [p for p in group or () if any(a != b for a, b in p.items())]
        if model.symmetry is not None and group is None:
            raise NotCompilable(model.symmetry.at, "SYMMETRY of which the permutations are not known")
        self.check_deadlock = check_deadlock
        self.variables = model.specification.variables
        self.atoms = Atoms(order=Order(model.words))
        self._number_atoms()
        self.structures = Structures()
        self.conversions = Conversions(self.structures, self.atoms)
        types: dict[core.Variable, Type] = {}
        for variable in self.variables:
            limits = capacities.get(variable, capacity)
            types[variable] = closed(bounded(report.variables[variable], limits), self.group)
            try:
                self.structures.of(types[variable])
                self.conversions.bits(types[variable])
                refuse_mixed(types[variable])
            except NotCompilable as error:
                unknown = [c.at for c in report.contributions.get(variable, ()) if isinstance(c.type, Unknown)]
                at = unknown[0] if unknown else variable.at
                raise NotCompilable(at, f"variable {variable.name}: {error.construct}") from error
        self.types = types
        self.expressions = Context(
            FORMS,
            types,
            report.landmarks,
            capacity,
            self.atoms,
            self.structures,
            self.conversions,
            report.passed,
        )
        self.actions: list[str] = []
        self.signatures = Signatures(self.expressions) if arguments else None
        self.layout = self._layout()
        self.replaced: set[core.Variable] = set()
        """Functions of which steps change some elements only."""

    def _number_atoms(self) -> None:
        """Number all strings and model values in the order of values, so that ranks follow it."""
        model = self.model
        found: set[Atom] = {Atom(name, True) for name in model.model_values}
        found |= {Atom(name, True) for permutation in self.group for name in permutation.values()}
        seen: set[int] = set()
        parts = [p for p in (model.initial, model.next) if p is not None]
        definitions = [*model.invariants, *model.constraints, *model.action_constraints]
        definitions += [d for d in (model.view, model.symmetry) if d is not None]
        definitions += [p.definition for p in model.properties]
        for part in (*parts, *(d.body for d in definitions), *(p.expression for p in self.predicates)):
            found.update(Atom(value) for value in literals(part, seen) if isinstance(value, str))
        for atom in self.atoms.sorted(found):
            self.atoms.number(atom)

    def _layout(self) -> Layout:
        at, places = 0, []
        for variable in self.variables:
            bits = self.conversions.bits(self.types[variable])
            # A variable that fits a word does not straddle two.
            if bits <= 63 and at % 63 + bits > 63:
                at += 63 - at % 63
            places.append((at, bits))
            at += bits
        return Layout(self.variables, tuple(self.types[v] for v in self.variables), tuple(places), self.atoms)

    # --- the parts ----------------------------------------------------------------------------------------------

    def build(self) -> Program:
        model = self.model
        if model.initial is None or model.next is None:
            raise NotCompilable(None, "a specification without Init or Next")
        state = Env(primed=None)
        step = Env(current="s", after="t")
        initial = Formulas(self.expressions, self.variables, self._emit_initial, initial=True)
        init = initial.compile(model.initial, Env(primed={}, next=True))
        successors = self._successors(model.next)
        properties = model.properties
        checks = {
            "invariants_": [self._test(d, d.body, state) for d in model.invariants]
            + [self._test(p, e, state) for p in properties for e in p.always],
            "initial_properties_": [self._test(p, e, state) for p in properties for e in p.initial],
        }
        steps = [self._test(p, e, step) for p in properties for e in p.steps]
        within = [self.expressions.condition(d.body, state).code for d in model.constraints]
        allowed = [self.expressions.condition(d.body, step).code for d in model.action_constraints]
        view = None
        if model.view is not None:
            view = self.expressions.compile(model.view.body, state)
        labels = conditions(self.expressions, self.predicates)
        source = self._text(init, successors, checks, steps, within, allowed, view, labels)
        signatures = tuple(self.signatures.found) if self.signatures is not None else ()
        return Program(
            *(source, self.layout, tuple(self.actions), tuple(self.expressions.places), signatures),
            tuple(code is not None for code in labels),
        )

    def _test(self, name: object, e: core.Expression, env: Env) -> str:
        return self.expressions.condition(e, env).code

    def _successors(self, e: core.Expression) -> str:
        public = frozenset(self.model.specification.definitions.values())
        showing = self.signatures is not None
        formulas = Formulas(self.expressions, self.variables, self._emit_step, False, public, showing, not showing)
        return formulas.compile(e, Env(primed={}))

    def _emit_step(self, env: Env, at: core.Expression) -> str:
        name = env.step.name or "Next"
        if name not in self.actions:
            self.actions.append(name)
        shown = self.signatures.put(env.step.arguments) if self.signatures is not None else ""
        return self._emit(env, at, self.actions.index(name), shown)

    def _emit_initial(self, env: Env, at: core.Expression) -> str:
        return self._emit(env, at, 0)

    def _emit(self, env: Env, at: core.Expression, action: int, shown: str = "") -> str:
        """Statements that emit the next state, of which all variables are assigned; `shown` puts its arguments."""
        primed = env.primed or {}
        if any(v not in primed for v in self.variables):
            return self.expressions.fail(at)  # as in TLC, when it is reached: what is switched off assigns nothing
        changed = [v for v in self.variables if primed[v].code != f"s->v{v.index}"]
        replaced = [v for v in changed if primed[v].changes]
        changed = [v for v in changed if not primed[v].changes]
        self.replaced.update(replaced)
        keep = []
        for i, mask in enumerate(self._masks(changed)):
            if mask == FULL or len(changed) == len(self.variables):
                keep.append(f"w[{i}] = 0;")
            elif mask == 0:
                keep.append(f"w[{i}] = c->base[{i}];")
            else:
                keep.append(f"w[{i}] = c->base[{i}] & {hex(FULL & ~mask)}ULL;")
        packs = "".join(f" pack{v.index}_(w, &{primed[v].code});" for v in changed)
        for v in replaced:
            for change in primed[v].changes:
                packs += f" if ({change.rank} >= 0) replace{v.index}_(w, {change.rank}, &{change.value});"
        return f"{{ W *w = slot_(c); {' '.join(keep)}{packs} {shown}c->actions[c->count++] = {action}; }}"

    def _text(
        self,
        init: str,
        successors: str,
        checks: dict[str, list[str]],
        steps: list[str],
        within: list[str],
        allowed: list[str],
        view: C | None,
        labels: list[str | None],
    ) -> str:
        x, layout = self.expressions, self.layout
        fields = " ".join(
            f"{self.structures.of(t)} v{v.index};" for v, t in zip(layout.variables, layout.types, strict=True)
        )
        packing = []
        reading = []
        for v, type_, (at, _) in zip(layout.variables, layout.types, layout.places, strict=True):
            c_type = self.structures.of(type_)
            body = "\n    ".join(self.conversions.pack(type_, "(*x)", at))
            arguments = f"W *restrict w, const {c_type} *restrict x"
            packing.append(f"static void pack{v.index}_({arguments}) {{ (void)w; (void)x;\n    {body}\n}}")
            if v in self.replaced:
                packing.append(self._replacing(v, type_, at))
            reading.append("\n    ".join(self.conversions.unpack(type_, f"s->v{v.index}", at)))
        newline = "\n    "
        unpack = (
            f"static void unpack_(const W *w, S *s) {{ (void)w; memset(s, 0, sizeof *s);\n    "
            f"{newline.join(reading)}\n}}"
        )
        functions = []
        for name, tests in checks.items():
            functions.append(f"static int {name}(Ctx *c, const S *s, int from) {{ {_first_broken(tests)} }}")
        functions.append(f"static int steps_(Ctx *c, const S *s, const S *t, int from) {{ {_first_broken(steps)} }}")
        for of_step, head in (
            (False, "state_label_(Ctx *c, const S *s"),
            (True, "step_label_(Ctx *c, const S *s, const S *t"),
        ):
            cases = " ".join(
                f"case {i}: return {code};"
                for i, (code, predicate) in enumerate(zip(labels, self.predicates, strict=True))
                if code is not None and predicate.step is of_step
            )
            functions.append(f"static int {head}, int which) {{ switch (which) {{ {cases} }} return 0; }}")
        functions.append(
            f"static int within_(Ctx *c, const S *s) {{ (void)c; (void)s; return {' && '.join(within) or '1'}; }}"
        )
        functions.append(
            f"static int allowed_(Ctx *c, const S *s, const S *t) {{ (void)c; (void)s; (void)t; "
            f"return {' && '.join(allowed) or '1'}; }}"
        )
        functions.append(f"static void successors_(Ctx *c, const S *s) {{ (void)s; {successors} }}")
        functions.append(f"static void init_(Ctx *c) {{ const S *s = 0; (void)s; {init} }}")
        key_words = layout.words
        if view is not None:
            bits = self.conversions.bits(bounded(view.type, x.capacity))
            stored = bounded(view.type, x.capacity)
            value = x.to(view, stored)
            key_words = max(1, (bits + 62) // 63)
            name = "value_"
            pack = " ".join(self.conversions.pack(stored, name, 0))
            functions.append(
                f"static void key_(Ctx *c, const S *s, const W *state, W *w) {{ (void)state; "
                f"memset(w, 0, {key_words} * sizeof(W)); "
                f"{self.structures.of(stored)} {name} = {value.code}; {pack} }}"
            )
        elif self.group:
            functions.append(self._least_image())
        start = " ".join((*self.conversions.initialisers, *x.initialisers))
        functions.append(f"static void constants_(Ctx *c) {{ const S *s = 0; (void)s; {start} }}")
        defines = {
            "STATE_WORDS": layout.words,
            "KEY_WORDS": key_words,
            "HAS_KEY": int(view is not None or bool(self.group)),
            "ARGUMENT_WORDS": self.signatures.words if self.signatures is not None else 0,
            "ACTIONS": len(self.actions),
            "CHECK_DEADLOCK": int(self.check_deadlock),
            "HAS_CONSTRAINTS": int(bool(within or allowed)),
            "HAS_STEPS": int(bool(steps)),
            "INVARIANTS": len(checks["invariants_"]),
            "INITIAL_PROPERTIES": len(checks["initial_properties_"]),
            "STEP_PROPERTIES": len(steps),
        }
        return "\n".join(
            [
                f"/* {self.model.specification.name}: generated. */",
                _fixed("allocation.c"),
                _fixed("prelude.c"),
                *(f"#define {name} {value}" for name, value in defines.items()),
                *self.structures.definitions,
                f"typedef struct {{ {fields} }} S;",
                "static inline W *slot_(Ctx *c);",
                *self._tables(),
                *self.conversions.functions,
                *x.constants,
                *x.prototypes,
                *x.functions,
                *packing,
                unpack,
                *functions,
                *(_fixed(f"{part}.c") for part in ENGINE),
            ]
        )

    def _replacing(self, variable: core.Variable, type_: Type, at: int) -> str:
        """A function that puts one element of a function in the place of another, by rank."""
        assert isinstance(type_, Function)
        each, element = self.conversions.bits(type_.value), self.structures.of(type_.value)
        size = (each + 62) // 63
        packs = " ".join(self.conversions.pack(type_.value, "(*x)", 0))
        if at // 63 == (at + self.conversions.bits(type_) - 1) // 63:
            sets = f"set_bits_(w + {at // 63}, {at % 63} + (unsigned)r * {each}, {each}, e[0]);" if each else ""
        else:
            sets = " ".join(
                f"set_(w, {at + 63 * i} + (U)r * {each}, {min(63, each - 63 * i)}, e[{i}]);" for i in range(size)
            )
        return (
            f"static void replace{variable.index}_(W *restrict v, I r, const {element} *restrict x) {{ "
            f"(void)v; (void)r; (void)x; W e[{max(1, size)}] = {{0}}; {{ W *w = e; (void)w; {packs} }} "
            f"{{ W *w = v; (void)w; {sets} }} }}"
        )

    def _least_image(self) -> str:
        """The key of a state: the least of its images, compared variable by variable.

        What is cheap to permute comes first: an image that is larger there is not made any further.
        """
        layout = self.layout
        permuting = Permuting(self.conversions, moved_by(self.group), len(self.group))
        changing = [v for v in layout.variables if permuting.moves(self.types[v])]
        changing.sort(key=lambda v: self.structures.size(self.types[v]))
        masks = self._masks(changing)
        keep = " ".join(f"image[{i}] = state[{i}] & {hex(FULL & ~mask)}ULL;" for i, mask in enumerate(masks))
        steps = []
        for v in changing:
            c_type = self.structures.of(self.types[v])
            value = permuting.image(self.types[v], f"s->v{v.index}", "y")
            compared = " ".join(
                f"if (!less) {{ W a = image[{i}] & {hex(mask)}ULL, b = w[{i}] & {hex(mask)}ULL; "
                f"if (a > b) continue; less = a < b; }}"
                for i, mask in enumerate(self._masks([v]))
                if mask
            )
            steps.append(f"{{ {c_type} y; {value} pack{v.index}_(image, &y); }} {compared}")
        return (
            f"static void key_(Ctx *c, const S *s, const W *state, W *w) {{ (void)s; memcpy(w, state, {layout.words} * "
            f"sizeof(W)); for (int g = 0; g < {len(self.group)}; g++) {{ "
            f"int less = 0; W image[{layout.words}]; {keep} {' '.join(steps)} "
            f"if (less) memcpy(w, image, sizeof image); }} }}"
        )

    def _masks(self, changed: list[core.Variable]) -> list[int]:
        """For each word, the bits of these variables."""
        masks = [0] * self.layout.words
        for v in changed:
            position, bits = self.layout.places[v.index]
            for bit in range(position, position + bits):
                masks[bit // 63] |= 1 << (bit % 63)
        return masks

    def _tables(self) -> list[str]:
        """Which atoms are model values, and the ranks of atoms in enumerations."""
        numbers = self.atoms.numbers
        count = max(1, len(numbers))
        flags = ", ".join(str(int(atom.is_model)) for atom in numbers) or "0"
        lines = [f"static const uint8_t is_model_[{count}] __attribute__((unused)) = {{ {flags} }};"]
        for name, type_ in self.conversions.tables:
            inside = sorted(type_.atoms, key=lambda atom: numbers[atom])
            ranks = {atom: rank for rank, atom in enumerate(inside)}
            row = ", ".join(str(ranks.get(atom, -1)) for atom in numbers)
            back = ", ".join(str(numbers[atom]) for atom in inside) or "0"
            lines.append(f"static const int16_t {name}[{count}] __attribute__((unused)) = {{ {row} }};")
            lines.append(
                f"static const int16_t {name}_of[{max(1, len(inside))}] __attribute__((unused)) = {{ {back} }};"
            )
        if self.group:
            lines.append(table(self.atoms, self.group))
        return lines


def _first_broken(tests: Sequence[str]) -> str:
    """The first test from number `from` on that fails, or -1."""
    lines = " ".join(f"case {i}: if (!({test})) return {i};" for i, test in enumerate(tests))
    return f"switch (from) {{ {lines} default: return -1; }}"


def _fixed(name: str) -> str:
    return resources.files(__package__).joinpath("c", name).read_text(encoding="utf-8")


__all__ = ["Layout", "Program", "Text", "compile_model"]
