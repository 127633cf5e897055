"""Names, logic, IF, CASE, LET, quantifiers, CHOOSE and actions as formulas."""

from __future__ import annotations

from rmqproof.model.evaluate.binders import Loop, loops, test_of
from rmqproof.model.evaluate.equality import equality
from rmqproof.model.evaluate.generator import Generator
from rmqproof.model.evaluate.lets import let_entries
from rmqproof.model.evaluate.library.operator import Code
from rmqproof.model.evaluate.passing import apply_operator, force
from rmqproof.model.evaluate.scope import ByName, Env, OperatorValue
from rmqproof.model.evaluate.shape import ANY, NEVER, TRUTH, join, join_all
from rmqproof.model.evaluate.values import boolean, model_value
from rmqproof.model.tla import core
from rmqproof.model.tla.source import TlaError

# --- names -------------------------------------------------------------------------------------------------


def literal(g: Generator, node: core.Literal, env: Env, form: str) -> Code:
    return g.value_code(boolean(node.value) if isinstance(node.value, bool) else node.value)


def model_value_literal(g: Generator, node: core.ModelValueLiteral, env: Env, form: str) -> Code:
    return g.value_code(model_value(node.name))


def constant_reference(g: Generator, node: core.ConstantReference, env: Env, form: str) -> Code:
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


def variable_reference(g: Generator, node: core.VariableReference, env: Env, form: str) -> Code:
    index = node.variable.index
    text = env.current.read(index) if env.current is not None else None
    if text is None:
        return Code(f"no_value({node.variable.name!a})")
    shape = getattr(env.current, "shapes", {}).get(index, g.shapes[index])
    return Code(text, shape, True)


def reference(g: Generator, node: core.Reference, env: Env, form: str) -> Code:
    entry = env.bindings.get(node.binding)
    if entry is None:
        raise TlaError(f"{node.binding.name} is not bound here", node.at, kind="internal")
    return force(g, entry, env)


def call(g: Generator, node: core.Call, env: Env, form: str) -> Code:
    definition = node.definition
    known = env.lets.get(definition)
    if known is not None:
        return force(g, known, env)
    if not definition.parameters and not definition.recursive and g.analysis.of_definition(definition).free:
        return g.formed(definition.body, env, form)  # a LET definition that is not worth a variable of its own
    return g.call(definition, node.arguments, env, form, node.at)


def call_parameter(g: Generator, node: core.CallParameter, env: Env, form: str) -> Code:
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


def if_(g: Generator, node: core.If, env: Env, form: str) -> Code:
    condition = g.condition(node.condition, env)
    then, otherwise = g.formed(node.then, env, form), g.formed(node.otherwise, env, form)
    return Code(f"({then.text} if {condition} else {otherwise.text})", join(then.shape, otherwise.shape))


def case(g: Generator, node: core.Case, env: Env, form: str) -> Code:
    arms = [(g.condition(guard, env), g.formed(body, env, form)) for guard, body in node.arms]
    other = g.formed(node.other, env, form) if node.other is not None else Code("no_arm()", NEVER)
    text = "".join(f"{body.text} if {guard} else " for guard, body in arms) + other.text
    return Code(f"({text})", join_all(code.shape for code in (*(body for _, body in arms), other)))


def let(g: Generator, node: core.Let, env: Env, form: str) -> Code:
    inner, prefix = let_entries(g, node, env)
    body = g.formed(node.body, inner, form)
    if not prefix:
        return body
    if env.walrus:
        text = f"({', '.join(f'({name} := {text})' for name, text in prefix)}, {body.text})[-1]"
    else:
        text = f"[{body.text} {' '.join(f'for {name} in ({text},)' for name, text in prefix)}][0]"
    return body._replace(text=text, atom=False)


def label(g: Generator, node: core.Label, env: Env, form: str) -> Code:
    return g.formed(node.body, env, form)


# --- quantifiers -------------------------------------------------------------------------------------------


def quantified(g: Generator, node: core.Quantified, env: Env, form: str) -> Code:
    inner, clauses = loops(g, node.binders, env, Loop.ANY_ORDER)
    body = g.condition(node.body, inner)
    if node.kind == "\\E":
        return Code(f"any(True {clauses})" if body == "True" else f"any(True {clauses} if {body})", TRUTH)
    return Code(f"(not any(True {clauses} if not {body}))", TRUTH)


def choose(g: Generator, node: core.Choose, env: Env, form: str) -> Code:
    binder = node.binder
    if binder.domain is None:
        return Code("choose_unbounded()")
    domain = g.value(binder.domain, env)
    element = domain.shape.element if domain.shape.kind == "set" else ANY
    test = test_of(g, binder, element, node.body, env)
    known = g.known(domain)
    if type(known) is frozenset:
        return Code(f"choose_from({g.constant(g.order[known])}, {test}, {domain.text})", element)
    return Code(f"ORDER.choose({domain.text}, {test})", element)


# --- formulas about two states -----------------------------------------------------------------------------


def box_action(g: Generator, node: core.BoxAction, env: Env, form: str) -> Code:
    """The action first, as in TLC: where nothing changes it needs a value, too."""
    return Code(f"({g.condition(node.action, env)} or {unchanged(g, node.subscript, env)})", TRUTH)


def angle_action(g: Generator, node: core.AngleAction, env: Env, form: str) -> Code:
    return Code(f"({g.condition(node.action, env)} and not {unchanged(g, node.subscript, env)})", TRUTH)


def unchanged(g: Generator, node: core.Expression, env: Env) -> str:
    """UNCHANGED as a test."""
    return equality(g, g.plain(node, env), g.plain(node, env.primed()), env)


def temporal(g: Generator, node: core.Fairness | core.TemporalQuantified, env: Env, form: str) -> Code:
    return Code("temporal()", TRUTH)
