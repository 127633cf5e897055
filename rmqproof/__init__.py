"""rmqproof: check the replication protocol of RocketMQ 5 Controller mode, and any TLA+ specification.

    from rmqproof import load, check

    result = check(load("Counter.tla", constants={"Limit": 3}))
    print(result.verdict, result.distinct, result.behaviour)

What is named below is imported when it is first used, so that the package itself is imported in no time.
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any

from rmqproof.version import VERSION

if TYPE_CHECKING:
    from rmqproof.model.api.behaviour import Behaviour, State
    from rmqproof.model.api.bounded import BoundedResult, check_bounded
    from rmqproof.model.api.checks import check, simulate
    from rmqproof.model.api.errors import (
        AdapterError,
        ConfigError,
        EvaluationError,
        ParseError,
        RmqproofError,
        RunUnreadable,
        SystemFailure,
    )
    from rmqproof.model.api.exploring import Walk, explore
    from rmqproof.model.api.models import Changes, Model, load
    from rmqproof.model.api.proofs import Proof, prove
    from rmqproof.model.api.result import Interrupted, Result
    from rmqproof.model.api.runs import conform, validate
    from rmqproof.model.api.values import Function, ModelValue

__version__ = VERSION

_HERE = os.path.dirname(__file__)
if not os.path.isdir(os.path.join(_HERE, "model")):
    # A checkout: the packages lie beside this folder. In a wheel the build has put them into it.
    __path__.append(os.path.dirname(_HERE))

_HOMES = {
    "behaviour": ("Behaviour", "State"),
    "bounded": ("BoundedResult", "check_bounded"),
    "checks": ("check", "simulate"),
    "errors": (
        "AdapterError",
        "ConfigError",
        "EvaluationError",
        "ParseError",
        "RmqproofError",
        "RunUnreadable",
        "SystemFailure",
    ),
    "exploring": ("Walk", "explore"),
    "models": ("Changes", "Model", "load"),
    "proofs": ("Proof", "prove"),
    "result": ("Interrupted", "Result"),
    "runs": ("conform", "validate"),
    "values": ("Function", "ModelValue"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "AdapterError",
    "Behaviour",
    "BoundedResult",
    "Changes",
    "ConfigError",
    "EvaluationError",
    "Function",
    "Interrupted",
    "Model",
    "ModelValue",
    "ParseError",
    "Proof",
    "Result",
    "RmqproofError",
    "RunUnreadable",
    "State",
    "SystemFailure",
    "Walk",
    "check",
    "check_bounded",
    "conform",
    "explore",
    "load",
    "prove",
    "simulate",
    "validate",
]


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"rmqproof.model.api.{home}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
