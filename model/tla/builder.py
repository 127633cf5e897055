"""The tree from the grammar's rules: one method for each rule or alias in grammar.lark.

A method gets the rule's children, tokens included, and keeps no state. An expression with operators travels as a flat
list until what holds it is complete, since a binder (`x \\in S /\\ T`) reads that list differently from an expression.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rmqproof.model.tla import syntax
from rmqproof.model.tla.lexer import Token, number_of
from rmqproof.model.tla.messages import at_place, at_token, fairness_incomplete, needs_parentheses
from rmqproof.model.tla.operators import prefix_operators
from rmqproof.model.tla.pieces import (
    Children,
    annotations_of,
    bound_of,
    bounds_of,
    comment_above,
    each_annotation,
    field_name,
    identifier,
    labelled,
    new_kind,
    no_tuples,
    not_plain_minus,
    pattern_of,
    plain,
    plain_parameter,
    span,
    still_primed,
    with_domains,
)
from rmqproof.model.tla.precedence import Parenthesised
from rmqproof.model.tla.source import Location

_BINDS_LIKE_PRIME = frozenset(name for name, entry in prefix_operators().items() if entry.high == 15)


class Builder:
    """The callbacks of the grammar. Every child is a token, a node, or what another method returned."""

    # --- lists -------------------------------------------------------------------------------------------------

    def none(self, c: Children) -> Children:
        return []

    def one(self, c: Children) -> Children:
        return c

    def more(self, c: Children) -> Children:
        c[0].append(c[2])
        return c[0]  # type: ignore[no-any-return]

    def append(self, c: Children) -> Children:
        c[0].append(c[1])
        return c[0]  # type: ignore[no-any-return]

    def separator(self, c: Children) -> None:
        return None

    # --- modules and declarations ------------------------------------------------------------------------------

    def module(self, c: Children) -> syntax.Module:
        dashes, _, name, _, extends, units, end = c
        comment = comment_above(dashes)
        return syntax.Module(
            span(dashes, end), name.name, tuple(map(identifier, extends)), tuple(u for u in units if u), comment
        )

    def extends(self, c: Children) -> Children:
        return c[1]  # type: ignore[no-any-return]

    def constants(self, c: Children) -> syntax.Constants:
        keyword, declared = c
        parameters = tuple(parameter for _, parameter in declared)
        return syntax.Constants(
            span(keyword, parameters[-1]), parameters, each_annotation(keyword, [token for token, _ in declared])
        )

    def variables(self, c: Children) -> syntax.Variables:
        keyword, names = c
        return syntax.Variables(
            span(keyword, names[-1]), tuple(map(identifier, names)), each_annotation(keyword, names)
        )

    def recursive(self, c: Children) -> syntax.Recursive:
        parameters = tuple(parameter for _, parameter in c[1])
        return syntax.Recursive(span(c[0], parameters[-1]), parameters)

    def local(self, c: Children) -> syntax.Node:
        keyword, unit = c
        changes: dict[str, Any] = {"local": True, "at": span(keyword, unit)}
        if isinstance(unit, syntax.OperatorDefinition | syntax.FunctionDefinition):
            changes["comment"] = comment_above(keyword)
            changes["annotations"] = annotations_of(keyword)
        changed: syntax.Node = replace(unit, **changes)
        return changed

    def instance(self, c: Children) -> syntax.Instance:
        return syntax.Instance(span(c[0], c[1]), c[1].name, ())

    def instance_with(self, c: Children) -> syntax.Instance:
        return syntax.Instance(span(c[0], c[3]), c[1].name, tuple(c[3]))

    def substitution(self, c: Children) -> syntax.Substitution:
        return syntax.Substitution(span(c[0], c[2]), c[0].name, c[2])

    # --- definitions: a header is (first token, name, parameters) ------------------------------------------------

    def header_name(self, c: Children) -> Any:
        return c[0], c[0].name, ()

    def header_call(self, c: Children) -> Any:
        return c[0], c[0].name, tuple(parameter for _, parameter in c[2])

    def header_infix(self, c: Children) -> Any:
        left, operator, right = c
        return left, operator.name, (plain_parameter(left), plain_parameter(right))

    def header_prefix(self, c: Children) -> Any:
        not_plain_minus(c[0])
        return c[0], c[0].name, (plain_parameter(c[1]),)

    def header_postfix(self, c: Children) -> Any:
        return c[0], c[1].name, (plain_parameter(c[0]),)

    def parameter(self, c: Children) -> Any:
        return c[0], plain_parameter(c[0])

    def parameter_call(self, c: Children) -> Any:
        return c[0], syntax.Parameter(span(c[0], c[3]), c[0].name, len(c[2]))

    def parameter_infix(self, c: Children) -> Any:
        return c[0], syntax.Parameter(span(c[0], c[2]), c[1].name, 2)

    def parameter_prefix(self, c: Children) -> Any:
        not_plain_minus(c[0])
        return c[0], syntax.Parameter(span(c[0], c[1]), c[0].name, 1)

    def parameter_postfix(self, c: Children) -> Any:
        return c[0], syntax.Parameter(span(c[0], c[1]), c[1].name, 1)

    def operator(self, c: Children) -> syntax.OperatorDefinition:
        (first, name, parameters), _, expression = c
        body = plain(expression)
        comment, notes = ("", ()) if not first.comments else (comment_above(first), annotations_of(first))
        return syntax.OperatorDefinition(span(first, expression), name, parameters, body, False, comment, notes)

    def function(self, c: Children) -> syntax.FunctionDefinition:
        first, _, items, _, _, expression = c
        bounds = with_domains(items, f"as in {first.name}[x \\in S] == ...")
        comment, notes = ("", ()) if not first.comments else (comment_above(first), annotations_of(first))
        return syntax.FunctionDefinition(
            span(first, expression), first.name, bounds, plain(expression), False, comment, notes
        )

    def module_definition(self, c: Children) -> syntax.ModuleDefinition:
        (first, name, parameters), _, instance = c
        return syntax.ModuleDefinition(span(first, instance), name, parameters, instance)

    def assume(self, c: Children) -> syntax.Assume:
        return syntax.Assume(span(c[0], c[1]), "", plain(c[1]), c[0].text == "AXIOM")

    def assume_named(self, c: Children) -> syntax.Assume:
        return syntax.Assume(span(c[0], c[3]), c[1].name, plain(c[3]), c[0].text == "AXIOM")

    def theorem(self, c: Children) -> syntax.Theorem:
        return syntax.Theorem(span(c[0], c[1]), "", c[1], comment_above(c[0]))

    def theorem_named(self, c: Children) -> syntax.Theorem:
        return syntax.Theorem(span(c[0], c[3]), c[1].name, c[3], comment_above(c[0]))

    # --- expressions with operators ------------------------------------------------------------------------------

    def resolved(self, c: Children) -> Any:
        return plain(c[0])

    def infix(self, c: Children) -> Children:
        flat, operator, operand = c
        if type(flat) is not list:
            flat = [flat]
        flat.append(operator)
        if type(operand) is list:
            flat.extend(operand)
        else:
            flat.append(operand)
        return flat

    def prefixed(self, c: Children) -> Children:
        operator, operand = c
        if type(operand) is list:
            return [operator, *operand]
        if type(operand) is Parenthesised and operand.primed and operator.name in _BINDS_LIKE_PRIME:
            at = operand.at
            prime = Token("POSTFIX", "'", "'", at.source, at.end_line, at.end_column - 1, at.end_column, 0)
            raise needs_parentheses(operator, prime)
        return [operator, operand]

    def postfix(self, c: Children) -> Parenthesised:
        node = plain(c[0])
        at = span(c[0], c[1])
        return Parenthesised(syntax.Apply(at, (), c[1].name, (node,)), at, primed=True)

    def application(self, c: Children) -> Any:
        function, _, items, end = c
        at = span(function, end)
        node = syntax.FunctionApplication(at, plain(function), tuple(map(plain, items)))
        return still_primed(function, node, at)

    def field_access(self, c: Children) -> Any:
        record, _, name = c
        at = span(record, name)
        return still_primed(record, syntax.FieldAccess(at, plain(record), name.name), at)

    def parentheses(self, c: Children) -> Parenthesised:
        return Parenthesised(plain(c[1]), span(c[0], c[2]))

    # --- names -------------------------------------------------------------------------------------------------

    def name(self, c: Children) -> syntax.Apply:
        return syntax.Apply(c[0].at, (), c[0].name)

    def call(self, c: Children) -> syntax.Apply:
        return syntax.Apply(span(c[0], c[3]), (), c[0].name, tuple(c[2]))

    def name_within(self, c: Children) -> Any:
        return self._within(c[0], c[2], (), span(c[0], c[2]))

    def call_within(self, c: Children) -> Any:
        return self._within(c[0], c[2], tuple(c[4]), span(c[0], c[5]))

    def _within(self, outer: Any, name: Token, arguments: tuple[Any, ...], at: Location) -> Any:
        return self._named_within(outer, name.name, arguments, at)

    def _named_within(self, outer: Any, name: str, arguments: tuple[Any, ...], at: Location) -> Any:
        prefix = syntax.InstancePrefix(outer.at, outer.name, outer.arguments)
        return syntax.Apply(at, (*outer.prefix, prefix), name, arguments)

    def selector(self, c: Children) -> Any:
        return self._named_within(c[0], c[2].text, (), span(c[0], c[2]))

    def selector_call(self, c: Children) -> Any:
        return self._named_within(c[0], "()", tuple(c[3]), span(c[0], c[4]))

    def symbol_argument(self, c: Children) -> syntax.Apply:
        token = c[0]
        if token.name == "\\X":
            raise at_token("\\X is no operator that can be an argument", token, "Write LAMBDA S, T : S \\X T.")
        return syntax.Apply(token.at, (), token.name)

    def lambda_(self, c: Children) -> syntax.Lambda:
        return syntax.Lambda(span(c[0], c[3]), tuple(map(identifier, c[1])), plain(c[3]))

    def label(self, c: Children) -> Any:
        return labelled(syntax.Label(span(c[0], c[2]), c[0].name, (), plain(c[2])), c[2])

    def label_call(self, c: Children) -> Any:
        parameters = [pattern_of(argument) for argument in c[2]]
        for parameter, argument in zip(parameters, c[2], strict=True):
            if type(parameter) is not syntax.Identifier:
                raise at_place("the parameters of a label are names", argument.at)
        label = syntax.Label(span(c[0], c[5]), c[0].name, tuple(parameters), plain(c[5]))  # type: ignore[arg-type]
        return labelled(label, c[5])

    # --- literals ------------------------------------------------------------------------------------------------

    def number(self, c: Children) -> syntax.Number:
        return syntax.Number(c[0].at, number_of(c[0].text))

    def decimal(self, c: Children) -> syntax.Decimal:
        return syntax.Decimal(c[0].at, c[0].text)

    def string(self, c: Children) -> syntax.Text:
        return syntax.Text(c[0].at, c[0].name)

    def old(self, c: Children) -> syntax.Old:
        return syntax.Old(c[0].at)

    # --- constructs with words -----------------------------------------------------------------------------------

    def junction(self, c: Children) -> syntax.Junction:
        return syntax.Junction(span(c[0], c[1]), c[0].name, tuple(map(plain, c[1])))

    def quantified(self, c: Children) -> syntax.Quantified:
        kind, items, _, body = c
        bounds = bounds_of(items)
        if len(bounds) > 1 and bounds[-1].domain is None:
            raise at_place("this name has no set, though others before it do", bounds[-1].at, "Add \\in and its set.")
        no_tuples(bounds[-1])
        return syntax.Quantified(span(kind, body), kind.name, bounds, plain(body))

    def temporal_quantified(self, c: Children) -> syntax.TemporalQuantified:
        return syntax.TemporalQuantified(span(c[0], c[3]), c[0].name, tuple(map(identifier, c[1])), plain(c[3]))

    def choose(self, c: Children) -> syntax.Choose:
        keyword, items, _, body = c
        bounds = bounds_of(items)
        if len(bounds) != 1 or len(bounds[0].patterns) != 1:
            raise at_place(
                "CHOOSE binds one name or one tuple of names",
                span(items[0], items[-1]),
                "Choose a tuple: CHOOSE <<x, y>> \\in S \\X T : ...",
            )
        return syntax.Choose(span(keyword, body), bounds[0].patterns[0], bounds[0].domain, plain(body))

    def if_then_else(self, c: Children) -> syntax.If:
        return syntax.If(span(c[0], c[5]), plain(c[1]), plain(c[3]), plain(c[5]))

    def arm(self, c: Children) -> syntax.CaseArm:
        return syntax.CaseArm(span(c[0], c[2]), plain(c[0]), plain(c[2]))

    def case(self, c: Children) -> syntax.Case:
        return syntax.Case(span(c[0], c[1]), tuple(c[1]), None)

    def case_other(self, c: Children) -> syntax.Case:
        return syntax.Case(span(c[0], c[5]), tuple(c[1]), plain(c[5]))

    def let(self, c: Children) -> syntax.Let:
        return syntax.Let(span(c[0], c[3]), tuple(c[1]), plain(c[3]))

    def fairness(self, c: Children) -> syntax.Fairness:
        keyword, reference = c
        if type(reference) is not syntax.Apply or len(reference.arguments) != 1:
            raise fairness_incomplete(keyword)
        (action,) = reference.arguments
        # the subscript ends where the parenthesis before the action begins; its own text has the same start
        subscript = syntax.Apply(reference.at, reference.prefix, reference.name)
        return syntax.Fairness(span(keyword, reference), keyword.name[:2], subscript, action)

    def fairness_enclosed(self, c: Children) -> syntax.Fairness:
        return syntax.Fairness(span(c[0], c[4]), c[0].name[:2], plain(c[1]), plain(c[3]))

    # --- constructs with brackets --------------------------------------------------------------------------------

    def tuple_empty(self, c: Children) -> syntax.TupleExpression:
        return syntax.TupleExpression(span(c[0], c[1]), ())

    def tuple(self, c: Children) -> syntax.TupleExpression:
        return syntax.TupleExpression(span(c[0], c[2]), tuple(map(plain, c[1])))

    def angle_action(self, c: Children) -> syntax.AngleAction:
        return syntax.AngleAction(span(c[0], c[3]), plain(c[1]), plain(c[3]))

    def box_action(self, c: Children) -> syntax.BoxAction:
        return syntax.BoxAction(span(c[0], c[3]), plain(c[1]), plain(c[3]))

    def set_empty(self, c: Children) -> syntax.SetEnumeration:
        return syntax.SetEnumeration(span(c[0], c[1]), ())

    def set_enumeration(self, c: Children) -> syntax.SetEnumeration:
        return syntax.SetEnumeration(span(c[0], c[2]), tuple(map(plain, c[1])))

    def set_filter_or_map(self, c: Children) -> syntax.SetFilter | syntax.SetMap:
        opening, items, colon, rest, closing = c
        at = span(opening, closing)
        if len(items) != 1:
            raise at_token("only one expression may stand before the colon in { ... : ... }", colon)
        bound = bound_of(items[0])
        if bound is None:
            return syntax.SetMap(at, plain(items[0]), with_domains(rest, "in {e : x \\in S}"))
        if len(rest) != 1:
            raise at_token(
                "{x \\in S : ...} keeps the elements that satisfy one condition, and here are several expressions",
                colon,
                "For the set of the values (x \\in S), put that expression in parentheses.",
            )
        return syntax.SetFilter(at, bound[0], plain(bound[1]), plain(rest[0]))

    def function_or_record(self, c: Children) -> syntax.FunctionConstructor | syntax.Record:
        opening, items, _, body, closing = c
        at = span(opening, closing)
        if len(items) == 1 and type(items[0]) is not list:
            name = field_name(items[0])
            return syntax.Record(at, (syntax.RecordField(span(name, body), name.name, plain(body)),))
        return syntax.FunctionConstructor(at, with_domains(items, "in [x \\in S |-> e]"), plain(body))

    def record(self, c: Children) -> syntax.Record:
        opening, items, _, value, _, fields, closing = c
        if len(items) != 1:
            raise at_place("expected one field name before |->", span(items[0], items[-1]))
        name = field_name(items[0])
        first = syntax.RecordField(span(name, value), name.name, plain(value))
        return syntax.Record(span(opening, closing), (first, *fields))

    def record_set_one(self, c: Children) -> syntax.RecordSet:
        name = field_name(c[1])
        return syntax.RecordSet(span(c[0], c[4]), (syntax.RecordField(span(name, c[3]), name.name, plain(c[3])),))

    def record_set(self, c: Children) -> syntax.RecordSet:
        opening, item, _, value, _, fields, closing = c
        name = field_name(item)
        first = syntax.RecordField(span(name, value), name.name, plain(value))
        return syntax.RecordSet(span(opening, closing), (first, *fields))

    def fields_one(self, c: Children) -> Children:
        return [syntax.RecordField(span(c[0], c[2]), c[0].name, plain(c[2]))]

    def fields_more(self, c: Children) -> Children:
        c[0].append(syntax.RecordField(span(c[2], c[4]), c[2].name, plain(c[4])))
        return c[0]  # type: ignore[no-any-return]

    def function_set(self, c: Children) -> syntax.FunctionSet:
        return syntax.FunctionSet(span(c[0], c[4]), plain(c[1]), plain(c[3]))

    def except_(self, c: Children) -> syntax.Except:
        return syntax.Except(span(c[0], c[4]), plain(c[1]), tuple(c[3]))

    def update(self, c: Children) -> syntax.Update:
        return syntax.Update(span(c[0], c[3]), tuple(c[1]), plain(c[3]))

    def path_index(self, c: Children) -> syntax.PathIndex:
        return syntax.PathIndex(span(c[0], c[2]), tuple(map(plain, c[1])))

    def path_field(self, c: Children) -> syntax.PathField:
        return syntax.PathField(span(c[0], c[1]), c[1].name)

    # --- ASSUME ... PROVE ----------------------------------------------------------------------------------------

    def assume_prove(self, c: Children) -> syntax.AssumeProve:
        return syntax.AssumeProve(span(c[0], c[3]), tuple(c[1]), plain(c[3]))

    def labelled_assumption(self, c: Children) -> syntax.AssumeProve:
        return c[2]  # type: ignore[no-any-return]

    def new_kind(self, c: Children) -> Children:
        return c

    def new(self, c: Children) -> syntax.NewSymbol:
        kind, (_, parameter) = c
        return syntax.NewSymbol(span(kind, parameter), new_kind(kind), parameter, None)

    def new_in(self, c: Children) -> syntax.NewSymbol:
        kind, (_, parameter), _, domain = c
        return syntax.NewSymbol(span(kind, domain), new_kind(kind), parameter, plain(domain))
