"""The engines of this project, called in this process."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from rmqproof.model.cli.checking import Options, check
from rmqproof.model.cli.models import find_models
from rmqproof.model.cli.opening import open_subject
from rmqproof.model.search.result import PropertyKind
from tools.fuzz.verdict import Report

Engine = Callable[[Path], Report]


def run(spec: Path, options: Options) -> Report:
    (files,) = find_models((spec,), ())
    text = io.StringIO()
    outcome = check(files, lambda: open_subject(files, deadlock=True), options, Console(file=text))
    result = outcome.result
    detail = f"{result.message}\n{text.getvalue()}".strip()
    violation = result.violation
    if violation is None:
        return Report(str(result.verdict), result.distinct, result.total, result.depth, detail=detail)
    if violation.kind is PropertyKind.LIVENESS:
        return Report(str(result.verdict), detail=detail)
    name = "" if violation.kind is PropertyKind.DEADLOCK else violation.name
    return Report(str(result.verdict), result.distinct, result.total, violation.depth, name, detail)


def interpreter(spec: Path) -> Report:
    return run(spec, Options(engine="interpreter", workers=1, quiet=True))


def native(spec: Path) -> Report:
    return run(spec, Options(engine="native", workers=1, quiet=True))


def native_two(spec: Path) -> Report:
    return run(spec, Options(engine="native", workers=2, quiet=True))


ENGINES: dict[str, Engine] = {"interpreter": interpreter, "native": native, "native2": native_two}
