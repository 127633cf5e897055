"""One call from logs to an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rmqproof.conformance.runs.event import Event
from rmqproof.conformance.runs.event_order import order_of
from rmqproof.conformance.runs.formats import LogFormat, log_format
from rmqproof.conformance.runs.mapping import RunMapping, read_mapping
from rmqproof.conformance.runs.model import open_run_model
from rmqproof.conformance.runs.reading import read_runs
from rmqproof.conformance.runs.search import Report, validate
from rmqproof.conformance.runs.validation import Bounds, Validation
from rmqproof.model.search.collector import quiet_collector
from rmqproof.model.search.control import Control
from rmqproof.model.tla.model_files import ModelFiles

Reader = Callable[[Path], Iterable[Event]]
"""Turns a foreign log into events."""


@quiet_collector()
def validate_runs(
    paths: Sequence[Path],
    files: ModelFiles,
    mapping: RunMapping | Path | LogFormat | str | None = None,
    bounds: Bounds | None = None,
    reader: Reader | None = None,
    control: Control | None = None,
    report: Report = lambda *_: None,
    command: str = "",
    constants: Mapping[str, Any] | None = None,
) -> Validation:
    """Whether the run that these logs tell of is a behaviour of a model.

    `mapping` is a mapping, the file of one, a format of logs, or the name of a format that is installed.
    `constants` win over those of the configuration.
    Raise `RunError` for a run that is empty or cannot be read, `TlaError` for a wrong model, `OSError`.
    """
    if isinstance(mapping, str):
        mapping = log_format(mapping)
    form = mapping if isinstance(mapping, LogFormat) else None
    if isinstance(mapping, LogFormat):
        events, rules = mapping.read(paths, constants)
    else:
        rules = read_mapping(mapping) if isinstance(mapping, Path) else mapping or RunMapping()
        rules = replace(rules, constants={**rules.constants, **(constants or {})})
        events = [event for path in paths for event in reader(path)] if reader is not None else read_runs(paths, rules)
    order, folding = order_of(events), None
    model = open_run_model(files, rules, command)
    if form is not None:
        order, folding = form.refine(model, events, order, bounds or Bounds())
    if model.subject.replaced:
        order = order.mapped(model.meant)
    model.check(order.events)
    return validate(model, order, bounds, control, report, folding)
