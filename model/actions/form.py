"""What TLC does with a formula of Init or Next (its `Tool.getInitStates` and `Tool.getNextStates`).

`form_of` is the one place where that is decided. An engine asks for the form of a formula and does what it says:
conjuncts are met in the order in which they stand; each alternative and each element is a way of its own, also where
it is a mere guard; `x' = e`, `x' \\in S`, `x' \\subseteq S` and UNCHANGED give a variable its next value when it has
none yet, and are tests when it has one. Once every variable has a value all that remains are tests. Initial predicates
are read in the same way, with `x` in the place of `x'`.
"""

from __future__ import annotations

from rmqproof.model.records import dataclass
from rmqproof.model.tla import core


@dataclass(frozen=True, slots=True)
class Conjunction:
    """The parts, one after the other: what one gives a value the next can read."""

    parts: tuple[core.Expression, ...]


@dataclass(frozen=True, slots=True)
class Disjunction:
    """Each part is a way of its own."""

    parts: tuple[core.Expression, ...]


@dataclass(frozen=True, slots=True)
class Arms:
    """The formula behind the first condition that is true, or `otherwise`; without one the step is an error.

    IF has one arm. `p => q` is `IF p THEN q ELSE TRUE`: where p is true no way is found through its negation.
    """

    arms: tuple[tuple[core.Expression, core.Expression], ...]
    otherwise: core.Expression | None


@dataclass(frozen=True, slots=True)
class Choice:
    """`\\E`: a way for each element."""

    quantified: core.Quantified

    @property
    def binders(self) -> tuple[core.Binder, ...]:
        """From the one that changes slowest: as in TLC (`ContextEnumerator`), that is the one that is written last."""
        return self.quantified.binders[::-1]


@dataclass(frozen=True, slots=True)
class ForEach:
    """`\\A`: the body for one element after the other, like a conjunction."""

    quantified: core.Quantified


@dataclass(frozen=True, slots=True)
class Assignment:
    """`target operator value`, `operator` being `=`, `\\in` or `\\subseteq`.

    It gives a value to the variable that `target` is, if it is one (`names.variable_of`) and has none yet.
    """

    target: core.Expression
    operator: str
    value: core.Expression


@dataclass(frozen=True, slots=True)
class Keep:
    """UNCHANGED: each variable of the (nested) tuple keeps its value."""

    kept: core.Expression


@dataclass(frozen=True, slots=True)
class Local:
    """LET: the body, with the definitions."""

    let: core.Let


@dataclass(frozen=True, slots=True)
class Inside:
    """A label: the body."""

    body: core.Expression


@dataclass(frozen=True, slots=True)
class Enter:
    """A defined operator: its body, with the arguments. It can give the step its name."""

    call: core.Call


@dataclass(frozen=True, slots=True)
class EnterParameter:
    """An operator that was passed as an argument: its body, with the arguments."""

    call: core.CallParameter


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter: the formula that was passed, where one was."""

    reference: core.Reference


@dataclass(frozen=True, slots=True)
class Apply:
    """`f[x]`: the body of the function's rule, where the function is no value that was computed before."""

    application: core.FunctionApplication


@dataclass(frozen=True, slots=True)
class Changing:
    """`<<A>>_v`: a step of A after which v has another value."""

    step: core.AngleAction


@dataclass(frozen=True, slots=True)
class Composition:
    """`A \\cdot B`: a step of A to some state, and a step of B from there."""

    first: core.Expression
    second: core.Expression


@dataclass(frozen=True, slots=True)
class Test:
    """A condition, with one way to be true."""

    condition: core.Expression


Form = (
    Conjunction | Disjunction | Arms | Choice | ForEach | Assignment | Keep | Local | Inside | Enter | EnterParameter
    | Parameter | Apply | Changing | Composition | Test
)  # fmt: skip


def form_of(node: core.Expression, initial: bool = False) -> Form:
    """What TLC does with a formula of Next, or of Init (`initial`), while variables have no value yet."""
    match node:
        case core.Builtin():
            return _of_operator(node, initial)
        case core.Quantified():
            return Choice(node) if node.kind == "\\E" else ForEach(node)
        case core.If():
            return Arms(((node.condition, node.then),), node.otherwise)
        case core.Case():
            return Arms(node.arms, node.other)
        case core.Let():
            return Local(node)
        case core.Label():
            return Inside(node.body)
        case core.Call():
            return Enter(node)
        case core.CallParameter():
            return EnterParameter(node)
        case core.Reference():
            return Parameter(node)
        case core.FunctionApplication():
            return Apply(node)
        case core.BoxAction() if not initial:
            return Disjunction((node.action, core.Builtin(node.at, "UNCHANGED", (node.subscript,))))
        case core.AngleAction() if not initial:
            return Changing(node)
    return Test(node)


def _of_operator(node: core.Builtin, initial: bool) -> Form:
    match node.operator:
        case "/\\":
            return Conjunction(node.arguments)
        case "\\/":
            return Disjunction(node.arguments)
        case "=>":
            return Arms(((node.arguments[0], node.arguments[1]),), core.Literal(node.at, True))
        case "=" | "\\in" | "\\subseteq":
            return Assignment(node.arguments[0], node.operator, node.arguments[1])
        case "UNCHANGED" if not initial:
            return Keep(node.arguments[0])
        case "\\cdot" if not initial:
            return Composition(*node.arguments)
    return Test(node)
