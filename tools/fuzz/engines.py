"""The engines of this project, called in this process."""

from __future__ import annotations

import io
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from functools import partial
from pathlib import Path

from rich.console import Console

from rmqproof.model.checking.check import check
from rmqproof.model.checking.options import Options, SparkOptions, SparkUnavailable
from rmqproof.model.cli.audience import Terminal
from rmqproof.model.cli.models import find_models
from rmqproof.model.judge.judge import REPORT
from rmqproof.model.search.control import TUNED, Tuning
from rmqproof.model.search.result import FindingKind, PropertyKind
from tools.fuzz.reference import NotCovered, reference
from tools.fuzz.verdict import Report

Engine = Callable[[Path], Report]

SPARK = "local[2]"
NARROW = Tuning(narrow=True)
DIFFER = "engines differ"
"""Where the reference evaluator says that one is wrong: the one that another took over from, or that has answered. It
is no error of the specification, also where TLC has one."""
FEW = 3
"""States after which a search is stopped, to be resumed."""

_PLAIN = """#!/bin/sh
for a in "$@"; do shift; case "$a" in -O*) ;; *) set -- "$@" "$a";; esac; done
exec {} -O0 "$@"
"""


def compile_quickly(folder: Path) -> None:
    """From now on C is compiled without optimization: a random specification takes longer to compile than to search."""
    compiler = shutil.which(os.environ.get("CC") or "cc")
    if compiler is not None:
        plain = folder / "cc"
        plain.write_text(_PLAIN.format(compiler))
        plain.chmod(0o755)
        os.environ["CC"] = str(plain)


def run(spec: Path, options: Options) -> Report:
    return _run(spec, options)[0]


def _run(spec: Path, options: Options) -> tuple[Report, bool]:
    """A report, and whether the search stopped before its end."""
    (files,) = find_models((spec,), ())
    text = io.StringIO()
    with redirect_stdout(io.StringIO()):  # what the specification prints
        outcome = check(files, options, Terminal(Console(file=text), quiet=True))
    result = outcome.result
    detail = f"{result.message}\n{text.getvalue()}".strip()
    stopped = result.stopped is not None
    if REPORT in detail or any(each.kind is FindingKind.ENGINES_DIFFER and each.subject for each in result.findings):
        return Report(DIFFER, detail=detail), stopped
    violation = result.violation
    if violation is None:
        return Report(str(result.verdict), result.distinct, result.total, result.depth, detail=detail), stopped
    if violation.kind in (PropertyKind.LIVENESS, PropertyKind.STEP, PropertyKind.INITIAL):
        return Report(str(result.verdict), detail=detail), stopped
    name = "" if violation.kind is PropertyKind.DEADLOCK else violation.name
    return Report(str(result.verdict), result.distinct, result.total, violation.depth, name, detail), stopped


def searched(engine: str, workers: int, memory: int | None, spec: Path, bits: int = 64) -> Report:
    return run(spec, Options(engine=engine, workers=workers, memory=memory, fingerprint_bits=bits))


def narrow(spec: Path) -> Report:
    """With hardly any room at first for what machine code holds."""
    return run(spec, Options(engine="native", workers=1, tuning=NARROW))


def resumed(engine: str, spec: Path) -> Report:
    """Stopped after a few states, and resumed."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        saved = Path(folder) / "saved"
        options = Options(engine=engine, workers=1, checkpoint=saved, max_states=FEW)
        report, stopped = _run(spec, options)
        if not stopped:
            return report
        if "in the middle of a state" in report.detail and not saved.exists():
            raise NotCovered("a search that stops among the many successors of one state is not saved")
        return run(spec, Options(engine=engine, workers=1, checkpoint=saved, resume=True))


def on_spark(tuning: Tuning, spec: Path) -> Report:
    """In jobs from the first level on, in the session that is there."""
    spark = SparkOptions(master=SPARK, partitions=2, hand_over=0)
    try:
        return run(spec, Options(engine="spark", spark=spark, tuning=tuning))
    except SparkUnavailable as error:  # a specification that it does not cover
        raise NotCovered(str(error)) from error


@contextmanager
def session() -> Iterator[None]:
    """For all searches on Spark."""
    from rmqproof.model.search.spark.session import spark_session

    with spark_session(SPARK):
        yield


ENGINES: dict[str, Engine] = {
    "python": partial(searched, "python", 1, None),
    "python2": partial(searched, "python", 2, None),
    "reference": reference,
    "native": partial(searched, "native", 1, None),
    "native2": partial(searched, "native", 2, None),
    "narrow": narrow,
    "native128": partial(searched, "native", 1, None, bits=128),
    "spilled": partial(searched, "native", 1, 1),
    "spilled128": partial(searched, "native", 1, 1, bits=128),
    "resumed": partial(resumed, "python"),
    "native-resumed": partial(resumed, "native"),
    "spark": partial(on_spark, TUNED),
    "narrow-spark": partial(on_spark, NARROW),
}

OLD_NAMES = {"interpreter": "python", "interpreter2": "python2"}
"""Names that are still taken."""
