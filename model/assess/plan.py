"""Which module of `spec/` answers a question about a broker set, and with which configuration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rmqproof.model.assess.broker_set import BrokerSet
from rmqproof.model.assess.family import family_of
from rmqproof.model.assess.faults import Faults
from rmqproof.model.assess.questions import Question
from rmqproof.model.assess.scenario import Bounds, bounds_under, configuration, module_of


@dataclass(frozen=True, slots=True)
class Plan:
    """Questions that one search answers. `configuration` makes a .cfg with some of their properties."""

    module: str
    questions: tuple[Question, ...]
    configuration: Callable[[Sequence[str]], str]

    def property_of(self, question: Question) -> str:
        return question.property


def plans(broker_set: BrokerSet, faults: Faults, questions: Sequence[Question]) -> list[Plan]:
    bounds = bounds_under(faults)
    return [
        Plan(
            module_of(broker_set),
            tuple(questions),
            lambda properties: configuration(broker_set, faults, properties, bounds),
        )
    ]


def bounds_of(broker_set: BrokerSet, faults: Faults, question: Question) -> Bounds:
    return bounds_under(faults)


def program_of(broker_set: BrokerSet, faults: Faults) -> object:
    """Equal for what one compiled program explores."""
    return family_of(broker_set, faults)
