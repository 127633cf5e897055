"""The options of TLC, as `tlc2.TLC` takes them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rmqproof.model.tlc.dumping import Dump
from rmqproof.model.tlc.tracing import FORMATS

UNLIMITED = (1 << 63) - 1
"""Behaviours of a simulation without `num=`."""


class WrongUsage(Exception):
    """The message says which option is wrong, and how."""


@dataclass(slots=True)
class Request:
    """What a command line asks for. `ignored`: options that mean nothing to us, in words."""

    spec: str = ""
    config: str | None = None
    tool: bool = False
    deadlock: bool = True
    workers: int = 1
    simulate: bool = False
    behaviours: int = UNLIMITED
    behaviours_to: str = ""
    """How the names of the files begin into which the behaviours of a simulation are written; "": into none."""
    steps: int = 100
    """Of a behaviour of a simulation, at most (-depth)."""
    seed: int | None = None
    aril: int = 0
    keep_going: bool = False
    liveness: str = "default"
    """When liveness is checked (-lncheck): `off`, and those that end with `final` when all states are known."""
    differences: bool = False
    warnings: bool = True
    suppressed: frozenset[int] = frozenset()
    elevated: frozenset[int] = frozenset()
    """Codes of warnings that end the run as errors."""
    view: bool = False
    user_file: Path | None = None
    """Where Print and PrintT write."""
    invariants: list[str] = field(default_factory=list)
    post_conditions: list[tuple[str, str]] = field(default_factory=list)
    fingerprint: int = 0
    coverage: bool = False
    dump: Dump | None = None
    traces: list[tuple[str, Path]] = field(default_factory=list)
    """Counterexamples to be written: a format and a file."""
    explored: bool = False
    """Whether a specification is written that goes through a counterexample again, and in which folder or file."""
    explored_in: Path | None = None
    deepest: int | None = None
    """The depth of -dfid."""
    save_minutes: int = 0
    recover: Path | None = None
    states: Path | None = None
    """The folder of -metadir."""
    library: list[Path] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    help: bool = False


def read_command_line(arguments: Sequence[str]) -> Request:
    """Raise `WrongUsage`."""
    reader = _Reader(list(arguments))
    request = reader.request
    while reader.rest:
        reader.option(reader.rest.pop(0))
    if request.help:
        return request
    if not request.warnings and request.suppressed:
        raise WrongUsage("-nowarning suppresses all warnings, so -suppressMessages has nothing to do.")
    if request.suppressed & request.elevated:
        both = ", ".join(map(str, sorted(request.suppressed & request.elevated)))
        raise WrongUsage(f"The following codes were set to both -suppressMessages and -messagesAsErrors: [{both}]")
    if request.simulate and (request.dump is not None or request.deepest is not None or request.recover is not None):
        raise WrongUsage("A simulation has no -dump, -dfid or -recover.")
    if not request.spec:
        raise WrongUsage("Missing input TLA+ module.")
    return request


_FLAGS: dict[str, Callable[[Request], None]] = {
    "-modelcheck": lambda request: None,
    "-difftrace": lambda request: setattr(request, "differences", True),
    "-deadlock": lambda request: setattr(request, "deadlock", False),
    "-nowarning": lambda request: setattr(request, "warnings", False),
    "-view": lambda request: setattr(request, "view", True),
    "-continue": lambda request: setattr(request, "keep_going", True),
    "-tool": lambda request: setattr(request, "tool", True),
    "-help": lambda request: setattr(request, "help", True),
    "-h": lambda request: setattr(request, "help", True),
}
_WITHOUT_MEANING = {
    "-gzip": 0,
    "-terse": 0,
    "-debug": 0,
    "-cleanup": 0,
    "-noGenerateSpecTE": 0,
    "-noTE": 0,
    "-noGenerateSpecTEBin": 0,
    "-noTEBin": 0,
    "-maxSetSize": 1,
    "-fpmem": 1,
    "-fpbits": 1,
}
"""What changes nothing here, with the number of arguments."""
_REFUSED = {
    "-debugger": "`rmqproof debug-adapter` is what an editor debugs a model with",
    "-loadtrace": "a trace is no constraint here; `rmqproof explore` reads traces",
}
"""What cannot be left out without doing something else than was asked for."""


class _Reader:
    def __init__(self, rest: list[str]) -> None:
        self.rest = rest
        self.request = Request()

    def option(self, name: str) -> None:
        request = self.request
        if name in _FLAGS:
            _FLAGS[name](request)
        elif name in _WITHOUT_MEANING:
            for _ in range(_WITHOUT_MEANING[name]):
                self._value(name, "a value")
        elif name.lower() in _REFUSED:
            raise WrongUsage(f"{name}: {_REFUSED[name.lower()]}.")
        elif name in _TAKING:
            _TAKING[name](self, request, name)
        elif name.lower() in _TAKING_ANY_CASE:
            _TAKING_ANY_CASE[name.lower()](self, request, name)
        elif name.startswith("-DTLA-Library="):  # of the Java machine, where TLC looks for modules
            request.library += [Path(part) for part in name.partition("=")[2].split(os.pathsep) if part]
        elif name.startswith("-"):
            raise WrongUsage(f"unrecognized option: {name}")
        elif request.spec:
            raise WrongUsage(f"more than one input files: {request.spec} and {name}")
        else:
            request.spec = name.removesuffix(".tla")

    def _value(self, name: str, what: str) -> str:
        if not self.rest:
            raise WrongUsage(f"{name} needs {what}.")
        return self.rest.pop(0)

    def _number(self, name: str, least: int | None = None) -> int:
        text = self._value(name, "a number")
        try:
            found = int(text)
        except ValueError:
            raise WrongUsage(f"{name} needs a number. But encountered {text}") from None
        if least is not None and found < least:
            raise WrongUsage(f"{name} needs a number of at least {least}. But encountered {text}")
        return found

    def _workers(self, request: Request, name: str) -> None:
        text = self._value(name, "a number or 'auto'").strip()
        if text.lower() == "auto":
            request.workers = os.cpu_count() or 1
            return
        self.rest.insert(0, text)
        request.workers = self._number(name, 1)

    def _simulate(self, request: Request, name: str) -> None:
        request.simulate = True
        if not self.rest or not re.search(r"(stats|file|num|sched\w*)=", self.rest[0]):
            return
        for part in self.rest.pop(0).split(","):
            key, _, value = part.partition("=")
            if key == "num":
                if not value.isdigit():
                    raise WrongUsage(f"num= of {name} needs a number. But encountered {value}")
                request.behaviours = int(value)
            elif key == "file":
                request.behaviours_to = value
            else:
                request.ignored.append(f"{part} of {name}: every behaviour is drawn alike.")
        if request.behaviours_to and request.behaviours == UNLIMITED:
            raise WrongUsage(f"file= of {name} needs num=, for example '\"num=5,file=test.txt\"'.")

    def _dump(self, request: Request, name: str) -> None:
        first = self._value(name, "a file name")
        if first.startswith("class,"):
            raise WrongUsage(f"{name} {first}: there are no classes of Java here.")
        if self.rest and first.startswith("dot"):
            request.dump = Dump.of(first, self._value(name, "a file name"))
        else:
            request.dump = Dump.of("", first)

    def _dump_trace(self, request: Request, name: str) -> None:
        form, file = (self._value(name, "a format and a file name") for _ in range(2))
        if form.lower() not in FORMATS:
            raise WrongUsage(f"Unknown format {form} given to {name}; there are {', '.join(FORMATS)}.")
        request.traces.append((form.lower(), Path(file)))

    def _explored(self, request: Request, name: str) -> None:
        request.explored = True
        if self.rest[:1] == ["nomonolith"]:  # which is all one file in TLC, too
            self.rest.pop(0)

    def _post_condition(self, request: Request, name: str) -> None:
        text = self._value(name, "Module!Operator")
        parts = text.split("!")
        if len(parts) != 2 or not all(re.fullmatch(r"\w+", part) for part in parts):
            raise WrongUsage(f"{name} needs Module!Operator. But encountered {text}")
        request.post_conditions.append((parts[0], parts[1]))

    def _suppress(self, request: Request, name: str) -> None:
        request.suppressed |= self._codes(name)

    def _elevate(self, request: Request, name: str) -> None:
        request.elevated |= self._codes(name)

    def _codes(self, name: str) -> set[int]:
        codes = self._value(name, "codes with commas between them").split(",")
        if not all(code.strip().isdigit() for code in codes):
            raise WrongUsage(f"{name} needs codes with commas between them. But encountered {','.join(codes)}")
        return {int(code) for code in codes}

    def _invariant(self, request: Request, name: str) -> None:
        request.invariants.append(self._value(name, "a formula"))

    def _liveness(self, request: Request, name: str) -> None:
        request.liveness = self._value(name, "a strategy such as final").lower()

    def _coverage(self, request: Request, name: str) -> None:
        """Statistics are said at the end, whatever number of minutes is given."""
        self._number(name, 0)
        request.coverage = True

    def _level(self, request: Request, name: str) -> None:
        request.invariants.append(f'TLCGet("level") < {self._number(name)}')


_Taking = Callable[[_Reader, Request, str], None]


def _number_of(attribute: str, least: int | None = None) -> _Taking:
    return lambda reader, request, name: setattr(request, attribute, reader._number(name, least))


_TAKING: dict[str, _Taking] = {
    "-simulate": _Reader._simulate,
    "-generate": _Reader._simulate,
    "-suppressMessages": _Reader._suppress,
    "-messagesAsErrors": _Reader._elevate,
    "-generateSpecTE": _Reader._explored,
    "-teSpecOutDir": lambda reader, request, name: setattr(request, "explored_in", Path(reader._value(name, "a path"))),
    "-userFile": lambda reader, request, name: setattr(request, "user_file", Path(reader._value(name, "a file name"))),
    "-inv": _Reader._invariant,
    "-invlevel": _Reader._level,
    "-coverage": _Reader._coverage,
    "-lncheck": _Reader._liveness,
    "-config": lambda reader, request, name: setattr(
        request, "config", reader._value(name, "a file name").removesuffix(".cfg")
    ),
    "-dump": _Reader._dump,
    "-dfid": _number_of("deepest", 1),
    "-checkpoint": _number_of("save_minutes", 0),
    "-recover": lambda reader, request, name: setattr(
        request, "recover", Path(reader._value(name, "the folder of a search that was saved"))
    ),
    "-metadir": lambda reader, request, name: setattr(request, "states", Path(reader._value(name, "a folder"))),
    "-depth": _number_of("steps", 1),
    "-seed": _number_of("seed"),
    "-aril": _number_of("aril"),
    "-fp": _number_of("fingerprint", 0),
    "-workers": _Reader._workers,
}
_TAKING_ANY_CASE: dict[str, _Taking] = {
    "-dumptrace": _Reader._dump_trace,
    "-postcondition": _Reader._post_condition,
}
