"""The types of brokers where there may be any number of them."""

from __future__ import annotations

from dataclasses import dataclass

from rmqproof.model.types.domain import Atom, Text


@dataclass(frozen=True, slots=True)
class SomeBroker(Text):
    """A broker, or one of these names. What it is joined with but itself makes it any name."""

    others: frozenset[Atom]


@dataclass(frozen=True, slots=True)
class EveryBroker(Text):
    """As the keys of a total function: its domain is the set of all brokers, and no other set of names."""
