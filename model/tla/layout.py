"""Junction lists by column, and the few tokens whose meaning hangs on what stands before them.

A `/\\` or `\\/` where an expression must begin opens a list; the same symbol in the same column begins its next item;
a token at or to the left of that column ends it, as does the end of whatever the list stands in. Out of a stack of
what is open come the terminals `LIST_OPEN`, `LIST_NEXT` and `LIST_CLOSE`.
Also decided here: `-` and `[]` as prefix or otherwise, proof steps and references to them, `!` selectors.
Source: *Specifying Systems*, section 15.2.2.
"""

from __future__ import annotations

from collections.abc import Iterator

from rmqproof.model.tla.lexer import Token
from rmqproof.model.tla.messages import left_of_bullet

_CLOSER = {")": "(", "]": "[", "]_": "[", "}": "{", ">>": "<<", ">>_": "<<"}
_BINDERS = frozenset(("\\A", "\\E", "\\AA", "\\EE", "CHOOSE", "LAMBDA", "PICK"))
_FAIRNESS = frozenset(("WF_", "SF_"))
_STARTERS = _BINDERS | _FAIRNESS | {"IF", "LET", "CASE"}
_OPERANDS = frozenset(("NAME", "NUMBER", "DECIMAL", "STRING", "@", "_", "OTHER"))
_SELECTORS = frozenset(("<<", ">>", ":", "@", "NUMBER"))
_ENDS_STEP = frozenset(("OBVIOUS", "OMITTED", "QED", "PROOF"))
_BEFORE_SYMBOL = frozenset(("(", ",", "<-"))
_AFTER_SYMBOL = frozenset((",", ")", "END_MODULE", "SEPARATOR", "STEP", "PROOF", "BY", "$END"))
_OPEN_ENDED = frozenset(("list", "CASE"))


class Open:
    """Something begun and not ended: a junction list, a bracket, IF, THEN, LET, CASE, or a binder before its colon."""

    __slots__ = ("indent", "kind", "token")

    def __init__(self, kind: str, token: Token) -> None:
        self.kind = kind
        self.token = token
        self.indent = token.indent if kind == "list" else 0


class Layout:
    """Iterate over it once for the tokens that the grammar reads. `stack` and `current` tell where it stands."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.stack: list[Open] = []
        self.current = tokens[0]
        self.ended: Open | None = None  # the last list that a token's column closed
        self.matched = False  # whether the last closing bracket closed something
        self.column = 0  # of the innermost list's bullets; 0 without a list
        first = tokens[0]
        self.close = Token("LIST_CLOSE", "", "", first.source, first.line, first.column, first.column, 0)

    def __iter__(self) -> Iterator[Token]:
        tokens, stack, close = self.tokens, self.stack, self.close
        after_operand = False
        previous = ""
        for index, token in enumerate(tokens):
            self.current = token
            kind = token.kind
            if token.indent <= self.column:
                bullet = kind == "INFIX" and (token.name == "/\\" or token.name == "\\/")
                continued = False
                while token.indent <= self.column:
                    listing = self._innermost_list(token)
                    if bullet and token.indent == listing.indent and token.name == listing.token.name:
                        continued = True
                        break
                    self.ended = stack.pop()
                    self._set_column()
                    yield close
                if continued:
                    token.kind = previous = "LIST_NEXT"
                    after_operand = False
                    yield token
                    continue
            if kind in _OPERANDS:
                if previous == "!" and kind in _SELECTORS:
                    token.kind = "SELECTOR"
                elif after_operand:
                    for _ in range(self._flush()):
                        yield close
                after_operand = True
            elif kind == "INFIX" or kind == "=" or kind == "\\in":
                if previous == "!":
                    after_operand = True
                elif after_operand:
                    after_operand = False
                elif self._is_symbol(index):
                    after_operand = True
                elif token.name == "-":
                    token.kind, token.name = "PREFIX", "-."
                elif token.text == "/\\" or token.text == "\\/" or token.text in "∧∨":
                    token.kind = "LIST_OPEN"
                    stack.append(Open("list", token))
                    self.column = token.indent
            elif kind in _CLOSER:
                if previous == "!":
                    token.kind = "SELECTOR"
                    after_operand = True
                else:
                    for _ in range(self._flush()):
                        yield close
                    self.matched = bool(stack) and stack[-1].kind == _CLOSER[kind]
                    if self.matched:
                        stack.pop()
                    after_operand = kind != "]_" and kind != ">>_"
            elif kind == "(" or kind == "[":
                stack.append(Open(kind, token))
                after_operand = False
            elif kind == "{" or kind == "<<":
                if previous == "!":
                    token.kind = "SELECTOR"
                    after_operand = True
                else:
                    if after_operand:
                        for _ in range(self._flush()):
                            yield close
                    stack.append(Open(kind, token))
                    after_operand = False
            elif kind == "," or kind == "EXCEPT" or kind == "|->":
                for _ in range(self._flush()):
                    yield close
                after_operand = False
            elif kind == "." or kind == "!" or kind == "==":
                after_operand = False
            elif kind == "POSTFIX":
                after_operand = True
            elif kind == "PREFIX" or kind == "NEGATION":
                if previous == "!":
                    after_operand = True
                elif after_operand:
                    if token.name == "[]" and self._in_case():
                        token.kind = "[]"
                        for _ in range(self._flush_lists()):
                            yield close
                    else:
                        for _ in range(self._flush()):
                            yield close
                    after_operand = False
            elif kind == "->":
                for _ in range(self._flush_lists()):
                    yield close
                if previous == "OTHER" and stack and stack[-1].kind == "CASE":
                    stack.pop()  # a further [] belongs to the CASE around this one
                after_operand = False
            elif kind == ":":
                if previous == "!":
                    token.kind = "SELECTOR"
                    after_operand = True
                else:
                    for _ in range(self._flush()):
                        yield close
                    if stack and stack[-1].kind in _BINDERS:
                        stack.pop()
                    after_operand = False
            elif kind == "::":
                after_operand = False
            elif kind == "STEP":
                if after_operand or previous in _ENDS_STEP:
                    for _ in range(self._flush()):
                        yield close
                    after_operand = False
                    if self._defines(index + 1):
                        yield token
                        token = Token("DEFINE", "", "", token.source, token.line, token.column, token.column, 0)
                else:
                    token.kind = "NAME"
                    after_operand = True
            elif kind in _STARTERS:
                if after_operand:
                    for _ in range(self._flush()):
                        yield close
                    after_operand = False
                if kind not in _FAIRNESS:
                    stack.append(Open(kind, token))
            else:
                for _ in range(self._flush()):
                    yield close
                if kind == "THEN":
                    if stack and stack[-1].kind == "IF":
                        stack[-1] = Open("THEN", stack[-1].token)
                elif kind == "ELSE":
                    if stack and stack[-1].kind == "THEN":
                        stack.pop()
                elif kind == "IN" and stack and stack[-1].kind == "LET":
                    stack.pop()
                after_operand = False
            previous = token.kind
            yield token

    def _innermost_list(self, token: Token) -> Open:
        """Drop what is open-ended above the innermost list; anything else there is misplaced."""
        stack = self.stack
        while stack[-1].kind != "list":
            if stack[-1].kind != "CASE":
                listing = next(item for item in reversed(stack) if item.kind == "list")
                raise left_of_bullet(token, listing.token, stack[-1].token)
            stack.pop()
        return stack[-1]

    def _flush(self) -> int:
        """End what is open-ended on top of the stack; how many lists that were."""
        stack = self.stack
        lists = 0
        while stack and stack[-1].kind in _OPEN_ENDED:
            lists += stack.pop().kind == "list"
        if lists:
            self._set_column()
        return lists

    def _flush_lists(self) -> int:
        stack = self.stack
        lists = 0
        while stack and stack[-1].kind == "list":
            stack.pop()
            lists += 1
        if lists:
            self._set_column()
        return lists

    def _in_case(self) -> bool:
        return any(item.kind == "CASE" for item in self.stack)

    def _set_column(self) -> None:
        for item in reversed(self.stack):
            if item.kind == "list":
                self.column = item.indent
                return
        self.column = 0

    def _is_symbol(self, index: int) -> bool:
        """Whether the operator at `index`, where no operator can be, stands for itself, as in `F(+, x)`."""
        before, following = self.tokens[index - 1].kind, self.tokens[index + 1].kind
        if following == "<-":
            return True
        if before == "DEF":
            return following != "("
        return before in _BEFORE_SYMBOL and following in _AFTER_SYMBOL

    def _defines(self, index: int) -> bool:
        """Whether a definition begins at `index`, in a proof step without the word DEFINE."""
        tokens = self.tokens
        kinds = [token.kind for token in tokens[index : index + 4]]
        if len(kinds) < 3 or kinds[0] != "NAME":
            return False
        if kinds[1] == "==" or (kinds[1] == "POSTFIX" and kinds[2] == "=="):
            return True
        if kinds[1] in ("INFIX", "=", "\\in"):
            return kinds[2:4] == ["NAME", "=="]
        if kinds[1] not in ("(", "["):
            return False
        depth = 0
        for position in range(index + 1, len(tokens)):
            kind = tokens[position].kind
            if kind in ("(", "[", "{", "<<"):
                depth += 1
            elif kind in _CLOSER:
                depth -= 1
                if depth == 0:
                    return tokens[position + 1].kind == "=="
            elif kind in ("STEP", "SEPARATOR", "END_MODULE", "$END"):
                return False
        return False
