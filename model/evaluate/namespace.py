"""What the text of generated code can name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rmqproof.model.evaluate import comparison, lazy, lazy_sets, operations, support, values
from rmqproof.model.evaluate.library import sequences
from rmqproof.model.evaluate.values import FALSE, TRUE, Function

HELPERS: Mapping[str, Any] = {
    **{
        name: item
        for module in (comparison, operations, support)
        for name, item in vars(module).items()
        if callable(item)
    },
    **{name: getattr(lazy, name) for name in ("plain", "in_order", "frozen", "LazyFunction")},
    **{name: getattr(lazy_sets, name) for name in ("Powerset", "Functions", "Records", "Products", "Interval")},
    "function": values.function,
    "sub_sequence": sequences.sub_sequence,
    "domain_set": values.domain_set,
    "Function": Function,
    "TRUE": TRUE,
    "FALSE": FALSE,
    "UNSET": support.UNSET,
}
