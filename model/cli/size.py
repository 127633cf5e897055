"""Amounts of memory on the command line."""

from __future__ import annotations

import re
from typing import Any

import click

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_FORM = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?", re.IGNORECASE)


class Size(click.ParamType[int]):
    """Bytes, written as 512m or 4g."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        match = _FORM.fullmatch(str(value).strip())
        if match is None or float(match[1]) == 0:
            self.fail(f"{value!r} is no amount of memory: write it as 512m or 4g.", param, ctx)
        return int(float(match[1]) * _UNITS[match[2].lower()])
