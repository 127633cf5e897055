"""From operands and operators side by side to a tree, by precedence ranges.

Source: *Specifying Systems*, section 15.2.1: an operator is applied first when its range lies wholly above its
neighbour's; equal left-associative operators group to the left; every other overlap needs parentheses.
"""

from __future__ import annotations

from rmqproof.model.tla import syntax
from rmqproof.model.tla.lexer import Token
from rmqproof.model.tla.messages import label_changes_parse, needs_parentheses
from rmqproof.model.tla.operators import Operator, infix_operators, prefix_operators
from rmqproof.model.tla.source import Location


class Parenthesised:
    """An operand whose context decides something, until that is known.

    It is in parentheses, or it ends in a postfix operator (`primed`), or it is a labelled application of the infix
    operator `labels`.
    """

    __slots__ = ("at", "labels", "node", "primed")

    def __init__(self, node: syntax.Expression, at: Location, primed: bool = False, labels: str = "") -> None:
        self.node = node
        self.at = at
        self.primed = primed
        self.labels = labels


Operand = syntax.Expression | Parenthesised
Flat = list[Token | Operand]  # operators are tokens

_INFIX = infix_operators()
_PREFIX = prefix_operators()


def tree_of(flat: Flat) -> syntax.Expression:
    """`flat` alternates as the grammar has it: (prefix)* operand (infix (prefix)* operand)*.

    Raise `TlaError` where parentheses are needed.
    """
    operands: list[Operand] = []
    pending: list[tuple[Operator, Token]] = []
    products: set[int] = set()  # Cartesian nodes made here, which a further \X extends
    expect_operand = True
    for item in flat:
        if not isinstance(item, Token):
            if pending and isinstance(item, Parenthesised) and item.labels:
                operator, token = pending[-1]
                if operator.high >= _INFIX[item.labels].low:
                    raise label_changes_parse(token, item.labels, item.at)
            operands.append(item)
            expect_operand = False
            continue
        if expect_operand:
            operator = _PREFIX[item.name]
            if operator.name == "-." and pending and pending[-1][0].low > operator.high:
                raise needs_parentheses(pending[-1][1], item)
            pending.append((operator, item))
            continue
        operator = _INFIX[item.name]
        while pending:
            left, token = pending[-1]
            if left.low > operator.high or (left is operator and operator.left):
                _apply(operands, pending, products)
            elif left.high < operator.low:
                break
            else:
                raise needs_parentheses(token, item)
        pending.append((operator, item))
        expect_operand = True
    while pending:
        _apply(operands, pending, products)
    return unwrapped(operands[0])


def unwrapped(operand: Operand) -> syntax.Expression:
    return operand.node if isinstance(operand, Parenthesised) else operand


def _apply(operands: list[Operand], pending: list[tuple[Operator, Token]], products: set[int]) -> None:
    operator, token = pending.pop()
    right = operands.pop()
    end = right.at
    if operator.fixity == "prefix":
        at = Location(token.source, token.line, token.column, end.end_line, end.end_column)
        operands.append(syntax.Apply(at, (), operator.name, (unwrapped(right),)))
        return
    left = operands.pop()
    at = Location(token.source, left.at.line, left.at.column, end.end_line, end.end_column)
    node: syntax.Expression
    if operator.name == "\\X":
        factors = left.factors if isinstance(left, syntax.Cartesian) and id(left) in products else (unwrapped(left),)
        node = syntax.Cartesian(at, (*factors, unwrapped(right)))
        products.add(id(node))
    else:
        node = syntax.Apply(at, (), operator.name, (unwrapped(left), unwrapped(right)))
    operands.append(node)
