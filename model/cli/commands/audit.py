"""`rmqproof audit`: what of a specification says nothing, and which changes of it its properties do not notice."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from rmqproof.model.audit import Audit, Budget, audit
from rmqproof.model.checking import exit_status
from rmqproof.model.checking.interrupts import raising
from rmqproof.model.cli.asking import said
from rmqproof.model.cli.audit_page import audit_page
from rmqproof.model.cli.audit_report import audit_case, audit_record, is_low, print_audit
from rmqproof.model.cli.models import find_models
from rmqproof.model.cli.option_list import FILE, json_to, library, quiet
from rmqproof.model.cli.report_option import Report, asked_for, report_option
from rmqproof.model.cli.reports import write_cases
from rmqproof.model.cli.writable import Output, write_json
from rmqproof.model.evaluate.deep_stack import deeply
from rmqproof.model.report.console import open_console


@click.command("audit")
@click.argument(
    "paths", nargs=-1, required=True, metavar="SPEC.tla|MODEL.cfg...", type=click.Path(exists=True, path_type=Path)
)
@click.option("--config", type=FILE, metavar="F.cfg", help="The configuration; default: the one of the same name.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    show_default=True,
    metavar="S",
    help="For each model: as many mutants as fit, of each definition in turn.",
)
@click.option("--mutants", type=click.IntRange(min=0), metavar="N", help="Not more mutants than this.")
@click.option(
    "--states",
    type=click.IntRange(min=1),
    default=Budget().states,
    show_default=True,
    metavar="N",
    help="Graphs up to this size are explored in Python; beyond it in machine code, where that can be.",
)
@click.option(
    "--workers", type=click.IntRange(min=1), metavar="N", help="Processes that try mutants; default: one a processor."
)
@click.option("--all", "everything", is_flag=True, help="Print every survivor, not the first ten.")
@click.option(
    "--fail-under", type=click.FloatRange(0, 100), metavar="PERCENT", help="Exit with 1 when fewer mutants are killed."
)
@click.option("--strict", is_flag=True, help="Exit with 1 when something says nothing.")
@library
@click.option("--html", "page", type=Output(), metavar="FILE", help="Write a page: scores, the kill matrix, survivors.")
@json_to
@report_option
@quiet
def command(
    paths: tuple[Path, ...],
    config: Path | None,
    seconds: float,
    mutants: int | None,
    states: int,
    workers: int | None,
    everything: bool,
    fail_under: float | None,
    strict: bool,
    library: tuple[str, ...],
    page: Path | None,
    json_to: str | None,
    report: tuple[tuple[Report, ...], ...],
    quiet: bool,
) -> None:
    """Say what of a specification says nothing, and which small changes of it its properties do not notice.

    One exploration tells what never happens. Then slips of the pen are made in the next-state relation, one at a time;
    a mutant is killed when a property that holds does not hold of it. One that survives with another state graph shows
    what no property is about; one with the same graph shows what could be left out.

    Exit status: 0, 1 with --fail-under or --strict, 130 interrupted (with what was found so far), 150 and 151 as for
    check.
    """
    budget = Budget(seconds, states, mutants, workers)
    errors = open_console(errors=True)
    told: list[Audit] = []
    console = open_console(errors=json_to == "-")
    with said(), raising():
        for files in find_models(list(paths), [config] if config is not None else [], library):
            with errors.status(f"{files.name}: exploring …") as status:
                found = deeply(
                    audit,
                    files,
                    budget,
                    lambda each: (
                        None
                        if quiet
                        else status.update(f"{each.name}: {len(each.trials)} of {len(each.mutants)} mutants")
                    ),
                )
            told.append(found)
            if not quiet:
                print_audit(found, console, everything)
            if found.interrupted:
                break
    if json_to is not None:
        _write([audit_record(each) for each in told], json_to)
    if page is not None:
        page.write_text(audit_page(told), encoding="utf-8")
    cases = [audit_case(each, strict, fail_under) for each in told]
    write_cases(asked_for(report), cases, to_stderr=json_to == "-")
    sys.exit(_status(told, fail_under, strict))


def _write(records: list[dict[str, Any]], to: str) -> None:
    write_json({"models": records}, to)


def _status(told: list[Audit], fail_under: float | None, strict: bool) -> int:
    if any(each.interrupted for each in told):
        return exit_status.INTERRUPTED
    low = any(is_low(each, fail_under) for each in told)
    return 1 if low or (strict and any(each.vacuous for each in told)) else 0
