"""The resolved tree: what every back end reads.

Names are bound to the things they mean, instances are elaborated (their substitutions applied), junction lists and
infix forms are one kind of node, and the replacements of the configuration (`Op <- Op2`, `C = value`) are done.
Nodes compare by identity of what they bind; a back end may key tables by `id(node)` while the specification lives.

Levels follow *Specifying Systems* 17.2: 0 constant, 1 state, 2 action, 3 temporal.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from rmqproof.model.records import dataclass

from .source import Location

if TYPE_CHECKING:
    from .syntax import Annotation

CONSTANT, STATE, ACTION, TEMPORAL = range(4)


# --- what names are bound to -------------------------------------------------------------------------------


@dataclass(eq=False, slots=True)
class Binding:
    """A bound variable, or a parameter of an operator (`arity` > 0: an operator parameter)."""

    name: str
    at: Location
    arity: int = 0


@dataclass(eq=False, slots=True)
class Constant:
    """A declared constant, or a setting. `value` is what the configuration gives it (arity 0, by `=`), or the default.

    A constant replaced by `<-` never occurs in the resolved tree: its references lead to the definition.
    """

    name: str
    at: Location
    arity: int = 0
    value: Expression | None = None
    annotations: tuple[Annotation, ...] = ()


@dataclass(eq=False, slots=True)
class Variable:
    """A declared variable of the root specification; `index` is its place in a state."""

    name: str
    at: Location
    index: int
    annotations: tuple[Annotation, ...] = ()


@dataclass(eq=False, slots=True)
class Definition:
    """An operator definition after elaboration.

    `name` is what a user calls it (`Inner!Next` through an instance). `parameters` include those of parameterised
    instances, first. `recursive` is true when the body can reach the definition itself. `level` counts the
    parameters as constants. `comment` is the text of the comment directly above it. `local`: it stands in a LET.
    """

    name: str
    module: str
    at: Location
    parameters: tuple[Binding, ...] = ()
    body: Expression = field(default=None, repr=False)  # type: ignore[assignment]  # set once names are known
    recursive: bool = False
    level: int = CONSTANT
    comment: str = ""
    annotations: tuple[Annotation, ...] = ()
    local: bool = False


# --- expressions -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """`stands_for`: the instance and its variable in whose place INSTANCE put the expression (`("I!", "x")`); of
    ENABLED, WF and SF that are written in an instance, the instance (`("I!", "")`). `stands_also`: the variables of
    the instances around it that were passed on as they are (`("I!J!", "x")` and then `("I!", "x")`)."""

    at: Location = field(repr=False)
    stands_for: tuple[str, str] | None = field(default=None, repr=False, kw_only=True)
    stands_also: tuple[tuple[str, str], ...] = field(default=(), repr=False, kw_only=True)


@dataclass(frozen=True, slots=True, eq=False)
class Literal(Node):
    """A number, a string, TRUE or FALSE (a Python bool)."""

    value: int | str | bool


@dataclass(frozen=True, slots=True, eq=False)
class ModelValueLiteral(Node):
    """A model value that the configuration introduced."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class ConstantReference(Node):
    constant: Constant


@dataclass(frozen=True, slots=True, eq=False)
class VariableReference(Node):
    variable: Variable


@dataclass(frozen=True, slots=True, eq=False)
class Reference(Node):
    """A bound variable or a parameter of arity 0."""

    binding: Binding


@dataclass(frozen=True, slots=True, eq=False)
class Call(Node):
    """A defined operator applied to all its arguments (none: a defined constant, state function or formula).

    Where the parameter has an arity the argument is an `OperatorArgument` or a `Lambda`.
    """

    definition: Definition
    arguments: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class CallParameter(Node):
    """An operator parameter applied to arguments."""

    binding: Binding
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Builtin(Node):
    """An operator of the language or of a standard module applied to its arguments.

    `operator` is the symbol for the language's own (`=`, `#`, `\\in`, `\\notin`, `~`, `/\\` and `\\/` with any number
    of arguments, `=>`, `<=>`, `SUBSET`, `UNION`, `DOMAIN`, `\\subseteq`, `\\cup`, `\\cap`, `\\`, `BOOLEAN`, `STRING`,
    `'`, `UNCHANGED`, `ENABLED`, `\\cdot`, `[]`, `<>`, `~>`, `-+->`) and `Module!name` for a standard module's
    (`Naturals!+`, `Sequences!Len`, `TLC!Print`). See `model.tla.standard`.
    """

    operator: str
    arguments: tuple[Expression, ...] = ()
    text: Definition | None = None
    """What the module writes, where that is what the operator computes (see `standard.as_written`)."""


@dataclass(frozen=True, slots=True, eq=False)
class OperatorArgument(Node):
    """An operator passed as an argument; one of the language, or of a standard module, is passed as a `Lambda`."""

    target: Definition | Binding
    arity: int


@dataclass(frozen=True, slots=True, eq=False)
class Lambda(Node):
    """LAMBDA, passed as an argument (or the value of an operator constant)."""

    parameters: tuple[Binding, ...]
    body: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Binder:
    """`x \\in S`, or `<<a, b>> \\in S` when `is_tuple`. `x, y \\in S` gives two binders. `domain` None: unbounded."""

    bindings: tuple[Binding, ...]
    is_tuple: bool
    domain: Expression | None


@dataclass(frozen=True, slots=True, eq=False)
class Quantified(Node):
    """`kind` is `\\A` or `\\E`. A later binder's domain does not see the earlier bindings."""

    kind: str
    binders: tuple[Binder, ...]
    body: Expression


@dataclass(frozen=True, slots=True, eq=False)
class TemporalQuantified(Node):
    kind: str
    bindings: tuple[Binding, ...]
    body: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Choose(Node):
    binder: Binder
    body: Expression


@dataclass(frozen=True, slots=True, eq=False)
class If(Node):
    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Case(Node):
    """`arms` are (guard, body)."""

    arms: tuple[tuple[Expression, Expression], ...]
    other: Expression | None


@dataclass(frozen=True, slots=True, eq=False)
class Let(Node):
    """Definitions may use the bindings around them; they are met before the body."""

    definitions: tuple[Definition, ...]
    body: Expression

    def __post_init__(self) -> None:
        for definition in self.definitions:
            definition.local = True


@dataclass(frozen=True, slots=True, eq=False)
class SetEnumeration(Node):
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SetFilter(Node):
    binder: Binder
    body: Expression


@dataclass(frozen=True, slots=True, eq=False)
class SetMap(Node):
    body: Expression
    binders: tuple[Binder, ...]


@dataclass(frozen=True, slots=True, eq=False)
class FunctionConstructor(Node):
    """`[binders |-> body]`; several binders or a tuple pattern: the argument is a tuple.

    `recursion` is the function's own name inside the body (`f[x \\in S] == … f[x-1] …`), or None.
    """

    binders: tuple[Binder, ...]
    body: Expression
    recursion: Binding | None = None


@dataclass(frozen=True, slots=True, eq=False)
class FunctionSet(Node):
    domain: Expression
    range: Expression


@dataclass(frozen=True, slots=True, eq=False)
class FunctionApplication(Node):
    """One argument; `f[a, b]` has become `f[<<a, b>>]`, `r.field` is `FieldAccess`."""

    function: Expression
    argument: Expression


@dataclass(frozen=True, slots=True, eq=False)
class FieldAccess(Node):
    record: Expression
    field: str


@dataclass(frozen=True, slots=True, eq=False)
class Record(Node):
    fields: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True, slots=True, eq=False)
class RecordSet(Node):
    fields: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True, slots=True, eq=False)
class TupleExpression(Node):
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Cartesian(Node):
    factors: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Update:
    """`!path = value`: every step of the path is an argument (a field is a string `Literal`).

    Inside `value`, `Reference(old)` stands for `@`.
    """

    path: tuple[Expression, ...]
    value: Expression
    old: Binding


@dataclass(frozen=True, slots=True, eq=False)
class Except(Node):
    function: Expression
    updates: tuple[Update, ...]


@dataclass(frozen=True, slots=True, eq=False)
class BoxAction(Node):
    action: Expression
    subscript: Expression


@dataclass(frozen=True, slots=True, eq=False)
class AngleAction(Node):
    action: Expression
    subscript: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Fairness(Node):
    """`kind` is `WF` or `SF`."""

    kind: str
    subscript: Expression
    action: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Label(Node):
    name: str
    bindings: tuple[Expression, ...]
    body: Expression


Expression = (
    Literal | ModelValueLiteral | ConstantReference | VariableReference | Reference | Call | CallParameter | Builtin
    | OperatorArgument | Lambda | Quantified | TemporalQuantified | Choose | If | Case | Let | SetEnumeration
    | SetFilter | SetMap | FunctionConstructor | FunctionSet | FunctionApplication | FieldAccess | Record | RecordSet
    | TupleExpression | Cartesian | Except | BoxAction | AngleAction | Fairness | Label
)  # fmt: skip


# --- a specification and a model of it ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Assumption:
    """ASSUME or ASSUMPTION; an `axiom` is taken as true without being evaluated, as TLC does."""

    name: str
    at: Location
    body: Expression
    axiom: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Theorem:
    """`assumptions` and `fresh` come from ASSUME … PROVE; `fresh` are (kind, binding, domain or None)."""

    name: str
    at: Location
    goal: Expression
    assumptions: tuple[Expression, ...] = ()
    fresh: tuple[tuple[str, Binding, Expression | None], ...] = ()
    comment: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Specification:
    """The root module, resolved. `definitions` are those a configuration can name, by name.

    `compared`: the indices of the variables in the order in which TLC keeps them and compares states.
    """

    name: str
    constants: tuple[Constant, ...]
    variables: tuple[Variable, ...]
    definitions: dict[str, Definition]
    assumptions: tuple[Assumption, ...]
    theorems: tuple[Theorem, ...]
    compared: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Property:
    """A temporal property split by shape.

    `initial`: state formulas that initial states must satisfy; `always`: state formulas under `[]`;
    `steps`: (action, subscript) under `[][A]_v`; `liveness`: everything else (kept whole).
    """

    name: str
    at: Location
    definition: Definition
    initial: tuple[Expression, ...] = ()
    always: tuple[Expression, ...] = ()
    steps: tuple[BoxAction, ...] = ()
    liveness: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Decided:
    """A constant that has to be TRUE, or there is nothing to check (`decided`). `where` says what it is part of.

    `whole`: it is what the configuration names itself, not a conjunct of that.
    """

    name: str
    expression: Expression
    where: str
    whole: bool


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """What a configuration asks of a specification: where states start, how they step, what must hold.

    `next` None: the specification has no steps (TLC then checks initial states or assumptions only).
    `fairness` are the conjuncts of the SPECIFICATION that safety checking does not need.
    `unknown_settings` are names that the configuration gives a value and the specification does not declare.
    `possible` are the formulas that have to be true of some state, or of some step.
    `words` are the strings of the files in the order in which TLC meets them, its order of strings, model values and
    fields (`reading_order`).
    """

    specification: Specification
    initial: Expression | None
    next: Expression | None
    fairness: tuple[Expression, ...] = ()
    invariants: tuple[Definition, ...] = ()
    properties: tuple[Property, ...] = ()
    constraints: tuple[Definition, ...] = ()
    action_constraints: tuple[Definition, ...] = ()
    symmetry: Definition | None = None
    view: Definition | None = None
    alias: Definition | None = None
    postconditions: tuple[Definition, ...] = ()
    check_deadlock: bool = True
    expectation: str = ""
    description: str = ""
    model_values: tuple[str, ...] = ()
    unknown_settings: tuple[tuple[str, Location], ...] = ()
    words: tuple[str, ...] = field(default=(), repr=False)
    decided: tuple[Decided, ...] = field(default=(), repr=False)
    possible: tuple[Definition, ...] = ()
    periodic: Definition | None = None
    """What TLC evaluates with each report of its progress in a simulation."""
