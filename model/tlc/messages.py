"""Messages in the form in which tools read them: a code, a severity and a text between two marks."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum
from typing import TextIO


class Severity(IntEnum):
    """The number after the code."""

    NONE = 0
    ERROR = 1
    BUG = 2
    WARNING = 3
    STATE = 4


class Code(IntEnum):
    """The messages that we have, by their numbers in TLC."""

    GENERAL = 1000
    WRONG_COMMAND_LINE = 1102
    INITIAL_STATE = 2102
    NESTED_EXPRESSION = 2103
    ASSUMPTION_FALSE = 2104
    ASSUMPTION_EVALUATION = 2105
    INVARIANT_VIOLATED_INITIAL = 2107
    PROPERTY_VIOLATED_INITIAL = 2108
    INVARIANT_VIOLATED = 2110
    INVARIANT_EVALUATION = 2111
    ACTION_PROPERTY_VIOLATED = 2112
    ACTION_PROPERTY_EVALUATION = 2113
    DEADLOCK = 2114
    WITHOUT_NEXT = 2115
    TEMPORAL_PROPERTY_VIOLATED = 2116
    BEHAVIOUR_SO_FAR = 2121
    BACK_TO_STATE = 2122
    CHECKPOINT_UNREADABLE = 2126
    ASSERTION = 2132
    ARGUMENT_SHOULD_BE_A = 2169
    DIVIDED_BY_ZERO = 2179
    ZERO_TO_ZERO = 2180
    NO_CARDINALITY = 2181
    FORM_WITHOUT_SEQUENCE = 2182
    OUTSIDE_OF_DOMAIN = 2183
    EMPTY_SEQUENCE = 2184
    STARTING = 2185
    FINISHED = 2186
    MODE_BREADTH_FIRST = 2187
    MODE_SIMULATION = 2188
    COMPUTING_INITIAL = 2189
    INITIAL_STATES = 2190
    INITIAL_STATES_REPEATED = 2191
    CHECKING_LIVENESS = 2192
    SUCCESS = 2193
    DEPTH = 2194
    SAVING = 2195
    SAVED = 2196
    RECOVERING = 2197
    STATISTICS = 2199
    PROGRESS = 2200
    COVERAGE = 2201
    COVERAGE_ENDS = 2202
    STATISTICS_DEEPENING = 2204
    NEXT_LEVEL = 2205
    PROGRESS_DEEPENING = 2206
    INITIAL_STATES_DEEPENING = 2208
    PROGRESS_SIMULATION = 2209
    STATISTICS_SIMULATION = 2210
    LIVENESS_BRANCHES = 2212
    STATE = 2217
    STUTTERING = 2218
    PARSED = 2219
    PARSING = 2220
    COVERAGE_COUNT = 2221
    CONSTANT_WITHOUT_VALUE = 2222
    NOT_IN_SPECIFICATION = 2226
    BOTH_INIT_AND_SPECIFICATION = 2227
    TAKES_ARGUMENTS = 2228
    NOT_DEFINED = 2229
    MISSING_INIT = 2231
    MISSING_NEXT = 2232
    LEVEL_OF_PROPERTY = 2255
    VERSION = 2262
    COUNTEREXAMPLE = 2264
    ARGUMENT_SHOULD_BE_AN = 2266
    LIVENESS_DONE = 2267
    INITIAL_PROGRESS = 2269
    MODE_DEEPENING = 2271
    LIVENESS_WITH_SYMMETRY = 2279
    ONE_ARGUMENT_SHOULD_BE_A = 2283
    POSTCONDITION_FALSE = 2404
    TRACE_SPEC_WRITTEN = 2501
    COVERAGE_OF_ACTION = 2772
    COVERAGE_OF_INITIAL = 2773
    COVERAGE_OF_PROPERTY = 2774
    COVERAGE_COST = 2775
    COVERAGE_OF_CONSTRAINT = 2778
    PARSING_FAILED = 3002
    CONFIGURATION_UNREADABLE = 5001
    CONFIGURATION_WRONG = 5006


_PREFIX = {
    Severity.ERROR: "Error: ",
    Severity.BUG: "TLC Bug: ",
    Severity.STATE: "State ",
    Severity.WARNING: "Warning: ",
}


def framed(code: int, text: str, severity: Severity = Severity.NONE) -> str:
    """The message between its marks."""
    return f"@!@!@STARTMSG {code}:{int(severity)} @!@!@\n{text}\n@!@!@ENDMSG {code} @!@!@"


def now() -> str:
    """The time of day as messages have it."""
    return datetime.now().strftime("%Y-%m-%d %H:%M:%S")


class Elevated(Exception):
    """A warning that is to be an error; it has been printed."""


@dataclass(slots=True)
class Printer:
    """Where messages go: to what is the standard output now, whatever becomes of it. `tool`: with their codes, for a
    program; otherwise for a person.

    `suppressed`: codes that are not printed. `warnings` false: no warning is. `elevated`: codes of warnings that end
    the run.
    """

    tool: bool
    write: Callable[[str], object] = field(default_factory=lambda: _to(sys.stdout))
    warnings: bool = True
    suppressed: Collection[int] = ()
    elevated: Collection[int] = ()
    _warned: set[str] = field(default_factory=set)

    def say(self, code: Code, text: str, severity: Severity = Severity.NONE) -> None:
        if code not in self.suppressed or severity is Severity.ERROR:
            self.write(self.text(code, text, severity) + "\n")

    def error(self, code: Code, text: str) -> None:
        self.say(code, text, Severity.ERROR)

    def warn(self, code: Code, text: str) -> None:
        """Once for each text. Raise `Elevated`."""
        if code in self.elevated:
            self.error(code, text)
            raise Elevated
        if self.warnings and text not in self._warned:
            first = not self._warned and not self.tool
            self._warned.add(text)
            hint = "\n(Use the -nowarning option to disable this warning.)" if first else ""
            self.say(code, text + hint, Severity.WARNING)

    def line(self, text: str = "") -> None:
        """Text that is no message."""
        self.write(text + "\n")

    def text(self, code: Code, text: str, severity: Severity) -> str:
        return framed(code, text, severity) if self.tool else _PREFIX.get(severity, "") + text


def _to(stream: TextIO) -> Callable[[str], object]:
    def write(text: str) -> None:
        stream.write(text)
        stream.flush()

    return write
