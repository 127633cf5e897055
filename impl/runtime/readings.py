"""Which rules a cluster follows, from what a user asked for."""

from __future__ import annotations

from collections.abc import Iterable

from rmqproof.impl.broker.readings import SHIPPED_BROKER, broker_rules
from rmqproof.impl.controller.config import SHIPPED_CONTROLLER, controller_rules
from rmqproof.impl.runtime.errors import ClusterError


def rules_of(given: Iterable[str], shipped: bool) -> dict[str, str]:
    """`RULE=READING` texts, on top of the repaired rules or the shipped ones. ClusterError names what is wrong."""
    rules = {**SHIPPED_CONTROLLER, **SHIPPED_BROKER} if shipped else {}
    for text in given:
        rule, separator, reading = text.partition("=")
        if not separator:
            raise ClusterError(f"{text!r} is not RULE=READING.", "Write it as DurableEnd=DurableEndAsShipped.")
        if controller_rules({rule: reading}) == controller_rules({}) and broker_rules({rule: reading}) == broker_rules(
            {}
        ):
            raise ClusterError(f"There is no rule {rule}.", "The rules are the operators of spec/Rules.tla.")
        rules[rule] = reading
    return rules
