"""Read TLC configurations (`.cfg`): what to check of a specification, with which constants."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, Transformer, UnexpectedCharacters, UnexpectedInput, v_args
from lark.exceptions import VisitError

from rmqproof.model.tla import core
from rmqproof.model.tla.config_entries import Assignment, Config, Name, Replacement
from rmqproof.model.tla.config_file import config_source
from rmqproof.model.tla.parser_tables import tables_of
from rmqproof.model.tla.source import DISK, Location, Source, Texts, TlaError

SECTIONS = (
    *("SPECIFICATION", "INIT", "NEXT", "CONSTANT", "CONSTANTS", "INVARIANT", "INVARIANTS", "PROPERTY", "PROPERTIES"),
    *("CONSTRAINT", "CONSTRAINTS", "ACTION_CONSTRAINT", "ACTION_CONSTRAINTS", "SYMMETRY", "VIEW", "CHECK_DEADLOCK"),
    *("POSTCONDITION", "POSTCONDITIONS", "ALIAS", "_POSSIBLE", "_PERIODIC"),
)
_PLURAL = {"INVARIANT": "INVARIANTS", "PROPERTY": "PROPERTIES", "POSTCONDITION": "POSTCONDITIONS"}
_PLURAL |= {"CONSTRAINT": "CONSTRAINTS", "ACTION_CONSTRAINT": "ACTION_CONSTRAINTS"}
_REFUSED = frozenset(("_RL_REWARD",))
# lines of comments that tools read, not people
_DIRECTIVE = re.compile(r"(EXPECT|SPEC|GROUP|UNBOUNDED|REPLICAS)\b[ \t]*(.*)")


__all__ = ["SECTIONS", "Assignment", "Config", "Name", "Replacement", "parse_config", "read_config"]


def read_config(path: Path, texts: Texts = DISK) -> Config:
    """Of a .cfg file, or a section of a .tla file. Raise `TlaError`: `config`, `system` when there is no such file."""
    return parse_config(config_source(path, texts))


def parse_config(source: Source) -> Config:
    """Raise `TlaError` of kind `config`."""
    text, comments = _without_comments(source)
    config = Config(source)
    _read_comments(config, comments)
    try:
        _Reader(config).transform(_grammar().parse(text))
    except VisitError as error:
        raise error.orig_exc from None
    except UnexpectedInput as error:
        raise _unexpected(source, error) from None
    return config


@cache
def _grammar() -> Lark:
    text = (Path(__file__).parent / "config.lark").read_text(encoding="utf-8")
    return tables_of(text, "contextual", parser="lalr", propagate_positions=True, maybe_placeholders=False)


# --- comments ----------------------------------------------------------------------------------------------------

_MARK = re.compile(r'"(?:\\.|[^"\\\n])*"|\\\*|\(\*|\*\)')


def _without_comments(source: Source) -> tuple[str, list[str]]:
    """The text with comments blanked, so that places stay; and the comments, adjoining lines as one."""
    text = source.text
    pieces: list[str] = []
    comments: list[tuple[int, str]] = []
    done = 0
    while True:
        mark = _MARK.search(text, done)
        if mark is None:
            pieces.append(text[done:])
            break
        pieces.append(text[done : mark.start()])
        if mark.group().startswith('"'):
            pieces.append(mark.group())
            done = mark.end()
            continue
        if mark.group() == "*)":
            raise _error("there is no comment to end here", source, mark.start(), mark.end())
        if mark.group() == "\\*":
            end = text.find("\n", mark.start())
            end = len(text) if end < 0 else end
            comments.append((mark.start(), text[mark.start() + 2 : end]))
        else:
            end = _end_of_block(source, mark.start())
            comments.append((mark.start(), text[mark.start() + 2 : end - 2]))
        pieces.append(re.sub(r"[^\n]", " ", text[mark.start() : end]))
        done = end
    return "".join(pieces), _paragraphs(text, comments)


def _end_of_block(source: Source, start: int) -> int:
    depth = 0
    for mark in re.compile(r"\(\*|\*\)").finditer(source.text, start):
        depth += 1 if mark.group() == "(*" else -1
        if depth == 0:
            return mark.end()
    raise _error("this comment has no end", source, start, start + 2)


def _paragraphs(text: str, comments: list[tuple[int, str]]) -> list[str]:
    """Join comments of consecutive lines."""
    joined: list[str] = []
    last = -2
    for start, comment in comments:
        first = text.count("\n", 0, start)
        if joined and first <= last + 1:
            joined[-1] += "\n" + comment
        else:
            joined.append(comment)
        last = first + comment.count("\n")
    return joined


def _read_comments(config: Config, comments: list[str]) -> None:
    expectations: list[str] = []
    for number, comment in enumerate(comments):
        words: list[str] = []
        for line in comment.split("\n"):
            stripped = line.strip().strip("*").strip()
            directive = _DIRECTIVE.fullmatch(stripped)
            if directive is None:
                words.append(stripped)
            elif directive[1] == "EXPECT":
                expectations.append(directive[2].strip())
        if number == 0 or not config.description:
            config.description = " ".join(word for word in words if word and not set(word) <= set("-=*"))
    config.expectation = "\n".join(expectations)


# --- sections ----------------------------------------------------------------------------------------------------


@v_args(meta=True)
class _Reader(Transformer[Token, None]):
    """Fills a `Config` while Lark's tree is walked from the leaves."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config = config

    def _at(self, meta: Any) -> Location:
        return Location(self.config.source, meta.line, meta.column, meta.end_line, meta.end_column)

    def name(self, meta: Any, parts: list[Token]) -> Name:
        return Name("!".join(parts), self._at(meta))

    def target(self, _: Any, parts: list[Any]) -> tuple[Name, tuple[core.Expression, ...]]:
        return parts[0], tuple(parts[1:])

    def constants(self, _: Any, parts: list[Any]) -> None:
        pass

    def equals(self, _: Any, parts: list[Any]) -> None:
        (name, arguments), value = parts
        self.config.assignments.append(Assignment(name, arguments, value))

    def equals_in_module(self, _: Any, parts: list[Any]) -> None:
        (name, arguments), module, value = parts
        self.config.assignments.append(Assignment(name, arguments, value, module))

    def replaced(self, _: Any, parts: list[Any]) -> None:
        (name, arguments), by = parts
        self._no_arguments(name, arguments)
        self.config.replacements.append(Replacement(name, by))

    def replaced_in_module(self, _: Any, parts: list[Any]) -> None:
        (name, arguments), module, by = parts
        self._no_arguments(name, arguments)
        self.config.replacements.append(Replacement(name, by, module))

    def _no_arguments(self, name: Name, arguments: tuple[core.Expression, ...]) -> None:
        if arguments:
            raise TlaError(
                f"{name.text} is replaced as a whole", name.at, f"Write {name.text} <- Operator.", kind="config"
            )

    def single(self, meta: Any, parts: list[Any]) -> Any:
        if len(parts) == 1:
            return parts[0]  # the keyword
        section, name = parts
        self._refuse(section, meta)
        if section in self.config.single:
            raise TlaError(
                f"{section} is given twice", name.at, "A configuration has one; delete the other.", kind="config"
            )
        self.config.single[str(section)] = name
        return None

    def several(self, meta: Any, parts: list[Any]) -> Any:
        if len(parts) == 1 and isinstance(parts[0], Token):
            return parts[0]
        section, *names = parts
        self._refuse(section, meta)
        listed = self.config.lists.setdefault(_PLURAL.get(section, section), [])
        known = {name.text for name in listed}
        for name in names:
            if name.text not in known:
                listed.append(name)
                known.add(name.text)
        return None

    def _refuse(self, section: Any, meta: Any) -> None:
        if section in _REFUSED:
            raise TlaError(f"{section} is not supported", self._at(meta), "Delete this section.", kind="config")

    def check_deadlock(self, meta: Any, parts: list[Token]) -> None:
        if self.config.check_deadlock is not None:
            raise TlaError("CHECK_DEADLOCK is given twice", self._at(meta), kind="config")
        self.config.check_deadlock = parts[0] == "TRUE"

    # --- values ----------------------------------------------------------------------------------------------------

    def number(self, meta: Any, parts: list[Token]) -> core.Expression:
        return core.Literal(self._at(meta), int(parts[0]))

    def negative(self, meta: Any, parts: list[Token]) -> core.Expression:
        return core.Literal(self._at(meta), -int(parts[0]))

    def string(self, meta: Any, parts: list[Token]) -> core.Expression:
        text = re.sub(r'\\(["\\])', r"\1", parts[0][1:-1])
        self.config.atoms.append(text)
        return core.Literal(self._at(meta), text)

    def true(self, meta: Any, _: list[Token]) -> core.Expression:
        return core.Literal(self._at(meta), True)

    def false(self, meta: Any, _: list[Token]) -> core.Expression:
        return core.Literal(self._at(meta), False)

    def model_value(self, meta: Any, parts: list[Token]) -> core.Expression:
        name = str(parts[0])
        if name not in self.config.model_values:
            self.config.model_values.append(name)
        self.config.atoms.append(name)
        return core.ModelValueLiteral(self._at(meta), name)

    def set(self, meta: Any, parts: list[core.Expression]) -> core.Expression:
        return core.SetEnumeration(self._at(meta), tuple(parts))


# --- errors ----------------------------------------------------------------------------------------------------


def _error(message: str, source: Source, start: int, end: int, remedy: str = "") -> TlaError:
    line = source.text.count("\n", 0, start) + 1
    column = start - (source.text.rfind("\n", 0, start) + 1) + 1
    return TlaError(message, Location(source, line, column, line, column + end - start), remedy, "config")


def _unexpected(source: Source, error: UnexpectedInput) -> TlaError:
    if isinstance(error, UnexpectedCharacters):
        start = error.pos_in_stream or 0
        return _error(f"did not expect {source.text[start]!r} here", source, start, start + 1, _wanted(error.allowed))
    token = getattr(error, "token", None)
    if token is None or token.type == "$END":
        end = len(source.text.rstrip())
        return _error("the configuration ends in the middle of a section", source, end, end + 1)
    start = token.start_pos
    expected = getattr(error, "accepts", None) or getattr(error, "expected", None) or set()
    if token.type == "NAME" and "CONSTANTS" in expected and "NAME" not in expected:
        import difflib  # only for a message

        near = difflib.get_close_matches(str(token).upper(), SECTIONS, n=1)
        remedy = f"Did you mean {near[0]}?" if near else f"The sections are {', '.join(SECTIONS)}."
        return _error(f"{token} is not a section of a configuration", source, start, start + len(token), remedy)
    if token.type == "NAME" and {"EQUAL"} & set(expected):
        return _error(f"expected = or <- before {token}", source, start, start + len(token))
    shown = str(token) if str(token)[-1].isalnum() else repr(str(token))
    return _error(f"did not expect {shown} here", source, start, start + len(token), _wanted(expected))


def _wanted(expected: Any) -> str:
    words = {"NAME": "a name", "EQUAL": "=", "NUMBER": "a number", "STRING": "a string", "RBRACE": "}", "COMMA": ","}
    named = [words[name] for name in sorted(expected or ()) if name in words]
    return f"Expected {' or '.join(named)}." if named else ""
