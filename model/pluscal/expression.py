"""Expressions of an algorithm as they are laid out: lines of words whose columns show what belongs to what.

A line that begins below a word of a line above it stays below it when that word moves, so that lists of conjuncts keep
their meaning when a name is replaced by something longer. That word is the line's anchor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rmqproof.model.pluscal.lexer import Kind, Token

_FIELD_ENDS = (":", "|->", "↦")


class Expression:
    """`lines` may be empty. Its words are its own: whoever takes an expression over makes a copy."""

    def __init__(self, lines: Sequence[Sequence[Token]] = ()) -> None:
        self.lines: list[list[Token]] = [[token.copy() for token in line] for line in lines]
        self._anchors: list[Token | None] = []
        self._columns: list[int] = []
        self._settle()

    def copy(self) -> Expression:
        return Expression(self.lines)

    def __bool__(self) -> bool:
        return bool(self.lines)

    @property
    def tokens(self) -> list[Token]:
        return [token for line in self.lines for token in line]

    @property
    def single(self) -> Token | None:
        return self.lines[0][0] if len(self.lines) == 1 and len(self.lines[0]) == 1 else None

    def _settle(self) -> None:
        """Begin in column 0, and find the anchors."""
        while self.lines and not self.lines[0]:
            del self.lines[0]
        while self.lines and not self.lines[-1]:
            del self.lines[-1]
        left = min((line[0].column for line in self.lines if line), default=0)
        for token in self.tokens:
            token.column -= left
        self._anchors = [self._anchor(number) for number in range(len(self.lines))]
        self._columns = [anchor.column if anchor is not None else 0 for anchor in self._anchors]

    def _anchor(self, number: int) -> Token | None:
        """The last word that begins no further right than the line, on the nearest line that begins no further."""
        if not self.lines[number]:
            return None
        column = self.lines[number][0].column
        for above in reversed(self.lines[:number]):
            if above and above[0].column <= column:
                found = above[0]
                for token in above[1:]:
                    if token.column > column:
                        break
                    found = token
                return found
        return None

    def _follow(self) -> None:
        """Move each line as far as its anchor has moved."""
        for number, anchor in enumerate(self._anchors):
            if anchor is not None:
                moved = anchor.column - self._columns[number]
                self._columns[number] = anchor.column
                for token in self.lines[number]:
                    token.column += moved

    def text_lines(self) -> list[str]:
        return [_text(line) for line in self.lines]

    def replaced(self, meaning: Mapping[str, Expression], parenthesised: bool) -> Expression:
        """With expressions in the place of names, in parentheses where they have more than one word."""
        result = self.copy()
        at: tuple[int, int] | None = (0, 0)
        while at is not None and result.lines:
            found = result._find(meaning, at)
            if found is None:
                break
            at = result._put(found, meaning[result.lines[found[0]][found[1]].text], parenthesised)
        return result

    def _find(self, names: Mapping[str, Expression], at: tuple[int, int] | None) -> tuple[int, int] | None:
        """The next word from here on that is one of these names and no name of a field."""
        while at is not None:
            token = self.lines[at[0]][at[1]]
            after = self._step(at, 2)
            if token.kind is Kind.STRING:
                at = self._step(at, 1)
            elif token.text == ".":
                at = after
            elif token.text in ("[", ",") and after is not None and self._ends_field(after):
                at = self._step(at, 3)
            elif token.text in names:
                return at
            else:
                at = self._step(at, 1)
        return None

    def _ends_field(self, at: tuple[int, int]) -> bool:
        token = self.lines[at[0]][at[1]]
        return token.kind is not Kind.STRING and token.text in _FIELD_ENDS

    def _step(self, at: tuple[int, int], count: int) -> tuple[int, int] | None:
        line, place = at
        for _ in range(count):
            place += 1
            while place >= len(self.lines[line]):
                line, place = line + 1, 0
                if line == len(self.lines):
                    return None
        return line, place

    def _put(self, at: tuple[int, int], expression: Expression, parenthesised: bool) -> tuple[int, int] | None:
        """Put it there, and say where the words after it begin."""
        number, place = at
        if self.single is not None:
            new = expression.copy()
            self.lines, self._anchors, self._columns = new.lines, new._anchors, new._columns
            return None
        line = self.lines[number]
        token, rest = line[place], line[place + 1 :]
        room = rest[0].column - (token.column + token.width) if rest else 0
        del line[place + 1 :]
        single = expression.single
        if single is not None:
            token.text, token.kind = single.text, single.kind
            last = number
        else:
            last = self._insert(number, token, expression.copy(), parenthesised)
        end = self.lines[last]
        after = (last, len(end) - 1)
        if rest:
            moved = end[-1].column + end[-1].width + room - rest[0].column
            for each in rest:
                each.column += moved
            end.extend(rest)
        self._follow()
        return self._step(after, 1)

    def _insert(self, number: int, token: Token, new: Expression, parenthesised: bool) -> int:
        """Replace the last word of a line by a longer expression; the number of the line that it ends on."""
        indent = token.column + parenthesised
        for each in new.lines[0]:
            each.column += indent
        first = new.lines[0]
        if parenthesised:
            token.text, token.kind = "(", Kind.SYMBOL
        else:  # the word itself stays the anchor of what is below it
            token.text, token.kind = first[0].text, first[0].kind
            new._anchors = [token if anchor is first[0] else anchor for anchor in new._anchors]
            first = first[1:]
        self.lines[number].extend(first)
        more = slice(number + 1, number + 1)
        self.lines[more] = new.lines[1:]
        self._anchors[more] = new._anchors[1:]
        self._columns[more] = new._columns[1:]
        last = number + len(new.lines) - 1
        if parenthesised:
            end = self.lines[last][-1]
            self.lines[last].append(Token(")", Kind.SYMBOL, 0, end.column + end.width))
        return last

    def after(self, first: Expression, room: int = 0) -> Expression:
        """This expression behind another one."""
        result, before = self.copy(), first.copy()
        if not result or not before:
            return before if before else result
        end = before.lines[-1][-1]
        for token in result.lines[0]:
            token.column += end.column + end.width + room
        lines = [*before.lines[:-1], before.lines[-1] + result.lines[0], *result.lines[1:]]
        result._anchors = before._anchors + result._anchors[1:]
        result._columns = before._columns + result._columns[1:]
        result.lines = lines
        result._follow()
        return result


def _text(line: Sequence[Token]) -> str:
    out, end = "", 0
    for token in line:
        out += " " * (token.column - end) + token.written
        end = token.column + token.width
    return out


def name(text: str, kind: Kind = Kind.IDENTIFIER) -> Expression:
    """An expression of one word."""
    return Expression([[Token(text, kind)]])


def spaced(words: Sequence[Token], room: int) -> Expression:
    """Words on a line with this much room between them."""
    column = 0
    for word in words:
        word.column = column
        column += word.width + room
    return Expression([words])
