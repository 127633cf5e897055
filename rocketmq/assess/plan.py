"""Which module of `spec/` answers a question about a broker set, and with which configuration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rmqproof.rocketmq.assess.acting import MasterSlave
from rmqproof.rocketmq.assess.acting_scenario import (
    LOG_MODULE,
    acting_bounds,
    acting_configuration,
    acting_module,
    acting_property,
)
from rmqproof.rocketmq.assess.broker_set import BrokerSet
from rmqproof.rocketmq.assess.family import family_of
from rmqproof.rocketmq.assess.faults import Fault, Faults
from rmqproof.rocketmq.assess.questions import LOCKS, Question
from rmqproof.rocketmq.assess.scenario import bounds_under, configuration, module_of


@dataclass(frozen=True, slots=True)
class Plan:
    """Questions that one search answers. `configuration` makes a .cfg with some of their properties."""

    module: str
    questions: tuple[Question, ...]
    configuration: Callable[[Sequence[str]], str]


def raised(question: Question, broker_set: BrokerSet, faults: Faults) -> bool:
    """Whether these faults and this kind of broker set raise the question at all."""
    if not isinstance(broker_set, MasterSlave):
        return not question.module
    module = acting_module(question)
    if module == LOCKS:
        # consumers are sent to another member only when one is missed
        return broker_set.acting and faults.classes != (Fault.BROKER_PARTITION,)
    return module == LOG_MODULE or broker_set.acting or question.name == "offsets-roll-back"


def plans(broker_set: BrokerSet, faults: Faults, questions: Sequence[Question]) -> list[Plan]:
    """The searches that answer these questions."""
    by_module: dict[str, list[Question]] = {}
    for question in questions:
        by_module.setdefault(module_for(broker_set, question), []).append(question)
    return [
        Plan(module, tuple(asked), _configuration(broker_set, faults, module)) for module, asked in by_module.items()
    ]


def property_for(broker_set: BrokerSet, question: Question) -> str:
    """What is violated exactly where the answer is yes."""
    return acting_property(question) if isinstance(broker_set, MasterSlave) else question.property


def module_for(broker_set: BrokerSet, question: Question) -> str:
    return acting_module(question) if isinstance(broker_set, MasterSlave) else module_of(broker_set)


def _configuration(broker_set: BrokerSet, faults: Faults, module: str) -> Callable[[Sequence[str]], str]:
    if isinstance(broker_set, MasterSlave):
        acting = broker_set
        return lambda properties: acting_configuration(acting, faults, module, properties)
    deployment = broker_set
    return lambda properties: configuration(deployment, faults, properties, bounds_under(faults))


def bounds_of(broker_set: BrokerSet, faults: Faults, question: Question) -> str:
    """How far the search went that answered, in words."""
    if isinstance(broker_set, MasterSlave):
        return acting_bounds(acting_module(question), faults)
    return str(bounds_under(faults))


def program_of(broker_set: BrokerSet, faults: Faults) -> object:
    """Equal for classes of faults that one process is to work out: those of one compiled program."""
    return faults if isinstance(broker_set, MasterSlave) else family_of(broker_set, faults)
