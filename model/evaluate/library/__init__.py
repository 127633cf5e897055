"""The operators of the standard modules, by `Module!name`.

Each module of this package has a table `OPERATORS`. An operator is a Python function of values (`Operator.function`);
parameters that are operators arrive as Python callables; a Boolean result is TRUE or FALSE.
"""

from __future__ import annotations

from rmqproof.model.evaluate.library import (
    bags,
    bitwise,
    files,
    finite_sets,
    folds,
    json_text,
    naturals,
    pictures,
    reals,
    samples,
    sequences,
    sequences_ext,
    sets_and_functions,
    statistics,
    tlc,
    tlc_ext,
    vector_clocks,
)
from rmqproof.model.evaluate.library.operator import Operator


def operators() -> dict[str, Operator]:
    """All of them."""
    standard = (naturals, reals, sequences, finite_sets, tlc, tlc_ext, bags, json_text, samples)
    community = (folds, sets_and_functions, sequences_ext, bitwise, files, pictures, statistics, vector_clocks)
    return {name: operator for module in (*standard, *community) for name, operator in module.OPERATORS.items()}
