"""Lark's tables for a grammar, kept from run to run as marshal's data.

Lark's own cache is a pickle, which runs as code when it is read. Tables as JSON take forty times as long to read as
what marshal wrote, since their keys are numbers; that depends on the version of Python, which is part of the name.
"""

from __future__ import annotations

import hashlib
import marshal
import sys
from typing import Any

import lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from rmqproof.model.cache import keep_bytes, kept_bytes

_MADE_ANEW = ("transformer", "postlex", "tree_class", "lexer", "lexer_callbacks", "edit_terminals", "_plugins", "cache")
"""Options that are given again, or have their defaults, when the tables are loaded."""


def tables_of(text: str, lexer: type | str, transformer: object = None, **options: Any) -> lark.Lark:
    """The parser of a grammar, from the tables that were kept if there are some."""
    key = "\0".join([lark.__version__, sys.version, text, str(lexer), repr(sorted(options.items()))])
    name = f"grammar-{hashlib.sha256(key.encode()).hexdigest()[:16]}"
    content = kept_bytes(name)
    if content is not None:
        try:
            data, memo = marshal.loads(content)
            data["options"]["lexer"] = lexer
            data["parser"]["lexer_conf"]["lexer_type"] = lexer
            load: Any = lark.Lark._load_from_dict
            found: lark.Lark = load(data, memo, transformer=transformer)
            return found
        except (ValueError, EOFError, KeyError, TypeError, AttributeError, lark.exceptions.LarkError):
            pass  # another program kept something under this name
    parser = lark.Lark(text, lexer=lexer, transformer=transformer, **options)
    try:
        data, memo = parser.memo_serialize([TerminalDef, Rule])
        data["options"] = {key: value for key, value in data["options"].items() if key not in _MADE_ANEW}
        data["parser"]["lexer_conf"]["lexer_type"] = None
        keep_bytes(name, marshal.dumps((data, memo)))
    except ValueError:
        pass  # this version of Lark has something in its tables that marshal does not write: they are built each time
    return parser
