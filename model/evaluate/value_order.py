"""The total order of values, in which sets are enumerated and CHOOSE looks for its witness.

Model values, Booleans, integers, strings, sets, functions; sets by their number of elements, then element by element;
functions by the size of the domain, then the domain, then the values. Strings and model values come in the order in
which TLC first met them (`model.tla.reading_order`), which differs from model to model: an `Order` knows it. Where TLC
compares two values at all this is its order.

Code that runs for a system finds that system's order by `current`; the system says `use` before it runs any. It is a
context variable, so that systems in one process, or in threads, do not disturb each other. Without one the order is
`BY_NAME`, which is also the order in which functions keep their arguments: how a value is stored depends on no model.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextvars import ContextVar

from rmqproof.model.evaluate.values import BY_NAME, Order, Value

_CURRENT: ContextVar[Order] = ContextVar("order", default=BY_NAME)


def current() -> Order:
    """The order of the system whose code runs."""
    return _CURRENT.get()


def use(order: Order) -> None:
    """From now on, in this thread, code runs for a system with this order."""
    if _CURRENT.get() is not order:
        _CURRENT.set(order)


def ordered(values: Iterable[Value]) -> tuple[Value, ...]:
    """The values in the current order."""
    return _CURRENT.get().ordered(values)
