"""Names, logic, IF, CASE, LET, quantifiers, CHOOSE and actions as formulas."""

from __future__ import annotations

from rmqproof.model.evaluate.binders import Loop, loops
from rmqproof.model.evaluate.generator import Generator
from rmqproof.model.evaluate.lets import let_entries
from rmqproof.model.evaluate.library.operator import Code
from rmqproof.model.evaluate.passing import apply_operator, force
from rmqproof.model.evaluate.scope import ByName, Env, OperatorValue
from rmqproof.model.evaluate.shape import ANY, BOOL, join, join_all
from rmqproof.model.evaluate.values import boolean, model_value
from rmqproof.model.tla.core import (
    AngleAction,
    BoxAction,
    Call,
    CallParameter,
    Case,
    Choose,
    ConstantReference,
    Expression,
    Fairness,
    If,
    Label,
    Let,
    Literal,
    ModelValueLiteral,
    Quantified,
    Reference,
    TemporalQuantified,
    VariableReference,
)
from rmqproof.model.tla.source import TlaError


def as_value(condition: str) -> Code:
    """The value form of a condition."""
    if condition == "True":
        return Code("TRUE", BOOL, True)
    if condition == "False":
        return Code("FALSE", BOOL, True)
    return Code(f"(TRUE if {condition} else FALSE)", BOOL)


# --- names -------------------------------------------------------------------------------------------------


def literal(g: Generator, node: Literal, env: Env) -> Code:
    return g.value_code(boolean(node.value) if isinstance(node.value, bool) else node.value)


def model_value_literal(g: Generator, node: ModelValueLiteral, env: Env) -> Code:
    return g.value_code(model_value(node.name))


def constant_reference(g: Generator, node: ConstantReference, env: Env) -> Code:
    constant = node.constant
    value = g.constant_values.get(constant)
    if value is None and constant.value is None:
        raise TlaError(
            f"constant {constant.name} has no value",
            node.at,
            f"Give it one in the configuration: CONSTANT {constant.name} = …",
            "config",
        )
    if value is None:
        assert constant.value is not None
        value = g.constant_values[constant] = g.evaluate(constant.value)
    return g.value_code(value)


def variable_reference(g: Generator, node: VariableReference, env: Env) -> Code:
    index = node.variable.index
    text = env.current.read(index) if env.current is not None else None
    if text is None:
        return Code(f"no_value({node.variable.name!a})")
    shape = getattr(env.current, "shapes", {}).get(index, g.shapes[index])
    return Code(text, shape, True)


def reference(g: Generator, node: Reference, env: Env) -> Code:
    entry = env.bindings.get(node.binding)
    if entry is None:
        raise TlaError(f"{node.binding.name} is not bound here", node.at, kind="internal")
    return force(g, entry, env)


def call(g: Generator, node: Call, env: Env) -> Code:
    return call_form(g, node, env, "value")


def call_condition(g: Generator, node: Call, env: Env) -> str:
    code = call_form(g, node, env, "condition")
    return code.text


def call_form(g: Generator, node: Call, env: Env, form: str) -> Code:
    definition = node.definition
    known = env.lets.get(definition)
    if known is not None:
        code = force(g, known, env)
        return Code(g.as_condition(code)) if form == "condition" else code
    if not definition.parameters and not definition.recursive and g.analysis.of_definition(definition).free:
        # a LET definition that is not worth a variable of its own
        if form == "condition":
            return Code(g.condition(definition.body, env))
        return g.value(definition.body, env)
    return g.call(definition, node.arguments, env, form, node.at)


def call_parameter(g: Generator, node: CallParameter, env: Env) -> Code:
    return call_parameter_form(g, node, env, "value")


def call_parameter_condition(g: Generator, node: CallParameter, env: Env) -> str:
    return call_parameter_form(g, node, env, "condition").text


def call_parameter_form(g: Generator, node: CallParameter, env: Env, form: str) -> Code:
    entry = env.bindings[node.binding]
    assert isinstance(entry, OperatorValue)
    if entry.text is not None:
        arguments: list[Code | ByName] = [g.eager_or_thunk(argument, env, False) for argument in node.arguments]
    else:
        arguments = []
        for argument in node.arguments:
            facts = g.analysis.of(argument)
            if facts.constant or (not facts.primed and facts.size <= 3):
                code = g.value(argument, env)
                arguments.append(code if code.atom else ByName(argument, env))
            else:
                arguments.append(ByName(argument, env))
    return apply_operator(g, entry, arguments, env, form)


# --- control -----------------------------------------------------------------------------------------------


def if_value(g: Generator, node: If, env: Env) -> Code:
    condition = g.condition(node.condition, env)
    then, otherwise = g.value(node.then, env), g.value(node.otherwise, env)
    return Code(f"({then.text} if {condition} else {otherwise.text})", join(then.shape, otherwise.shape))


def if_condition(g: Generator, node: If, env: Env) -> str:
    condition = g.condition(node.condition, env)
    return f"({g.condition(node.then, env)} if {condition} else {g.condition(node.otherwise, env)})"


def case_value(g: Generator, node: Case, env: Env) -> Code:
    arms = [(g.condition(guard, env), g.value(body, env)) for guard, body in node.arms]
    other = g.value(node.other, env) if node.other is not None else Code("no_arm()")
    shape = join_all(body.shape for _, body in arms)
    if node.other is not None:
        shape = join(shape, other.shape)
    text = "".join(f"{body.text} if {guard} else " for guard, body in arms) + other.text
    return Code(f"({text})", shape)


def case_condition(g: Generator, node: Case, env: Env) -> str:
    arms = "".join(f"{g.condition(body, env)} if {g.condition(guard, env)} else " for guard, body in node.arms)
    return f"({arms}{g.condition(node.other, env) if node.other is not None else 'no_arm()'})"


def let_value(g: Generator, node: Let, env: Env) -> Code:
    inner, prefix = let_entries(g, node, env)
    body = g.value(node.body, inner)
    return body._replace(text=_after(prefix, body.text, env), atom=False) if prefix else body


def let_condition(g: Generator, node: Let, env: Env) -> str:
    inner, prefix = let_entries(g, node, env)
    body = g.condition(node.body, inner)
    return _after(prefix, body, env) if prefix else body


def _after(prefix: list[tuple[str, str]], body: str, env: Env) -> str:
    if env.walrus:
        return f"({', '.join(f'({name} := {text})' for name, text in prefix)}, {body})[-1]"
    clauses = " ".join(f"for {name} in ({text},)" for name, text in prefix)
    return f"[{body} {clauses}][0]"


def label_value(g: Generator, node: Label, env: Env) -> Code:
    return g.value(node.body, env)


def label_condition(g: Generator, node: Label, env: Env) -> str:
    return g.condition(node.body, env)


# --- quantifiers -------------------------------------------------------------------------------------------


def quantified(g: Generator, node: Quantified, env: Env) -> str:
    inner, clauses = loops(g, node.binders, env, Loop.ANY_ORDER)
    body = g.condition(node.body, inner)
    if node.kind == "\\E":
        if body == "True":
            return f"any(True {clauses})"
        return f"any(True {clauses} if {body})"
    return f"(not any(True {clauses} if not {body}))"


def choose(g: Generator, node: Choose, env: Env) -> Code:
    binder = node.binder
    if binder.domain is None:
        return Code("choose_unbounded()")
    domain = g.value(binder.domain, env)
    name = env.names.fresh(binder.bindings[0].name if not binder.is_tuple else "item")
    element = domain.shape.element if domain.shape.kind == "set" else ANY
    inner = env.no_walrus()
    if binder.is_tuple:
        names = [env.names.fresh(binding.name) for binding in binder.bindings]
        bound = {
            binding: Code(text, element.element, True) for binding, text in zip(binder.bindings, names, strict=True)
        }
        body = g.condition(node.body, inner.bind(bound))
        test = f"lambda {name}: [{body} for {', '.join(names)} in (unpack({name}, {len(names)}),)][0]"
    else:
        body = g.condition(node.body, inner.bind({binder.bindings[0]: Code(name, element, True)}))
        test = f"lambda {name}: {body}"
    ordered = "ORDER" if domain.shape.kind == "set" and not domain.shape.lazy else ""
    items = f"{ordered}[{domain.text}]" if ordered else domain.text
    known = g.known(domain)
    if type(known) is frozenset:
        items = g.constant(g.order[known])
        ordered = "yes"
    if ordered:
        return Code(f"choose_from({items}, {test}, {domain.text})", element)
    return Code(f"ORDER.choose({domain.text}, {test})", element)


# --- formulas about two states -----------------------------------------------------------------------------


def box_action(g: Generator, node: BoxAction, env: Env) -> str:
    """The action first, as in TLC: where nothing changes it needs a value, too."""
    return f"({g.condition(node.action, env)} or {unchanged(g, node.subscript, env)})"


def angle_action(g: Generator, node: AngleAction, env: Env) -> str:
    return f"({g.condition(node.action, env)} and not {unchanged(g, node.subscript, env)})"


def unchanged(g: Generator, node: Expression, env: Env) -> str:
    """UNCHANGED as a test."""
    before, after = g.plain(node, env), g.plain(node, env.primed())
    return f"({before.text} == {after.text})"


def temporal(g: Generator, node: Fairness | TemporalQuantified, env: Env) -> str:
    return "temporal()"
