"""TLCExt: registers with defaults, model values by name; what a search does not offer is refused."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Any, Final

from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.fingerprint import Encoder
from rmqproof.model.evaluate.library.arguments import refuse, string
from rmqproof.model.evaluate.library.operator import Operator, Runtime
from rmqproof.model.evaluate.shape import BOOL, INT, MODEL
from rmqproof.model.evaluate.values import FALSE, TRUE, Boolean, ModelValue, Value, boolean, model_value


def get_or_default(runtime: Runtime, key: Value, default: Value) -> Value:
    return runtime.registers.get(key, default)


def assert_error(expected: Value, evaluate: Callable[[], Value]) -> Boolean:
    """TRUE when evaluating the expression fails with this message; TLC's text for Assert."""
    try:
        evaluate()
    except Fault as fault:
        message = fault.message
        if fault.kind == "assert":
            message = f"The first argument of Assert evaluated to FALSE; the second argument was:\n{message}"
        return boolean(message == expected)
    return FALSE


def named_model_value(name: Value) -> ModelValue:
    return model_value(string(name, "TLCModelValue"))


def defer(_: Value) -> Boolean:
    return TRUE


def fingerprint(value: Value) -> int:
    """32 bits; not TLC's number."""
    return int.from_bytes(blake2b(Encoder().encode(value), digest_size=4).digest(), "little") & 0x7FFFFFFF


def _refused(name: str, reason: str) -> Any:
    def refused(*_: Value) -> Value:
        refuse(f"TLCExt!{name}", reason)

    return refused


OPERATORS: Final = {
    "TLCExt!AssertError": Operator(assert_error, BOOL, delayed=frozenset({1})),
    "TLCExt!TLCGetOrDefault": Operator(get_or_default, runtime=True),
    "TLCExt!TLCModelValue": Operator(named_model_value, MODEL),
    "TLCExt!TLCDefer": Operator(defer, BOOL),
    "TLCExt!TLCFP": Operator(fingerprint, INT),
    "TLCExt!Trace": Operator(_refused("Trace", "the search keeps no behaviour at hand while it goes on")),
    "TLCExt!CounterExample": Operator(_refused("CounterExample", "write counterexamples with --out")),
    "TLCExt!ToTrace": Operator(_refused("ToTrace", "write counterexamples with --out")),
    "TLCExt!TLCEvalDefinition": Operator(_refused("TLCEvalDefinition", "name the definition itself")),
}
