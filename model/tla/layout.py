"""Junction lists by column, and the few tokens whose meaning hangs on what stands before them.

A `/\\` or `\\/` where an expression must begin opens a list; the same symbol in the same column begins its next item;
a token at or to the left of that column ends it, as does the end of whatever the list stands in. Out of a stack of
what is open come the terminals `LIST_OPEN`, `LIST_NEXT` and `LIST_CLOSE`.
Also decided here: `-` and `[]` as prefix or otherwise, proof steps and references to them, `!` selectors.
Source: *Specifying Systems*, section 15.2.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

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
        self.after_operand = False  # whether an operand ends before the next token
        self.previous = ""  # the kind of the last token
        first = tokens[0]
        self.close = Token("LIST_CLOSE", "", "", first.source, first.line, first.column, first.column, 0)

    def __iter__(self) -> Iterator[Token]:
        close = self.close
        for index, token in enumerate(self.tokens):
            self.current = token
            if token.indent <= self.column:
                while (listing := self._left_of(token)) is not None:
                    self.ended = listing
                    yield close
                if token.kind == "LIST_NEXT":
                    self.previous, self.after_operand = "LIST_NEXT", False
                    yield token
                    continue
            kind = token.kind
            if kind not in _GO_ON:
                for _ in range(self._ended_by(kind, token)):
                    yield close
            _ENTER.get(kind, Layout._word)(self, token, index)
            self.previous = token.kind
            yield token
            if kind == "STEP" and token.kind == "STEP" and not self.after_operand and self._defines(index + 1):
                self.previous = "DEFINE"
                yield Token("DEFINE", "", "", token.source, token.line, token.column, token.column, 0)

    # --- what a token ends ------------------------------------------------------------------------------------------

    def _left_of(self, token: Token) -> Open | None:
        """End a list whose column the token is left of; None, with the token as its next item, where it is a bullet."""
        if token.indent > self.column:
            return None
        listing = self._innermost_list(token)
        if token.indent == listing.indent and token.kind == "INFIX" and token.name == listing.token.name:
            token.kind = "LIST_NEXT"
            return None
        self.stack.pop()
        self._set_column()
        return listing

    def _ended_by(self, kind: str, token: Token) -> int:
        """End what is open-ended and cannot go on with a token of this kind; how many lists that are."""
        if kind in _BEGIN_ANEW and not self.after_operand and (kind != "STEP" or self.previous not in _ENDS_STEP):
            return 0
        if self.previous == "!" and kind in _SELECTABLE:
            return 0
        if kind == "->" or (kind == "PREFIX" and token.name == "[]" and self._in_case()):
            return self._flush_lists()
        return self._flush()

    # --- what a token begins ----------------------------------------------------------------------------------------

    def _operand(self, token: Token, index: int) -> None:
        if self.previous == "!" and token.kind in _SELECTORS:
            token.kind = "SELECTOR"
        self.after_operand = True

    def _infix(self, token: Token, index: int) -> None:
        if self.previous == "!":
            self.after_operand = True
        elif self.after_operand:
            self.after_operand = False
        elif self._is_symbol(index):
            self.after_operand = True
        elif token.name == "-":
            token.kind, token.name = "PREFIX", "-."
        elif token.text == "/\\" or token.text == "\\/" or token.text in "∧∨":
            token.kind = "LIST_OPEN"
            self.stack.append(Open("list", token))
            self.column = token.indent

    def _closer(self, token: Token, index: int) -> None:
        if self._selects(token):
            return
        kind = token.kind
        self.matched = bool(self.stack) and self.stack[-1].kind == _CLOSER[kind]
        if self.matched:
            self.stack.pop()
        self.after_operand = kind != "]_" and kind != ">>_"

    def _opener(self, token: Token, index: int) -> None:
        if token.kind not in ("{", "<<") or not self._selects(token):
            self.stack.append(Open(token.kind, token))
            self.after_operand = False

    def _between(self, token: Token, index: int) -> None:
        self.after_operand = False

    def _postfix(self, token: Token, index: int) -> None:
        self.after_operand = True

    def _prefix(self, token: Token, index: int) -> None:
        if self.previous == "!":
            self.after_operand = True
        elif self.after_operand:
            if token.name == "[]" and self._in_case():
                token.kind = "[]"
            self.after_operand = False

    def _arrow(self, token: Token, index: int) -> None:
        if self.previous == "OTHER" and self.stack and self.stack[-1].kind == "CASE":
            self.stack.pop()  # a further [] belongs to the CASE around this one
        self.after_operand = False

    def _colon(self, token: Token, index: int) -> None:
        if self._selects(token):
            return
        if self.stack and self.stack[-1].kind in _BINDERS:
            self.stack.pop()
        self.after_operand = False

    def _step(self, token: Token, index: int) -> None:
        if self.after_operand or self.previous in _ENDS_STEP:
            self.after_operand = False
        else:
            token.kind = "NAME"
            self.after_operand = True

    def _starter(self, token: Token, index: int) -> None:
        self.after_operand = False
        if token.kind not in _FAIRNESS:
            self.stack.append(Open(token.kind, token))

    def _word(self, token: Token, index: int) -> None:
        kind, stack = token.kind, self.stack
        if kind == "THEN":
            if stack and stack[-1].kind == "IF":
                stack[-1] = Open("THEN", stack[-1].token)
        elif kind == "ELSE":
            if stack and stack[-1].kind == "THEN":
                stack.pop()
        elif kind == "IN" and stack and stack[-1].kind == "LET":
            stack.pop()
        self.after_operand = False

    def _selects(self, token: Token) -> bool:
        """Whether the token is the selector after a `!`."""
        if self.previous != "!":
            return False
        token.kind, self.after_operand = "SELECTOR", True
        return True

    # --- the stack --------------------------------------------------------------------------------------------------

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


_INFIX = frozenset(("INFIX", "=", "\\in"))
_GO_ON = _INFIX | {"(", "[", ".", "!", "==", "POSTFIX", "::"}
"""Tokens of these kinds end nothing around them."""
_BEGIN_ANEW = _OPERANDS | _STARTERS | {"{", "<<", "PREFIX", "NEGATION", "STEP"}
"""These end the lists and CASEs around them after an operand only, with which they cannot go on; others always."""
_SELECTABLE = frozenset((*_CLOSER, *_SELECTORS, "{", ":", "PREFIX", "NEGATION"))
"""After a `!` these are part of a name."""
_ENTER: dict[str, Callable[[Layout, Token, int], None]] = {
    **dict.fromkeys(_OPERANDS, Layout._operand),
    **dict.fromkeys(_INFIX, Layout._infix),
    **dict.fromkeys(_CLOSER, Layout._closer),
    **dict.fromkeys(("(", "[", "{", "<<"), Layout._opener),
    **dict.fromkeys((",", "EXCEPT", "|->", ".", "!", "==", "::"), Layout._between),
    "POSTFIX": Layout._postfix,
    **dict.fromkeys(("PREFIX", "NEGATION"), Layout._prefix),
    "->": Layout._arrow,
    ":": Layout._colon,
    "STEP": Layout._step,
    **dict.fromkeys(_STARTERS, Layout._starter),
}
"""What comes after a token, and what it opens and closes, by its kind; of another kind: a word."""
