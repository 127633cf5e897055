"""What an expression means (*Specifying Systems*, chapter 16; TLC's `tlc2.tool.impl.Tool.eval`).

One method a construct: `do_If` evaluates `core.If`. An expression is evaluated at a `Moment`, a state and perhaps the
state after it, with an environment that says what its names are bound to. The arguments of operators and the
definitions of LET are evaluated where they are needed, as in TLC (`LazyValue`), again at every other moment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import product
from typing import Any, Protocol

from rmqproof.model.tla import core
from rmqproof.model.tla.standard import bags_of, of_values

from .library import Library
from .moment import UNSET, Environment, Late, Moment, Operator
from .problems import EvaluationError, NotInReference, OutOfWork
from .sets import (
    Described,
    Filtered,
    Functions,
    Interval,
    Named,
    Powerset,
    Rows,
    Rule,
    Single,
    United,
    as_sorted,
    combine,
    elements,
    has_condition,
    member,
    plain,
    subset,
)
from .values import Atom, Fun, Order, Truth, Value, equal, is_record, items_of, sequence, show, truth


class Steps(Protocol):
    """What is asked of an action in an expression."""

    def enabled(self, node: core.Expression, env: Environment, at: Moment) -> bool: ...
    def composed(self, node: core.Builtin, env: Environment, at: Moment) -> bool: ...


class Evaluator:
    """`budget`: how many expressions may be evaluated before `OutOfWork`; None: any number."""

    actions: Steps
    """What ENABLED and compositions ask; it asks this evaluator in turn."""

    def __init__(self, order: Order, library: Library, budget: int | None = None) -> None:
        self.order, self.library = order, library
        self.work, self.budget = 0, budget
        self.constants: dict[core.Definition, Any] = {}
        """TLC evaluates constant definitions once, when it reads a specification (`SpecProcessor`)."""

    # --- the ways in -------------------------------------------------------------------------------------------

    def value(self, node: core.Expression, env: Environment, at: Moment) -> Value:
        """The value, all its parts listed."""
        return plain(self.lazy(node, env, at), self.order)

    def lazy(self, node: core.Expression, env: Environment, at: Moment) -> Any:
        """The value, perhaps a set that is described or a function given by a rule."""
        self.spend()
        method = getattr(self, f"do_{type(node).__name__}", None)
        if method is None:
            raise NotInReference(type(node).__name__, node.at)
        try:
            return method(node, env, at)
        except (EvaluationError, NotInReference) as error:
            if error.at is None:
                error.at = node.at
            raise

    def spend(self) -> None:
        self.work += 1
        if self.budget is not None and self.work > self.budget:
            raise OutOfWork

    def counted(self, items: Iterable[Value]) -> Iterator[Value]:
        for item in items:
            self.spend()
            yield item

    def holds(self, node: core.Expression, env: Environment, at: Moment) -> bool:
        """The truth of a formula."""
        value = self.lazy(node, env, at)
        if not isinstance(value, Truth):
            raise EvaluationError(f"a Boolean is needed, and this is {show(value)}", node.at)
        return value is Truth.TRUE

    def same(self, a: Any, b: Any) -> bool:
        if isinstance(a, Named) and isinstance(b, Named):
            return a.name == b.name
        return equal(plain(a, self.order), plain(b, self.order), self.order)

    # --- names -------------------------------------------------------------------------------------------------

    def do_Literal(self, node: core.Literal, env: Environment, at: Moment) -> Value:
        return truth(node.value) if isinstance(node.value, bool) else node.value

    def do_ModelValueLiteral(self, node: core.ModelValueLiteral, env: Environment, at: Moment) -> Value:
        return Atom(node.name)

    def do_ConstantReference(self, node: core.ConstantReference, env: Environment, at: Moment) -> Any:
        if node.constant.value is None:
            raise EvaluationError(f"the constant {node.constant.name} has no value")
        return self.lazy(node.constant.value, {}, at)

    def do_VariableReference(self, node: core.VariableReference, env: Environment, at: Moment) -> Value:
        if at.now is None or at.now[node.variable.index] is UNSET:
            raise EvaluationError(f"the variable {node.variable.name} has no value here")
        return at.now[node.variable.index]

    def do_Reference(self, node: core.Reference, env: Environment, at: Moment) -> Any:
        if node.binding not in env:
            raise EvaluationError(f"{node.binding.name} has no value here")
        return self.forced(env[node.binding], at)

    def forced(self, entry: Any, at: Moment) -> Any:
        if not isinstance(entry, Late):
            return entry
        if entry.moment is None or entry.moment.now is not at.now or entry.moment.after is not at.after:
            entry.value = self.lazy(entry.node, entry.env, at)
            entry.moment = at
        return entry.value

    def do_Call(self, node: core.Call, env: Environment, at: Moment) -> Any:
        definition = node.definition
        around = env.get(definition)
        if isinstance(around, Late):
            return self.forced(around, at)
        if not node.arguments and around is None and definition.level == core.CONSTANT:
            if definition not in self.constants:
                value = self.lazy(definition.body, {}, at)
                if isinstance(value, Rule) and value.listed:
                    with suppress(EvaluationError):  # somewhere it has no value: TLC leaves it a rule then
                        value = plain(value, self.order)
                self.constants[definition] = value
            return self.constants[definition]
        return self.lazy(definition.body, self.called(definition, node.arguments, env), at)

    def called(
        self, definition: core.Definition, arguments: Sequence[core.Expression], env: Environment
    ) -> Environment:
        """The names inside a definition that is called from where `env` is known."""
        around = env.get(definition, {})
        return self.bound(definition.parameters, arguments, env, around)

    def bound(
        self,
        parameters: Sequence[core.Binding],
        arguments: Sequence[core.Expression],
        env: Environment,
        around: Environment,
    ) -> Environment:
        if not parameters:
            return around
        inner = dict(around)
        for parameter, argument in zip(parameters, arguments, strict=True):
            inner[parameter] = self.operator(argument, env) if parameter.arity else Late(argument, env)
        return inner

    def operator(self, node: core.Expression, env: Environment) -> Operator:
        """An operator that is passed as an argument."""
        if isinstance(node, core.Lambda):
            return Operator(node.parameters, node.body, env)
        if not isinstance(node, core.OperatorArgument):
            raise NotInReference(f"an operator given by {type(node).__name__}", node.at)
        if isinstance(node.target, core.Definition):
            around = env.get(node.target, {})
            return Operator(node.target.parameters, node.target.body, around, node.target.name)
        found: Operator = env[node.target]
        return found

    def do_CallParameter(self, node: core.CallParameter, env: Environment, at: Moment) -> Any:
        return self.applied(env[node.binding], node.arguments, env, at)

    def applied(self, operator: Operator, arguments: Sequence[core.Expression], env: Environment, at: Moment) -> Any:
        return self.lazy(operator.body, self.bound(operator.parameters, arguments, env, operator.env), at)

    def apply_to(self, operator: Operator, values: Sequence[Value], at: Moment) -> Any:
        """The operator applied to values."""
        return self.lazy(operator.body, {**operator.env, **dict(zip(operator.parameters, values, strict=True))}, at)

    def do_Let(self, node: core.Let, env: Environment, at: Moment) -> Any:
        return self.lazy(node.body, self.with_definitions(node, env), at)

    def with_definitions(self, node: core.Let, env: Environment) -> Environment:
        """Definitions may use the names around them, themselves and each other."""
        inner = dict(env)
        for definition in node.definitions:
            inner[definition] = inner if definition.parameters or definition.recursive else Late(definition.body, inner)
        return inner

    def do_Label(self, node: core.Label, env: Environment, at: Moment) -> Any:
        return self.lazy(node.body, env, at)

    # --- bound variables (16.1.1; `ContextEnumerator`: the first name changes fastest) ---------------------------

    def bindings(self, binders: Sequence[core.Binder], env: Environment, at: Moment) -> Iterator[Environment]:
        columns = []
        for binder in binders:
            if binder.domain is None:
                raise EvaluationError(f"{binder.bindings[0].name} ranges over everything")
            items = list(self.counted(elements(self.lazy(binder.domain, env, at), self.order)))
            if binder.is_tuple:
                columns.append([self.unpacked(binder, item) for item in items])
            else:
                columns += [[{binding: item} for item in items] for binding in binder.bindings]
        for row in product(*reversed(columns)):
            inner = dict(env)
            for part in row:
                inner.update(part)
            yield inner

    def unpacked(self, binder: core.Binder, item: Value) -> dict[core.Binding, Value]:
        """The variables of `<<a, b>> \\in S`, or the one of `x \\in S`."""
        if not binder.is_tuple:
            return {binder.bindings[0]: item}
        parts = items_of(item)
        if parts is None or len(parts) != len(binder.bindings):
            raise EvaluationError(f"a tuple of {len(binder.bindings)} is bound, and an element is {show(item)}")
        return dict(zip(binder.bindings, parts, strict=True))

    def do_Quantified(self, node: core.Quantified, env: Environment, at: Moment) -> Value:
        inside = self.bindings(node.binders, env, at)
        if node.kind == "\\A":
            return truth(all(self.holds(node.body, inner, at) for inner in inside))
        return truth(any(self.holds(node.body, inner, at) for inner in inside))

    def do_Choose(self, node: core.Choose, env: Environment, at: Moment) -> Value:
        """16.1.2; TLC takes the first in its order (`OPCODE_bc`), for which it lists the set."""
        if node.binder.domain is None:
            raise EvaluationError("CHOOSE without a set")
        items = self.lazy(node.binder.domain, env, at)
        for item in list(self.counted(elements(items, self.order))):
            if self.holds(node.body, {**env, **self.unpacked(node.binder, item)}, at):
                return item
        raise EvaluationError("CHOOSE finds no such element")

    # --- conditions (16.1.3, 16.1.4) ---------------------------------------------------------------------------

    def do_If(self, node: core.If, env: Environment, at: Moment) -> Any:
        return self.lazy(node.then if self.holds(node.condition, env, at) else node.otherwise, env, at)

    def do_Case(self, node: core.Case, env: Environment, at: Moment) -> Any:
        return self.lazy(self.arm(node, env, at), env, at)

    def arm(self, node: core.Case, env: Environment, at: Moment) -> core.Expression:
        """The first arm whose guard holds (`OPCODE_case`)."""
        for guard, body in node.arms:
            if self.holds(guard, env, at):
                return body
        if node.other is None:
            raise EvaluationError("no guard of this CASE is true", node.at)
        return node.other

    # --- sets (16.1.6) -----------------------------------------------------------------------------------------

    def do_SetEnumeration(self, node: core.SetEnumeration, env: Environment, at: Moment) -> Any:
        if len(node.items) == 1:
            item = self.lazy(node.items[0], env, at)
            endless = isinstance(item, Described) and not item.is_finite()
            return Single(self.order, item) if endless else frozenset([plain(item, self.order)])
        return frozenset(self.value(item, env, at) for item in node.items)

    def do_SetFilter(self, node: core.SetFilter, env: Environment, at: Moment) -> Any:
        if node.binder.domain is None:
            raise EvaluationError("the set filters everything")
        base = self.lazy(node.binder.domain, env, at)

        def test(item: Value) -> bool:
            return self.holds(node.body, {**env, **self.unpacked(node.binder, item)}, at)

        if isinstance(base, Single):
            return base if test(base.item) else frozenset()
        if isinstance(base, Described) and not isinstance(base, Interval):
            return Filtered(self.order, base, test)
        return frozenset(filter(test, elements(base, self.order)))

    def do_SetMap(self, node: core.SetMap, env: Environment, at: Moment) -> Value:
        return frozenset(self.value(node.body, inner, at) for inner in self.bindings(node.binders, env, at))

    def do_Cartesian(self, node: core.Cartesian, env: Environment, at: Moment) -> Any:
        return Rows(self.order, None, [self.lazy(factor, env, at) for factor in node.factors])

    def do_RecordSet(self, node: core.RecordSet, env: Environment, at: Moment) -> Any:
        names = [name for name, _ in node.fields]
        return Rows(self.order, names, [self.lazy(part, env, at) for _, part in node.fields])

    def do_FunctionSet(self, node: core.FunctionSet, env: Environment, at: Moment) -> Any:
        return Functions(self.order, self.lazy(node.domain, env, at), self.lazy(node.range, env, at))

    # --- functions, records, tuples (16.1.7 to 16.1.9) -----------------------------------------------------------

    def do_TupleExpression(self, node: core.TupleExpression, env: Environment, at: Moment) -> Value:
        return sequence([self.value(item, env, at) for item in node.items])

    def do_Record(self, node: core.Record, env: Environment, at: Moment) -> Value:
        return Fun({name: self.value(part, env, at) for name, part in node.fields})

    def do_FunctionConstructor(self, node: core.FunctionConstructor, env: Environment, at: Moment) -> Any:
        """A rule: TLC's `FcnLambdaValue`. Several variables, or a tuple of them: the argument is a tuple."""
        binders = node.binders
        whole = len(binders) == 1 and (binders[0].is_tuple or len(binders[0].bindings) == 1)
        domains = []
        for binder in binders:
            if binder.domain is None:
                raise EvaluationError("the function has no domain")
            domain = self.lazy(binder.domain, env, at)
            domains += [domain] * (1 if binder.is_tuple else len(binder.bindings))

        def value_at(argument: Value) -> Any:
            return self.lazy(node.body, self.inside(node, env, rule, argument), at)

        rule = Rule(domains[0] if whole else Rows(self.order, None, domains), value_at, self.order)
        rule.listed = node.recursion is None and all(isinstance(d, (frozenset, Interval)) for d in domains)
        rule.body_at = lambda argument: (node.body, self.inside(node, env, rule, argument))
        return rule

    def inside(self, node: core.FunctionConstructor, env: Environment, rule: Rule, argument: Value) -> Environment:
        """The names inside the body of a function that is applied to an argument."""
        inner = dict(env)
        if node.recursion is not None:
            inner[node.recursion] = rule
        if len(node.binders) == 1 and (node.binders[0].is_tuple or len(node.binders[0].bindings) == 1):
            inner.update(self.unpacked(node.binders[0], argument))
            return inner
        parts = items_of(argument) or []
        for binder in node.binders:
            count = 1 if binder.is_tuple else len(binder.bindings)
            own, parts = parts[:count], parts[count:]
            inner.update(self.unpacked(binder, own[0]) if binder.is_tuple else zip(binder.bindings, own, strict=True))
        return inner

    def do_FunctionApplication(self, node: core.FunctionApplication, env: Environment, at: Moment) -> Any:
        function = self.lazy(node.function, env, at)
        return self.at_argument(function, self.value(node.argument, env, at))

    def do_FieldAccess(self, node: core.FieldAccess, env: Environment, at: Moment) -> Any:
        return self.at_argument(self.lazy(node.record, env, at), node.field)

    def at_argument(self, function: Any, argument: Value) -> Any:
        if isinstance(function, Rule):
            return function.apply(argument)
        if type(function) is not Fun:
            raise EvaluationError(f"{show(function)} is no function")
        if argument not in function.graph:
            raise EvaluationError(f"{show(argument)} is not in the domain of {show(function)}")
        return function.graph[argument]

    def do_Except(self, node: core.Except, env: Environment, at: Moment) -> Value:
        """One update after the other, each of what came before (16.1.7; `OPCODE_exc`)."""
        function = self.lazy(node.function, env, at)
        for update in node.updates:
            path = [self.value(step, env, at) for step in update.path]
            function = self.updated(function, path, update, env, at)
        return function

    def updated(self, function: Any, path: Sequence[Value], update: core.Update, env: Environment, at: Moment) -> Any:
        if not path:
            changed = self.lazy(update.value, {**env, update.old: function}, at)
            if isinstance(changed, Rule) and isinstance(changed.domain, Named):
                raise NotInReference("a function on an infinite set as a value of a function", update.value.at)
            return plain(changed, self.order)
        if isinstance(function, Rule) and isinstance(function.domain, Named):
            return self.updated_rule(function, path, update, env, at)
        function = plain(function, self.order)
        if type(function) is not Fun:
            raise EvaluationError(f"EXCEPT is given {show(function)}, which is no function")
        if path[0] not in function.graph:
            if not is_record(function):
                member(path[0], frozenset(function.graph), self.order)  # one of another kind cannot be compared
            return function  # TLC warns (`TLC_EXCEPT_APPLIED_TO_UNKNOWN_FIELD`), and leaves it as it is
        changed = self.updated(function.graph[path[0]], path[1:], update, env, at)
        return Fun({**function.graph, path[0]: changed})

    def updated_rule(
        self, function: Rule, path: Sequence[Value], update: core.Update, env: Environment, at: Moment
    ) -> Any:
        """The same of a function on an infinite set."""
        if not member(path[0], function.domain, self.order):
            return function
        changed = self.updated(function.apply(path[0]), path[1:], update, env, at)
        return Rule(function.domain, lambda key: changed if key == path[0] else function.apply(key), self.order)

    # --- the operators of the language -------------------------------------------------------------------------

    def do_Builtin(self, node: core.Builtin, env: Environment, at: Moment) -> Any:
        name, arguments = node.operator, node.arguments
        match name:
            case "/\\":
                return truth(all(self.holds(part, env, at) for part in arguments))
            case "\\/":
                return truth(any(self.holds(part, env, at) for part in arguments))
            case "=>":
                return truth(not self.holds(arguments[0], env, at) or self.holds(arguments[1], env, at))
            case "<=>":
                return truth(self.holds(arguments[0], env, at) == self.holds(arguments[1], env, at))
            case "~":
                return truth(not self.holds(arguments[0], env, at))
            case "TRUE" | "FALSE":
                return truth(name == "TRUE")
            case "BOOLEAN":
                return frozenset(Truth)
            case "STRING":
                return Named(self.order, "STRING", "string", lambda _: True)
            case "'":
                if at.after is None:
                    raise EvaluationError("there is no next state here")
                return self.lazy(arguments[0], env, Moment(at.after, None))
            case "UNCHANGED":
                return truth(self.unchanged(arguments[0], env, at))
            case "ENABLED" if node.stands_for is not None:  # it speaks of the instance's own variables (17.8)
                raise NotInReference("ENABLED in an instance", node.at)
            case "ENABLED":
                return truth(self.actions.enabled(arguments[0], env, at))
            case "\\cdot":
                return truth(self.actions.composed(node, env, at))
            case "UNION" if isinstance(arguments[0], core.SetEnumeration):
                return self.united([self.lazy(item, env, at) for item in arguments[0].items])
            case "UNION" if isinstance(arguments[0], core.SetMap):
                inside = self.bindings(arguments[0].binders, env, at)
                return self.united([self.lazy(arguments[0].body, inner, at) for inner in inside])
            case "[]" | "<>" | "~>" | "-+->":
                raise EvaluationError(f"{name} is met where a value is needed")
        if node.text is not None and name not in self.library.values:
            inner = self.called(node.text, arguments, env)
            if name in of_values():
                for place, parameter in enumerate(node.text.parameters):
                    if not parameter.arity:
                        value = plain(self.forced(inner[parameter], at), self.order)
                        if place in bags_of(name) and type(value) is not Fun:
                            raise EvaluationError(f"{name} needs a function, and is given {show(value)}")
            return self.lazy(node.text.body, inner, at)
        if "!" in name:
            return self.library.call(node, env, at, self)
        return self.on_sets(name, [self.lazy(argument, env, at) for argument in arguments])

    def on_sets(self, name: str, parts: Sequence[Any]) -> Any:
        """The operators on sets, and equality (16.1.6)."""
        match name:
            case "=" | "#":
                return truth(self.same(*parts) == (name == "="))
            case "\\in" | "\\notin":
                return truth(member(plain(parts[0], self.order), parts[1], self.order) == (name == "\\in"))
            case "\\subseteq":
                return truth(subset(parts[0], parts[1], self.order))
            case "\\cup" | "\\cap" | "\\":
                return combine(name, parts[0], parts[1], self.order)
            case "SUBSET":
                return Powerset(self.order, parts[0])
            case "UNION":
                return self.united(elements(parts[0], self.order))
            case "DOMAIN" if isinstance(parts[0], Rule):
                if parts[0].listed:  # not applied as it is written: all values are computed (`OPCODE_fc`)
                    plain(parts[0], self.order)
                return parts[0].domain
            case "DOMAIN" if type(parts[0]) is Fun:
                return frozenset(parts[0].graph)
        raise (
            EvaluationError(f"DOMAIN of {show(parts[0])}")
            if name == "DOMAIN"
            else NotInReference(f"the operator {name}")
        )

    def united(self, sets: Iterable[Any]) -> Any:
        """UNION; the sets may be ones that are only described. Several are sorted first (`SetEnumValue.normalize`), for
        which those are listed that have a condition."""
        united: Any = frozenset()
        several = list(sets)
        if len(several) > 1:
            several = [plain(items, self.order) if has_condition(items) else items for items in several]
            several = as_sorted(several, self.order)
        if any(type(items) is not frozenset for items in several):  # an interval, too (`UnionValue.union`)
            return United(self.order, several)
        for items in several:
            united = combine("\\cup", united, items, self.order)
        return united

    # --- two states (16.2.3) -----------------------------------------------------------------------------------

    def unchanged(self, node: core.Expression, env: Environment, at: Moment) -> bool:
        if at.after is None:
            raise EvaluationError("there is no next state here", node.at)
        return self.same(self.lazy(node, env, Moment(at.now, None)), self.lazy(node, env, Moment(at.after, None)))

    def do_BoxAction(self, node: core.BoxAction, env: Environment, at: Moment) -> Value:
        return truth(self.holds(node.action, env, at) or self.unchanged(node.subscript, env, at))

    def do_AngleAction(self, node: core.AngleAction, env: Environment, at: Moment) -> Value:
        return truth(self.holds(node.action, env, at) and not self.unchanged(node.subscript, env, at))
