"""Lark's tables for a grammar, kept as JSON: Lark's own cache is a pickle, which runs as code when it is read."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from rmqproof.model.cache import keep, kept

_MADE_ANEW = ("transformer", "postlex", "tree_class", "lexer_callbacks", "edit_terminals", "_plugins", "cache")
"""Options that are given again, or have their defaults, when the tables are loaded."""


def tables_of(text: str, lexer: type, transformer: object, **options: Any) -> lark.Lark:
    """The parser of a grammar, from the tables that were kept if there are some."""
    key = "\0".join([lark.__version__, text, repr(sorted(options.items()))])
    name = f"grammar-{hashlib.sha256(key.encode()).hexdigest()[:16]}.json"
    content = kept(name)
    if content is not None:
        try:
            data, memo = _values(json.loads(content), lexer)
            load: Any = lark.Lark._load_from_dict
            found: lark.Lark = load(data, memo, transformer=transformer)
            return found
        except (ValueError, KeyError, TypeError, AttributeError, lark.exceptions.LarkError):
            pass  # another program kept something under this name
    parser = lark.Lark(text, lexer=lexer, transformer=transformer, **options)
    try:
        data, memo = parser.memo_serialize([TerminalDef, Rule])
        given = {key: value for key, value in data["options"].items() if key not in _MADE_ANEW}
        keep(name, json.dumps(_plain([data | {"options": given}, memo], lexer), separators=(",", ":")))
    except TypeError:
        pass  # this version of Lark has something in its tables that JSON has not: they are built each time
    return parser


def _plain(value: Any, lexer: type) -> Any:
    """With dictionaries as pairs, since their keys are numbers, and tuples marked."""
    if isinstance(value, dict):
        return {"pairs": [[_plain(key, lexer), _plain(item, lexer)] for key, item in value.items()]}
    if isinstance(value, tuple):
        return {"tuple": [_plain(item, lexer) for item in value]}
    if isinstance(value, list):
        return [_plain(item, lexer) for item in value]
    if value is lexer:
        return {"lexer": 0}
    if value is None or isinstance(value, str | int | float):
        return value
    raise TypeError(type(value))


def _values(value: Any, lexer: type) -> Any:
    if isinstance(value, list):
        return [_values(item, lexer) for item in value]
    if not isinstance(value, dict):
        return value
    ((kind, items),) = value.items()
    if kind == "pairs":
        return {_values(key, lexer): _values(item, lexer) for key, item in items}
    return lexer if kind == "lexer" else tuple(_values(item, lexer) for item in items)
