"""The syntax tree: a module as it was written, before names mean anything.

Every application of an operator, prefix, infix, postfix or named, is one `Apply`; its name is the operator's
canonical ASCII spelling (`/\\` for `∧` and `\\land`, `<=` for `\\leq` and `=<`, `\\cup` for `\\union`, `-.` for unary
minus, `'` for prime).
The constructs with binders or syntax of their own have nodes of their own.
Source: *Specifying Systems*, part IV (the language manual).
"""

from __future__ import annotations

from rmqproof.model.records import dataclass

from .source import Location


@dataclass(frozen=True, slots=True)
class Node:
    at: Location


# --- expressions -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number(Node):
    value: int


@dataclass(frozen=True, slots=True)
class Decimal(Node):
    text: str


@dataclass(frozen=True, slots=True)
class Text(Node):
    """A string literal, escapes resolved."""

    value: str


@dataclass(frozen=True, slots=True)
class InstancePrefix(Node):
    """`F(x)!` in `F(x)!Op(y)`.

    In the name of a part of a definition (`Inv!2`, `Thm!:`, `P!1!(e)`) a step is a prefix too, or the name of the
    `Apply`: a number, `:`, `<<`, `>>`, `@`, a label, or `()` with arguments.
    """

    name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Apply(Node):
    """`prefix!name(arguments)`; without arguments a plain name (or an operator's symbol passed as an argument).

    TRUE, FALSE, BOOLEAN and STRING are plain names here.
    """

    prefix: tuple[InstancePrefix, ...]
    name: str
    arguments: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Junction(Node):
    """A bulleted list; `operator` is `/\\` or `\\/`. One bullet gives one item."""

    operator: str
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Cartesian(Node):
    """`A \\X B \\X C` without parentheses: a set of triples."""

    factors: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Identifier(Node):
    name: str


@dataclass(frozen=True, slots=True)
class TuplePattern(Node):
    """`<<a, b>>` where a name is bound."""

    names: tuple[Identifier, ...]


Pattern = Identifier | TuplePattern


@dataclass(frozen=True, slots=True)
class Bound(Node):
    """`x, y \\in S`: several patterns over one set; `domain` is None in an unbounded quantifier."""

    patterns: tuple[Pattern, ...]
    domain: Expression | None


@dataclass(frozen=True, slots=True)
class Quantified(Node):
    """`kind` is `\\A` or `\\E`."""

    kind: str
    bounds: tuple[Bound, ...]
    body: Expression


@dataclass(frozen=True, slots=True)
class TemporalQuantified(Node):
    """`kind` is `\\AA` or `\\EE`."""

    kind: str
    names: tuple[Identifier, ...]
    body: Expression


@dataclass(frozen=True, slots=True)
class Choose(Node):
    pattern: Pattern
    domain: Expression | None
    body: Expression


@dataclass(frozen=True, slots=True)
class If(Node):
    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class CaseArm(Node):
    guard: Expression
    body: Expression


@dataclass(frozen=True, slots=True)
class Case(Node):
    arms: tuple[CaseArm, ...]
    other: Expression | None


@dataclass(frozen=True, slots=True)
class Let(Node):
    """`units` are operator, function, recursive and module (INSTANCE) definitions."""

    units: tuple[Unit, ...]
    body: Expression


@dataclass(frozen=True, slots=True)
class Lambda(Node):
    parameters: tuple[Identifier, ...]
    body: Expression


@dataclass(frozen=True, slots=True)
class SetEnumeration(Node):
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class SetFilter(Node):
    """`{pattern \\in domain : body}`"""

    pattern: Pattern
    domain: Expression
    body: Expression


@dataclass(frozen=True, slots=True)
class SetMap(Node):
    """`{body : bounds}`"""

    body: Expression
    bounds: tuple[Bound, ...]


@dataclass(frozen=True, slots=True)
class FunctionConstructor(Node):
    """`[bounds |-> body]`"""

    bounds: tuple[Bound, ...]
    body: Expression


@dataclass(frozen=True, slots=True)
class FunctionSet(Node):
    """`[domain -> range]`"""

    domain: Expression
    range: Expression


@dataclass(frozen=True, slots=True)
class FunctionApplication(Node):
    """`function[a, b]`; several arguments stand for one tuple."""

    function: Expression
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class RecordField(Node):
    name: str
    value: Expression


@dataclass(frozen=True, slots=True)
class Record(Node):
    """`[a |-> 1, b |-> 2]`"""

    fields: tuple[RecordField, ...]


@dataclass(frozen=True, slots=True)
class RecordSet(Node):
    """`[a : S, b : T]`"""

    fields: tuple[RecordField, ...]


@dataclass(frozen=True, slots=True)
class FieldAccess(Node):
    """`record.field`"""

    record: Expression
    field: str


@dataclass(frozen=True, slots=True)
class TupleExpression(Node):
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class PathIndex(Node):
    """`[a, b]` in the path of an EXCEPT."""

    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class PathField(Node):
    """`.name` in the path of an EXCEPT."""

    name: str


@dataclass(frozen=True, slots=True)
class Update(Node):
    """`!path = value`"""

    path: tuple[PathIndex | PathField, ...]
    value: Expression


@dataclass(frozen=True, slots=True)
class Except(Node):
    function: Expression
    updates: tuple[Update, ...]


@dataclass(frozen=True, slots=True)
class Old(Node):
    """`@` inside an EXCEPT."""


@dataclass(frozen=True, slots=True)
class BoxAction(Node):
    """`[action]_subscript`"""

    action: Expression
    subscript: Expression


@dataclass(frozen=True, slots=True)
class AngleAction(Node):
    """`<<action>>_subscript`"""

    action: Expression
    subscript: Expression


@dataclass(frozen=True, slots=True)
class Fairness(Node):
    """`kind` is `WF` or `SF`."""

    kind: str
    subscript: Expression
    action: Expression


@dataclass(frozen=True, slots=True)
class Label(Node):
    """`name(parameters) :: body`"""

    name: str
    parameters: tuple[Identifier, ...]
    body: Expression


Expression = (
    Number | Decimal | Text | Apply | Junction | Cartesian | Quantified | TemporalQuantified | Choose | If | Case
    | Let | Lambda | SetEnumeration | SetFilter | SetMap | FunctionConstructor | FunctionSet | FunctionApplication
    | Record | RecordSet | FieldAccess | TupleExpression | Except | Old | BoxAction | AngleAction | Fairness | Label
)  # fmt: skip


# --- units of a module -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Parameter(Node):
    """A declared operator parameter or constant: `F(_, _)` has arity 2, `_ \\prec _` has name `\\prec` and arity 2."""

    name: str
    arity: int = 0


@dataclass(frozen=True, slots=True)
class Annotation(Node):
    """An Apalache-style annotation in the comment above a declaration: `@type: Int -> Bool;` has kind `type`."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Constants(Node):
    """CONSTANT(S); `annotations[i]` belongs to `parameters[i]`. `comments` likewise: the words above or behind."""

    parameters: tuple[Parameter, ...]
    annotations: tuple[tuple[Annotation, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Variables(Node):
    names: tuple[Identifier, ...]
    annotations: tuple[tuple[Annotation, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Recursive(Node):
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True, slots=True)
class OperatorDefinition(Node):
    """`comment` is the text of the comment directly above the definition (markers stripped), empty without one."""

    name: str
    parameters: tuple[Parameter, ...]
    body: Expression
    local: bool = False
    comment: str = ""
    annotations: tuple[Annotation, ...] = ()


@dataclass(frozen=True, slots=True)
class FunctionDefinition(Node):
    """`f[x \\in S] == body`, in which f may stand."""

    name: str
    bounds: tuple[Bound, ...]
    body: Expression
    local: bool = False
    comment: str = ""
    annotations: tuple[Annotation, ...] = ()


@dataclass(frozen=True, slots=True)
class Substitution(Node):
    """`name <- value` after WITH; the name may be an infix operator's symbol."""

    name: str
    value: Expression


@dataclass(frozen=True, slots=True)
class Instance(Node):
    """`INSTANCE module WITH substitutions` as a unit of its own."""

    module: str
    substitutions: tuple[Substitution, ...]
    local: bool = False


@dataclass(frozen=True, slots=True)
class ModuleDefinition(Node):
    """`name(parameters) == INSTANCE module WITH …`"""

    name: str
    parameters: tuple[Parameter, ...]
    instance: Instance
    local: bool = False


@dataclass(frozen=True, slots=True)
class Assume(Node):
    """ASSUME, ASSUMPTION or AXIOM, perhaps named (`ASSUME Positive == N > 0`)."""

    name: str
    body: Expression
    axiom: bool = False


@dataclass(frozen=True, slots=True)
class NewSymbol(Node):
    """`NEW CONSTANT x \\in S` in an ASSUME … PROVE; `kind` is CONSTANT, VARIABLE, STATE, ACTION or TEMPORAL."""

    kind: str
    parameter: Parameter
    domain: Expression | None


@dataclass(frozen=True, slots=True)
class AssumeProve(Node):
    assumptions: tuple[NewSymbol | Expression | AssumeProve, ...]
    goal: Expression


@dataclass(frozen=True, slots=True)
class Theorem(Node):
    """THEOREM, LEMMA, PROPOSITION or COROLLARY; its proof is skipped. `comment` as in OperatorDefinition."""

    name: str
    body: Expression | AssumeProve
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Module(Node):
    """A module, or one nested in another. `comment` is the text before or directly below the header line."""

    name: str
    extends: tuple[Identifier, ...]
    units: tuple[Unit, ...]
    comment: str = ""


Unit = (
    Constants | Variables | Recursive | OperatorDefinition | FunctionDefinition | Instance | ModuleDefinition
    | Assume | Theorem | Module
)  # fmt: skip
