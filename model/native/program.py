"""A model as one C program: the packed layout, Init, Next and the properties, with the fixed search behind them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from importlib import resources

from rmqproof.model.actions.antecedents import Antecedent, antecedents_of
from rmqproof.model.evaluate.values import Order
from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.tla.asking import asks
from rmqproof.model.tla.walk import literals
from rmqproof.model.types.domain import Atom, Type, Unknown
from rmqproof.model.types.infer import TypeReport

from .action import LARGEST_ACTION, Formulas
from .arguments import Signatures
from .colours import canonical_states, orbit_tables
from .context import Context
from .description import Program
from .emission import Emission, state_functions
from .errors import NotCompilable
from .forms import FORMS
from .layout import Layout, layout_of, words_of
from .packing import bits_of, packing
from .predicates import conditions
from .representation import Atoms, Capacity, Structures, bounded
from .routines import Routines
from .symmetry import Group, Interchangeable, atoms_moved_by, closed, image_table
from .terms import C, Env
from .unreached import condition_without
from .wanted import Wanted

SEARCH = ("fingerprints", "runs", "workers", "symmetry", "violations", "expand", "search", "interface")
ENGINE = (*SEARCH, "kernel", "labels", "simulate", "guard")
"""The C text behind the generated part, in its order."""
GIVEN = (
    "for (U i_ = 0; i_ < given_count_; i_++) { memcpy(slot_(c), given_ + i_ * STATE_WORDS, STATE_WORDS * sizeof(W)); "
    "c->actions[c->count++] = 0; }"
)
"""Init where the initial states are given: see given.c."""
STATE = Env(primed=None)
STEP = Env(current="s", after="t")


@dataclass(frozen=True, slots=True)
class _Parts:
    """What of the model was compiled: C expressions and statements."""

    init: str | None
    """None: it has no form in C."""
    successors: str
    invariants: list[str]
    initial_properties: list[str]
    steps: list[str]
    within: list[str]
    allowed: list[str]
    by_state: bool
    """Whether it is the state alone that CONSTRAINTs ask about, and there is no ACTION_CONSTRAINT."""
    view: C | None
    labels: list[str | None]
    antecedents: list[tuple[str, bool]]
    """Of properties, and whether it is about a step."""


def compile_model(
    model: core.Model,
    report: TypeReport,
    capacities: dict[core.Variable, Capacity],
    capacity: Capacity,
    *,
    check_deadlock: bool,
    group: Group | None = None,
    arguments: bool = False,
    labels: Sequence[Wanted] = (),
    levels: bool = False,
    backed: bool = False,
) -> Program:
    """`group`: the permutations of SYMMETRY. `arguments`: steps carry the arguments of their actions. `labels`:
    predicates of the liveness check; those without a form in C are left out. `levels`: the program is for a search,
    which knows the level of the states that constraints and invariants are asked about. `backed`: the search has the
    Python engine at hand, which gives it the initial states where Init has no form in C, and goes on where an invariant
    comes to what has none.

    Raise `NotCompilable` where a construct has no form in C.
    """
    if model.symmetry is not None and group is None:
        raise NotCompilable(model.symmetry.at, "SYMMETRY of which the permutations are not known")
    group = group or ()
    layout, types, routines = layout_under(model, report, capacities, capacity, group, labels)
    x = Context(FORMS, types, report.landmarks, capacity, routines, report.passed, levels=levels)
    x.capacities = {variable.index: grown for variable, grown in capacities.items()}
    emission = Emission(x, layout, Signatures(x) if arguments else None)
    parts = _compiled(model, x, emission, labels, backed)
    found = tuple(emission.signatures.found) if emission.signatures is not None else ()
    return Program(
        _text(model, x, emission, parts, labels, group, check_deadlock),
        layout,
        tuple(emission.actions),
        tuple(x.sites),
        found,
        tuple(code is not None for code in parts.labels),
        parts.init is not None,
    )


def layout_under(
    model: core.Model,
    report: TypeReport,
    capacities: dict[core.Variable, Capacity],
    capacity: Capacity,
    group: Group,
    labels: Sequence[Wanted],
) -> tuple[Layout, dict[core.Variable, Type], Routines]:
    """Where variables lie under these bounds, and what a program begins with. Raise `NotCompilable`."""
    routines = Routines(Structures(capacity.universe), Atoms(order=Order(model.words)))
    _number_atoms(model, labels, group, routines.atoms)
    types: dict[core.Variable, Type] = {}
    for variable in model.specification.variables:
        types[variable] = stored_type(variable, report, capacities, capacity, group)
        _check_stored(variable, types[variable], report, routines)
    return layout_of(types, routines), types, routines


def stored_type(
    variable: core.Variable,
    report: TypeReport,
    capacities: dict[core.Variable, Capacity],
    capacity: Capacity,
    group: Group,
) -> Type:
    """The type in which the layout holds the variable."""
    return closed(bounded(report.variables[variable], capacities.get(variable, capacity)), group)


def _number_atoms(model: core.Model, labels: Sequence[Wanted], group: Group, atoms: Atoms) -> None:
    """Number all strings and model values in the order of values, so that ranks follow it."""
    found: set[Atom] = {Atom(name, True) for name in model.model_values}
    found |= atoms_moved_by(group)
    seen: set[int] = set()
    parts = [p for p in (model.initial, model.next) if p is not None]
    definitions = [*model.invariants, *model.constraints, *model.action_constraints]
    definitions += [d for d in (model.view, model.symmetry) if d is not None]
    definitions += [p.definition for p in model.properties]
    for part in (*parts, *(d.body for d in definitions), *(label.expression for label in labels)):
        found.update(Atom(value) for value in literals(part, seen) if isinstance(value, str))
    for atom in atoms.sorted(found):
        atoms.number(atom)


def _check_stored(variable: core.Variable, type_: Type, report: TypeReport, routines: Routines) -> None:
    """Raise `NotCompilable` where values of the type cannot be stored, with the place they come from."""
    try:
        routines.structures.of(type_)
        bits_of(routines, type_)
    except NotCompilable as error:
        unknown = [c.at for c in report.contributions.get(variable, ()) if isinstance(c.type, Unknown)]
        at = unknown[0] if unknown else variable.at
        raise NotCompilable(at, f"variable {variable.name}: {error.construct}") from error


def _compiled(model: core.Model, x: Context, emission: Emission, labels: Sequence[Wanted], backed: bool) -> _Parts:
    if model.initial is None or model.next is None:
        raise NotCompilable(None, "a specification without Init or Next")
    variables, showing = emission.layout.variables, emission.signatures is not None
    public = frozenset(model.specification.definitions.values())
    initial = Formulas(x, variables, emission.initial, initial=True)

    def successors(joins: bool, most: int) -> str:
        following = Formulas(x, variables, emission.step, False, public, showing, joins, most, not showing)
        return following.compile(next_, Env(primed={}))

    next_, properties, invariants = model.next, model.properties, [d.body for d in model.invariants]

    start = partial(initial.compile, model.initial, Env(primed={}, next=True))

    def tests(parts: Sequence[core.Expression], env: Env) -> list[str]:
        return [x.condition(part, env).code for part in parts]

    return _Parts(
        init=x.attempt(start) if backed else start(),
        successors=x.attempt(lambda: successors(False, x.capacity.letters)) or successors(True, LARGEST_ACTION),
        invariants=[
            *([condition_without(x, body, STATE) for body in invariants] if backed else tests(invariants, STATE)),
            *tests([e for p in properties for e in p.always], STATE),
        ],
        initial_properties=tests([e for p in properties for e in p.initial], STATE),
        steps=tests([e for p in properties for e in p.steps], STEP),
        within=tests([d.body for d in model.constraints], STATE),
        allowed=tests([d.body for d in model.action_constraints], STEP),
        by_state=not model.action_constraints and not any(asks(d.body) for d in model.constraints),
        view=x.compile(model.view.body, STATE) if model.view is not None else None,
        labels=conditions(x, labels),
        antecedents=[(_noted(x, each), each.step) for each in antecedents_of(model)],
    )


def _noted(x: Context, antecedent: Antecedent) -> str:
    """True where it has no form in C: nothing is said of it then."""
    code = x.attempt(lambda: x.condition(antecedent.expression, STEP if antecedent.step else STATE).code)
    return code if code is not None else "1"


# --- the text ---------------------------------------------------------------------------------------------------


def _text(
    model: core.Model,
    x: Context,
    emission: Emission,
    parts: _Parts,
    labels: Sequence[Wanted],
    group: Group,
    check_deadlock: bool,
) -> str:
    layout, routines = emission.layout, x.routines
    functions = _tests(parts, labels)
    key_words = layout.words
    if group:
        compared = model.specification.compared if parts.view is not None else ()
        functions += canonical_states(routines, layout, group, compared)
    if parts.view is not None:
        key_words, shown = _shown(x, parts.view)
        functions.append(shown)
    if group or parts.view is not None:
        functions.append(_key(bool(group), parts.view is not None))
    fields = " ".join(f"{x.c_type(t)} v{v.index};" for v, t in zip(layout.variables, layout.types, strict=True))
    if x.remembered:
        values = " ".join(f"{x.c_type(t)} v{number}[{n}];" for number, (t, n) in enumerate(x.remembered))
        fields += f" char has_[{sum(n for _, n in x.remembered)}]; struct {{ {values} }} remembered_;"
    states = state_functions(routines, layout, emission.replaced, bool(x.remembered))
    start = " ".join((*routines.initialisers, *x.initialisers))
    functions.append(f"static void constants_(Ctx *c) {{ const S *s = 0; (void)s; {start} }}")
    defines = _defines(emission, parts, group, key_words, check_deadlock)
    written = [*routines.functions, *x.constants, *x.prototypes, *x.functions, *states, *functions]
    alternatives = any("alternative_" in text for text in written)
    return "\n".join(
        [
            f"/* {model.specification.name}: generated. */",
            _fixed("allocation.c"),
            _fixed("prelude.c"),
            *(["static I alternative_;"] if alternatives else []),
            *(["static W *given_; static U given_count_;"] if parts.init is None else []),
            *(f"#define {name} {value}" for name, value in defines.items()),
            *routines.structures.definitions,
            f"typedef struct {{ {fields} }} S;",
            "static inline W *slot_(Ctx *c);",
            *_tables(routines, group),
            *written,
            *(_fixed(f"{part}.c") for part in ENGINE),
            *([_fixed("alternatives.c")] if alternatives else []),
            *([_fixed("given.c")] if parts.init is None else []),
        ]
    )


def _defines(
    emission: Emission, parts: _Parts, group: Group, key_words: int, check_deadlock: bool
) -> dict[str, int | str]:
    """What the C text of the engine is told by macros."""
    defines: dict[str, int | str] = {
        "STATE_WORDS": emission.layout.words,
        "KEY_WORDS": key_words,
        "HAS_KEY": int(parts.view is not None or bool(group)),
        "ARGUMENT_WORDS": emission.signatures.words if emission.signatures is not None else 0,
        "ACTIONS": len(emission.actions),
        "CHECK_DEADLOCK": int(check_deadlock),
        "HAS_CONSTRAINTS": int(bool(parts.within or parts.allowed)),
        "CONSTRAINED_BY_STATE": int(bool(parts.within) and parts.by_state),
        "HAS_STEPS": int(bool(parts.steps)),
        "INVARIANTS": len(parts.invariants),
        "INITIAL_PROPERTIES": len(parts.initial_properties),
        "STEP_PROPERTIES": len(parts.steps),
        "STATE_ANTECEDENTS": _mask(parts, False),
        "STEP_ANTECEDENTS": _mask(parts, True),
    }
    if isinstance(group, Interchangeable):
        defines["ORBITS"] = len(group.sets)
    elif group:
        defines |= {"PERMUTATIONS": len(group), "IN_VALUE_ORDER": int(parts.view is not None)}
    return defines


def _tests(parts: _Parts, labels: Sequence[Wanted]) -> list[str]:
    """C functions for Init, Next, what is checked of states and steps, and what labels them."""

    state, step = "Ctx *c, const S *s", "Ctx *c, const S *s, const S *t"
    codes = [(i, code, label.step) for i, (code, label) in enumerate(zip(parts.labels, labels, strict=True)) if code]
    # each by itself: what a compiler needs for a function grows faster than the function
    label_functions = [
        f"static LABEL_ int label{i}_({step if of_step else state}) {{ return {code}; }}" for i, code, of_step in codes
    ]

    def labelled(of_step: bool) -> str:
        arguments = "c, s, t" if of_step else "c, s"
        cases = " ".join(f"case {i}: return label{i}_({arguments});" for i, _, step in codes if step is of_step)
        return f"switch (which) {{ {cases} }} return 0;"

    return [
        *label_functions,
        f"static int invariants_({state}, int from) {{ {_first_broken(parts.invariants)} }}",
        f"static int initial_properties_({state}, int from) {{ {_first_broken(parts.initial_properties)} }}",
        f"static int steps_({step}, int from) {{ {_first_broken(parts.steps)} }}",
        f"static int antecedent_({state}, int which) {{ (void)c; (void)s; {_antecedent(parts, False)} }}",
        f"static int step_antecedent_({step}, int which) {{ (void)c; (void)s; (void)t; {_antecedent(parts, True)} }}",
        f"static int state_label_({state}, int which) {{ {labelled(False)} }}",
        f"static int step_label_({step}, int which) {{ {labelled(True)} }}",
        f"static int within_({state}) {{ (void)c; (void)s; return {' && '.join(parts.within) or '1'}; }}",
        f"static int allowed_({step}) {{ (void)c; (void)s; (void)t; return {' && '.join(parts.allowed) or '1'}; }}",
        f"static void successors_({state}) {{ (void)s; {parts.successors} }}",
        f"static void init_(Ctx *c) {{ const S *s = 0; (void)s; {parts.init or GIVEN} }}",
    ]


def _mask(parts: _Parts, of_step: bool) -> str:
    return f"((U){sum(1 << i for i, (_, step) in enumerate(parts.antecedents) if step is of_step):#x}ULL)"


def _antecedent(parts: _Parts, of_step: bool) -> str:
    cases = " ".join(f"case {i}: return {code};" for i, (code, step) in enumerate(parts.antecedents) if step is of_step)
    return f"switch (which) {{ {cases} }} return 0;"


def _first_broken(tests: Sequence[str]) -> str:
    """The first test from number `from` on that fails, or -1."""
    lines = " ".join(f"case {i}: if (!({test})) return {i};" for i, test in enumerate(tests))
    return f"switch (from) {{ {lines} default: return -1; }}"


def _shown(x: Context, view: C) -> tuple[int, str]:
    """The words of VIEW's value, and the C function that packs it."""
    stored = bounded(view.type, x.capacity)
    words = words_of(bits_of(x.routines, stored))
    value = x.to(view, stored)
    pack = " ".join(packing(x.routines, stored, "value_", 0))
    return words, (
        f"static void shown_(Ctx *c, const S *s, W *w) {{ "
        f"memset(w, 0, {words} * sizeof(W)); {x.c_type(stored)} value_ = {value.code}; {pack} }}"
    )


def _key(symmetric: bool, viewed: bool) -> str:
    """The C function for what tells a state from others. As in TLC a VIEW is one of the state that SYMMETRY leaves."""
    if not viewed:
        body = "canonical_(c, s, state, w);"
    elif not symmetric:
        body = "(void)state; shown_(c, s, w);"
    else:
        body = (
            "W image[STATE_WORDS]; S kept; canonical_(c, s, state, image); unpack_(image, &kept); shown_(c, &kept, w);"
        )
    return f"static void key_(Ctx *c, const S *s, const W *state, W *w) {{ {body} }}"


def _tables(routines: Routines, group: Group) -> list[str]:
    """Which atoms are model values, the ranks of atoms in enumerations, and their images under SYMMETRY."""
    numbers = routines.atoms.numbers
    count = max(1, len(numbers))
    flags = ", ".join(str(int(atom.is_model)) for atom in numbers) or "0"
    lines = [f"static const uint8_t is_model_[{count}] __attribute__((unused)) = {{ {flags} }};"]
    for name, type_ in routines.tables:
        inside = sorted(type_.atoms, key=lambda atom: numbers[atom])
        ranks = {atom: rank for rank, atom in enumerate(inside)}
        row = ", ".join(str(ranks.get(atom, -1)) for atom in numbers)
        back = ", ".join(str(numbers[atom]) for atom in inside) or "0"
        lines.append(f"static const int16_t {name}[{count}] __attribute__((unused)) = {{ {row} }};")
        lines.append(f"static const int16_t {name}_of[{max(1, len(inside))}] __attribute__((unused)) = {{ {back} }};")
    if isinstance(group, Interchangeable):
        return [*lines, orbit_tables(routines, group)]
    return [*lines, image_table(routines.atoms, group)] if group else lines


def _fixed(name: str) -> str:
    return resources.files(__package__).joinpath("c", name).read_text(encoding="utf-8")
