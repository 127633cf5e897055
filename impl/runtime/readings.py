"""Which rules a cluster follows, from what a user asked for."""

from __future__ import annotations

from collections.abc import Iterable

from rmqproof.impl.broker.readings import BROKER_READINGS, SHIPPED_BROKER, broker_rules
from rmqproof.impl.controller.config import CONTROLLER_READINGS, SHIPPED_CONTROLLER, controller_rules
from rmqproof.impl.runtime.errors import ClusterError


def rules_of(given: Iterable[str], shipped: bool) -> dict[str, str]:
    """`RULE=READING` texts, on top of the repaired rules or the shipped ones. ClusterError names what is wrong."""
    rules = {**SHIPPED_CONTROLLER, **SHIPPED_BROKER} if shipped else {}
    for text in given:
        rule, separator, reading = text.partition("=")
        if not separator:
            raise ClusterError(f"{text!r} is not RULE=READING.", "Write it as DurableEnd=DurableEndAsShipped.")
        if rule not in BROKER_READINGS and rule not in CONTROLLER_READINGS:
            known = ", ".join(sorted({*BROKER_READINGS, *CONTROLLER_READINGS}))
            raise ClusterError(f"There is no rule {rule}.", f"The rules are those of spec/core/Rules.tla: {known}.")
        try:
            broker_rules({rule: reading})
            controller_rules({rule: reading})
        except ValueError as problem:
            raise ClusterError(str(problem), "Name one of these.") from None
        rules[rule] = reading
    return rules
