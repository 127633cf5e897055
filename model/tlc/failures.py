"""Which of TLC's messages says what is wrong, and with which status TLC ends for it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from rmqproof.model.search.breadth_first import WITHOUT_NEXT
from rmqproof.model.tla.source import Location, TlaError
from rmqproof.model.tlc.messages import Code, framed
from rmqproof.model.tlc.places import long_place, span


@dataclass(frozen=True, slots=True)
class Failing:
    """A message, and the exit status that goes with it."""

    code: Code
    text: str
    status: int


_OF_CONFIGURATION = (
    (
        r"(\w+) names (\S+), which module \S+ does not define",
        Code.NOT_DEFINED,
        "The {} {} specified in the configuration file\nis not defined in the specification.",
    ),
    (
        r".*: constants? (\w+)(?:, .*)? (?:has|have) no value",
        Code.CONSTANT_WITHOUT_VALUE,
        "The constant parameter {} is not assigned a value by the configuration file.",
    ),
    (
        r"(\S+) is not defined in module \S+",
        Code.NOT_IN_SPECIFICATION,
        "In the configuration file, the identifier {} does not appear in the specification.",
    ),
    (
        r"(\S+) has \d+ parameters?, and (\w+) names a formula",
        Code.TAKES_ARGUMENTS,
        "TLC requires {1} not to take any argument, but one was given: {0}",
    ),
    (
        r"(?:INIT|NEXT) and SPECIFICATION are both given",
        Code.BOTH_INIT_AND_SPECIFICATION,
        "The configuration file cannot specify both INIT/NEXT and SPECIFICATION fields.",
    ),
    (
        r"the configuration does not say where states start",
        Code.MISSING_INIT,
        "The configuration file did not specify the initial state predicate.",
    ),
    (
        r"the configuration does not say how states step",
        Code.MISSING_NEXT,
        "The configuration file did not specify the next state predicate.",
    ),
)
"""Our sentence, TLC's code, and its sentence with what the first one captured."""
_SECTIONS = {
    "SPECIFICATION": "specification",
    "INIT": "initial predicate",
    "NEXT": "next state action",
    "INVARIANTS": "invariant",
    "PROPERTIES": "property",
    "CONSTRAINTS": "constraint",
    "ACTION_CONSTRAINTS": "action constraint",
    "SYMMETRY": "symmetry function",
    "VIEW": "view function",
    "ALIAS": "alias",
    "POSTCONDITIONS": "post condition",
}
CONFIGURATION_STATUS = 151
UNFORESEEN_STATUS = 255


def of_configuration(error: TlaError) -> Failing:
    """What does not fit between a configuration and its specification."""
    for pattern, code, text in _OF_CONFIGURATION:
        found = re.match(pattern, error.message)
        if found is not None:
            words = [_SECTIONS.get(word, word) for word in found.groups()]
            return Failing(code, text.format(*words), CONFIGURATION_STATUS)
    return Failing(Code.GENERAL, str(error), CONFIGURATION_STATUS)


def of_configuration_text(error: TlaError, config: Path, tool: bool) -> Failing:
    """A configuration that cannot be read at all: TLC takes that for an accident, and says it inside of one."""
    if error.at is None or error.kind == "system":
        code = Code.CONFIGURATION_UNREADABLE
        inner = (
            f"TLC encountered the following error when trying to read the configuration file {config}:\n{error.message}"
        )
    else:
        code = Code.CONFIGURATION_WRONG
        inner = f"TLC found an error in the configuration file at line {span(error.at)[0]}\n{error.message}"
    text = accident("tlc2.tool.ConfigFileException", framed(code, inner) if tool else inner)
    return Failing(Code.GENERAL, text, UNFORESEEN_STATUS)


def accident(kind: str, text: str) -> str:
    """The words around an error that TLC did not expect."""
    return (
        "TLC threw an unexpected exception.\nThis was probably caused by an error in the spec or model.\n"
        "See the User Output or TLC Console for clues to what happened.\n"
        f"The exception was a {kind}\n: {text}"
    )


EVALUATION_STATUS, INVARIANT_STATUS, ASSERT_STATUS, SYSTEM_STATUS = 75, 76, 14, 255
_BY_OPERATOR = (
    (r"(?:<|>|<=|>=) needs integers", Code.ARGUMENT_SHOULD_BE_AN),
    (r"the (?:right side of %|exponent of \^) must", Code.ARGUMENT_SHOULD_BE_A),
    (r"(?:SubSeq|SelectSeq|SortSeq) needs|@@ needs functions", Code.ARGUMENT_SHOULD_BE_A),
    (r"\S+ is divided by zero", Code.DIVIDED_BY_ZERO),
    (r"0 \^ 0 is not defined", Code.ZERO_TO_ZERO),
    (r"(?:Len|Head|Tail) needs a sequence", Code.ONE_ARGUMENT_SHOULD_BE_A),
    (r"(?:Append|\\o) needs a sequence", Code.FORM_WITHOUT_SEQUENCE),
    (r"(?:Head|Tail) of the empty sequence", Code.EMPTY_SEQUENCE),
    (r"SubSeq\(.* reaches outside of", Code.OUTSIDE_OF_DOMAIN),
    (r"Cardinality (?:needs sets|of )", Code.NO_CARDINALITY),
)
"""What operators of standard modules find wrong themselves in TLC's Java: it has messages of its own, and does not take
it for an accident; no status is foreseen for them (`EC.ExitStatus.errorConstantToExitStatus`)."""


def of_evaluation(error: Exception, during: str, initial: bool = False) -> Failing:
    """What went wrong while something was evaluated. `during`: see `search.result.Failure`; `initial`: of an initial
    state itself, of which TLC does not say what it was evaluating."""
    text = error.message if isinstance(error, TlaError) else str(error)
    kind = error.kind if isinstance(error, TlaError) else "evaluation"
    if kind == "assert":
        text = f"The first argument of Assert evaluated to FALSE; the second argument was:\n{text}"
        return Failing(Code.ASSERTION, text, ASSERT_STATUS)
    if text == WITHOUT_NEXT:
        said = "No next state actions defined to generate successor states from."
        return Failing(Code.WITHOUT_NEXT, said, EVALUATION_STATUS)
    what, _, name = during.rpartition(" ")
    of_operator = next((code for pattern, code in _BY_OPERATOR if re.match(pattern, text)), None)
    if initial:
        return Failing(Code.INITIAL_STATE if of_operator is None else Code.GENERAL, text, EVALUATION_STATUS)
    status = EVALUATION_STATUS if of_operator is None else UNFORESEEN_STATUS
    if what == "invariant":
        return Failing(Code.INVARIANT_EVALUATION, f"Evaluating invariant {name} failed.\n{text}", INVARIANT_STATUS)
    if what == "step property":
        text = f"Evaluating action property {name} failed.\n{text}"
        return Failing(Code.ACTION_PROPERTY_EVALUATION, text, status)
    if of_operator is not None:
        return Failing(of_operator, text, status)
    return Failing(Code.GENERAL, accident("java.lang.RuntimeException", text), status)


def nested(at: Location) -> str:
    """Where in the text it went wrong."""
    module = Path(at.source.name).stem
    return (
        "The error occurred when TLC was evaluating the nested\nexpressions at the following positions:\n"
        f"0. {long_place(at, module)}\n\n"
    )
