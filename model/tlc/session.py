"""A run of TLC's command line: what is said, in which order, and with which status it ends."""

from __future__ import annotations

import os
import platform
import re
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from rmqproof.model.checking.check import check
from rmqproof.model.checking.options import Options
from rmqproof.model.search.checkpoint import CheckpointError
from rmqproof.model.search.control import Control, Progress
from rmqproof.model.tla import core
from rmqproof.model.tla.config import read_config
from rmqproof.model.tla.config_file import config_of
from rmqproof.model.tla.model_files import ModelFiles, NoModel, files_of
from rmqproof.model.tla.source import TlaError
from rmqproof.model.tlc import failures
from rmqproof.model.tlc.command_line import Request, WrongUsage, read_command_line
from rmqproof.model.tlc.deepening import LIMIT, deepest
from rmqproof.model.tlc.failures import Failing
from rmqproof.model.tlc.messages import Code, Elevated, Printer, now
from rmqproof.model.tlc.modules import print_mistake, print_reading
from rmqproof.model.tlc.report import Report
from rmqproof.version import VERSION

USAGE = "Usage: rmqproof tlc [-help] [-option] inputfile"
PARSING_STATUS = 150
USAGE_STATUS = 1
ELEVATED_STATUS = 255
_NAME = re.compile(r"\w*[A-Za-z]\w*")
FIRST_PROGRESS, NEXT_PROGRESS = 3.0, 60.0
"""Seconds until progress is said for the first time, and then between two times."""


def run(arguments: Sequence[str], write: Callable[[str], object] | None = None) -> int:
    """Do what TLC does with these arguments; the exit status."""
    tool = "-tool" in arguments
    printer = Printer(tool, write) if write is not None else Printer(tool)
    version = f"TLC2 Version of rmqproof {VERSION}"
    try:
        request = read_command_line(arguments)
    except WrongUsage as wrong:
        printer.say(Code.VERSION, version)
        printer.error(Code.WRONG_COMMAND_LINE, f"Error: {wrong}\n{USAGE}")
        return USAGE_STATUS
    printer.warnings, printer.suppressed, printer.elevated = request.warnings, request.suppressed, request.elevated
    printer.say(Code.VERSION, version)
    if request.help:
        printer.line(USAGE)
        return USAGE_STATUS
    with ExitStack() as written:
        if request.user_file is not None:
            try:
                file = written.enter_context(request.user_file.open("w", encoding="utf-8", buffering=1))
            except OSError as error:
                printer.error(Code.WRONG_COMMAND_LINE, f"Error: {request.user_file}: {error.strerror}.\n{USAGE}")
                return USAGE_STATUS
            written.enter_context(redirect_stdout(file))
        return Session(request, printer).run()


@dataclass(slots=True)
class Session:
    """One run. It is the audience of its search: see `checking.audience.Audience`."""

    request: Request
    printer: Printer
    started: float = field(default_factory=time.monotonic)
    report: Report | None = None

    def run(self) -> int:
        request, printer = self.request, self.printer
        if request.seed is None:
            request.seed = secrets.randbits(63)
        self._banner()
        for text in request.ignored:
            printer.line(text)
        status = self._checked()
        milliseconds = int((time.monotonic() - self.started) * 1000)
        took = f"{milliseconds}ms" if printer.tool else human(milliseconds)
        printer.say(Code.FINISHED, f"Finished in {took} at ({now()})")
        if self.report is not None:
            self.report.write_trace_spec()
        return status

    def _banner(self) -> None:
        request = self.request
        cores, plural = os.cpu_count() or 1, "" if request.workers == 1 else "s"
        system = f"{platform.system()} {platform.release()} {platform.machine()}"
        python = f"Python {platform.python_version()} 64bit"
        where = f"with {request.workers} worker{plural} on {cores} cores with 0MB heap and 0MB offheap memory"
        where += f" [pid: {os.getpid()}] ({system}, {python}"
        if request.simulate:
            text = f"Running Random Simulation with seed {request.seed} {where})."
            self.printer.say(Code.MODE_SIMULATION, text)
            return
        chosen = f"with fp {request.fingerprint} and seed {request.seed}"
        if request.deepest is not None:
            text = f"Running depth-first search Model-Checking {chosen} {where})."
            self.printer.say(Code.MODE_DEEPENING, text)
            return
        text = f"Running breadth-first search Model-Checking {chosen} {where}, FingerprintSet, StateQueue)."
        self.printer.say(Code.MODE_BREADTH_FIRST, text)

    def _checked(self) -> int:
        request, printer = self.request, self.printer
        files, wrong = self._files()
        if wrong is not None:
            printer.error(wrong.code, wrong.text)
            return wrong.status
        printer.say(Code.PARSING, "Starting SANY...")
        model, error = None, None
        try:
            files = with_more(files, request)
            print_reading(printer, files)
            model = files.load()
        except (TlaError, OSError) as raised:
            error = raised if isinstance(raised, TlaError) else TlaError(str(raised), kind="system")
        if error is not None and error.kind != "config":
            print_mistake(printer, files, error)
        printer.say(Code.PARSED, "SANY finished.")
        printer.say(Code.STARTING, f"Starting... ({now()})")
        if error is not None:
            failing = failures.of_configuration(error)
            if error.kind != "config":
                failing = Failing(Code.PARSING_FAILED, "Parsing or semantic analysis failed.", PARSING_STATUS)
            printer.error(failing.code, failing.text)
            return failing.status
        assert model is not None
        return self._searched(files, model)

    def _searched(self, files: ModelFiles, model: core.Model) -> int:
        request, printer = self.request, self.printer
        self.report = report = Report(request, printer, files, model, self.started)
        if request.deepest is not None:
            if any(prop.liveness for prop in model.properties):
                printer.error(Code.GENERAL, "-dfid does not check liveness: leave it out, or the liveness properties.")
                return failures.UNFORESEEN_STATUS
            files = files.extended(LIMIT, deepest(files.spec.stem, request.deepest)).overridden(f"CONSTRAINT {LIMIT}")
        options = self._options()
        if options.checkpoint is not None and not options.resume:
            printer.say(Code.SAVING, f"Checkpointing of run {options.checkpoint}")
        try:
            outcome = check(files, options, self)
        except CheckpointError as wrong:
            told = str(wrong).replace("--resume", "-recover")
            text = f"TLC encountered the following error while restarting from a checkpoint;\n{told}"
            printer.error(Code.CHECKPOINT_UNREADABLE, text)
            return failures.SYSTEM_STATUS
        except Elevated:
            return ELEVATED_STATUS
        if options.checkpoint is not None and outcome.result.stopped is not None:
            printer.say(Code.SAVED, f"Checkpointing completed at ({now()})")
        return report.ended(outcome)

    def _options(self) -> Options:
        request = self.request
        assert request.seed is not None
        return Options(
            workers=request.workers,
            deadlock=request.deadlock,
            simulate=request.behaviours if request.simulate else None,
            depth=request.steps + 1,
            seed=request.seed,
            keep_going=request.keep_going,
            ignore_liveness=request.liveness == "off",
            final_liveness=request.liveness.endswith("final"),
            evaluations=request.coverage,
            checkpoint=self._saved(),
            checkpoint_seconds=60.0 * (request.save_minutes or 30),
            resume=request.recover is not None,
        )

    def _saved(self) -> Path | None:
        """The folder in which the search is saved, named as TLC names it by the time."""
        request = self.request
        if request.recover is not None or not request.save_minutes or request.simulate:
            return request.recover
        states = request.states if request.states is not None else Path(request.spec).parent / "states"
        return states / datetime.now().strftime("%y-%m-%d-%H-%M-%S.%f")[:-3]

    def _files(self) -> tuple[ModelFiles, Failing | None]:
        """The model's files, and what is wrong with its configuration."""
        request = self.request
        spec = Path(f"{request.spec}.tla")
        given = request.config
        config = Path(given if given.endswith(".tla") else f"{given}.cfg") if given is not None else config_of(spec)
        if config is None:
            config = spec.with_suffix(".cfg")
        if not config.exists() and (spec.parent / config).exists():
            config = spec.parent / config
        try:
            files = files_of(spec, config)
        except NoModel as wrong:
            error = TlaError(str(wrong), kind="system")
            return ModelFiles(spec, config), failures.of_configuration_text(error, config, self.printer.tool)
        files = replace(files, search_path=(*request.library, *files.search_path))
        try:
            read_config(config)
        except TlaError as error:
            return files, failures.of_configuration_text(error, config, self.printer.tool)
        return files, None

    # --- the audience of the search --------------------------------------------------------------------------------

    def say(self, text: str) -> None:
        """Which engine takes over is no message of TLC."""

    def warn(self, text: str) -> None:
        self.printer.line(text)

    @contextmanager
    def watching(self, control: Control, name: str) -> Iterator[None]:
        report = self.report
        assert report is not None
        report.begins()
        control.progress_seconds = FIRST_PROGRESS

        def tell(progress: Progress) -> None:
            control.progress_seconds = NEXT_PROGRESS
            report.progress(progress)

        control.on_progress = tell
        control.on_initial = report.initial
        yield


def with_more(files: ModelFiles, request: Request) -> ModelFiles:
    """The model with the invariants and post-conditions of the command line, in a module that extends it."""
    if not request.invariants and not request.post_conditions:
        return files
    root = files.spec.stem
    name = f"{root}_given"
    lines = [f"---- MODULE {name} ----", f"EXTENDS {root}, TLC, Naturals"]
    named = [text.strip() if _NAME.fullmatch(text.strip()) else "" for text in request.invariants]
    lines += [f"Given_{number} == {text}" for number, text in enumerate(request.invariants, 1) if not named[number - 1]]
    lines += [f"Post_{number} == INSTANCE {module}" for number, (module, _) in enumerate(request.post_conditions, 1)]
    lines += [f"PostGiven_{number} == Post_{number}!{op}" for number, (_, op) in enumerate(request.post_conditions, 1)]
    config = [f"INVARIANT {name or f'Given_{number}'}" for number, name in enumerate(named, 1)]
    config += [f"POSTCONDITION PostGiven_{number}" for number in range(1, len(request.post_conditions) + 1)]
    return files.extended(name, "\n".join([*lines, "====", ""])).overridden("\n".join(config))


def human(milliseconds: int) -> str:
    """A time as a person is told it."""
    seconds = milliseconds // 1000
    days, hours, minutes = seconds // 86400, seconds // 3600 % 24, seconds // 60 % 60
    if days:
        return f"{days}d {hours:02}h"
    if hours:
        return f"{hours:02}h {minutes:02}min"
    return f"{minutes:02}min {seconds % 60:02}s" if minutes else f"{seconds:02}s"
