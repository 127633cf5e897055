"""A running cluster for `assess`: its settings as readings of files, and its state in lines."""

from __future__ import annotations

from collections.abc import Iterator

from rmqproof.model.tla.source import Source
from rmqproof.rocketmq.assess.properties_file import PropertiesFile, parse_properties
from rmqproof.rocketmq.assess.reading import Reading, empty_reading, read_side
from rmqproof.rocketmq.assess.settings import Side, settings_of
from rmqproof.rocketmq.epoch_files import compare
from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.online import Online, differences


def readings_of(found: Online) -> tuple[list[Reading], Reading]:
    """Of the brokers, and of the controllers. Raise `RocketmqError` where no broker answers."""
    if not found.brokers:
        raise RocketmqError(f"No broker of {found.name} answers.", "Look whether this machine reaches them.")
    brokers = [_reading(f"broker {each.address}", each.settings, Side.BROKER) for each in found.brokers]
    if not found.controller_settings:
        return brokers, empty_reading(Side.CONTROLLER, "no controller that answers")
    return brokers, _reading("controllers", found.controller_settings, Side.CONTROLLER)


def _reading(name: str, text: str, side: Side) -> Reading:
    """A process says all of its settings: those are taken that decide and are not RocketMQ's defaults."""
    file = parse_properties(Source(name, text))
    known = {setting.name: setting for setting in settings_of(side)}
    kept = tuple(
        entry
        for entry in file.entries
        if entry.name in known and known[entry.name].read(entry.value) != known[entry.name].default
    )
    return read_side(PropertiesFile(file.source, kept), side)


def state_lines(found: Online) -> Iterator[str]:
    yield f"broker set {found.name}, now:"
    for broker in found.brokers:
        role = "master" if broker.address == found.master or broker.id == 0 else "slave"
        inside = (
            ""
            if found.members is None
            else ", in the SyncStateSet"
            if broker.address in found.members
            else ", not in the SyncStateSet"
        )
        epochs = ""
        if broker.epochs is not None:
            last = broker.epochs.entries[-1]
            epochs = f", epoch {last.epoch} from {last.start}, log to {broker.epochs.log_end}"
        yield f"  {broker.address}: {role}{inside}{epochs}"
    for each in found.silent:
        yield f"  {each} does not answer"
    if found.members is None and found.controllers:
        yield "  no controller says what the SyncStateSet is"
    for master, slave in differences(found):
        for warning in compare(master, slave).warnings:
            yield f"  epochs of {slave.name} beside the master's: {warning}"
