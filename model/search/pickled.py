"""States as pickles that are data: reading one runs nothing but what makes values."""

from __future__ import annotations

import pickle
from typing import Any, BinaryIO

ALLOWED = {
    ("builtins", "frozenset"),
    ("builtins", "set"),
    ("rmqproof.model.evaluate.values", "Function"),
    ("rmqproof.model.evaluate.values", "boolean"),
    ("rmqproof.model.evaluate.values", "domain_of"),
    ("rmqproof.model.evaluate.values", "model_value"),
}
"""What the pickle of a state may name: a store or a checkpoint is data."""


class StateReader(pickle.Unpickler):
    """`load` raises `pickle.UnpicklingError` for what is no state, as for all else that is damaged."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__(file)

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in ALLOWED:
            raise pickle.UnpicklingError(f"{module}.{name} has no place in a state")
        return super().find_class(module, name)
