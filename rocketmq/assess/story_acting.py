"""Behaviours of broker sets without a controller in an operator's words: SlaveActingMaster.tla, QuorumLock.tla and
MasterSlave.tla of spec/protocols."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rmqproof.model.report.value import function_pairs, sequence_elements, set_elements

Tell = Callable[["Step"], str]


class Step:
    """The states around a step, and what its action was called with."""

    __slots__ = ("after", "arguments", "before")

    def __init__(self, before: Mapping[str, Any], after: Mapping[str, Any], arguments: tuple[Any, ...]) -> None:
        self.before, self.after, self.arguments = before, after, arguments

    def of(self, variable: str, key: Any, state: Mapping[str, Any] | None = None) -> Any:
        """The entry of a function, after the step unless `state` says otherwise."""
        pairs = function_pairs((state or self.after)[variable])
        if pairs is None:
            items = sequence_elements((state or self.after)[variable]) or []
            return items[key - 1]
        return next(value for at, value in pairs if at == key)

    def log(self, broker: Any, state: Mapping[str, Any] | None = None) -> list[Any]:
        return sequence_elements(self.of("replica", broker, state)["log"]) or []


def member_name(broker: Any) -> str:
    return "the master" if broker == 0 else f"slave {broker}"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _scan(step: Step) -> str:
    old, new = (set(set_elements(state["nameserver"]["live"]) or []) for state in (step.before, step.after))
    gone = sorted(old - new)
    if not gone:
        return "The nameserver scans its members, and has heard them all."
    names = " and ".join(member_name(broker) for broker in gone)
    why = [step.of("member", broker)["state"] == "Online" for broker in gone]
    what = "which runs on" if all(why) else "from which nothing came"
    return f"The nameserver takes {names}, {what}, from its list; queues can be read only."


def _learns(step: Step) -> str:
    (broker,) = step.arguments
    member = step.of("member", broker)
    acts = ": it acts for the master" if member["services"] else ""
    return f"{_capital(member_name(broker))} learns that the lowest member is {member_name(member['min'])}{acts}."


def _slave_online(step: Step) -> str:
    (broker,) = step.arguments
    acts = " and acts for the master" if step.of("member", broker)["services"] else ""
    return f"{_capital(member_name(broker))} goes online{acts}."


def _synchronizes(step: Step) -> str:
    (slave,) = step.arguments
    old, new = step.of("member", slave, step.before)["offset"], step.of("member", slave)["offset"]
    change = f": its committed offset goes from {old} back to {new}" if new < old else ""
    return f"{_capital(member_name(slave))} takes over what the master has{change}."


def _commits(step: Step) -> str:
    (broker,) = step.arguments
    return f"The consumer commits offset {step.of('member', broker)['offset']} at {member_name(broker)}."


def _master_online(step: Step) -> str:
    offset = step.of("member", 0)["offset"]
    accepted = step.after["accepted"]
    lost = (
        f", although {member_name(accepted['by'])} accepted offset {accepted['offset']}"
        if accepted["by"] != -1 and accepted["offset"] > offset
        else ""
    )
    return f"The master goes online with committed offset {offset}{lost}."


def _registers(step: Step) -> str:
    (broker,) = step.arguments
    if broker != 0:
        return f"{_capital(member_name(broker))} registers at the nameserver."
    return _master_online(step).replace("goes online", "registers again, without a pull,")


def _route(step: Step) -> str:
    at = step.after["consumer"]["at"]
    return "The consumer finds nobody." if at == -1 else f"The consumer finds {member_name(at)} as the master."


ACTING: Mapping[str, Tell] = {
    "LightHeartbeat": lambda s: f"The nameserver hears {member_name(s.arguments[0])}.",
    "Register": _registers,
    "NotActiveAreRemoved": _scan,
    "NameserverRestarts": lambda s: "The nameserver starts anew and lists nobody.",
    "ProcessEnds": lambda s: f"The process of {member_name(s.arguments[0])} ends.",
    "ProcessRestarts": lambda s: f"{_capital(member_name(s.arguments[0]))} starts again.",
    "LearnLowestId": _learns,
    "HandoverEnds": lambda s: f"{_capital(member_name(s.arguments[0]))} takes commits again.",
    "SlaveSynchronizes": _synchronizes,
    "SlaveGoesOnline": _slave_online,
    "MasterPulls": lambda s: f"The master pulls the offsets of {member_name(s.arguments[0])}.",
    "MasterGoesOnline": _master_online,
    "MasterFindsItselfUnlisted": lambda s: "The master finds itself unlisted and isolates itself.",
    "ProducerSends": lambda s: "A producer sends a delayed message to the master.",
    "DeliverHere": lambda s: f"{_capital(member_name(s.arguments[0]))} delivers message {s.arguments[1]} itself.",
    "DeliverElsewhere": lambda s: (
        f"{_capital(member_name(s.arguments[0]))} sends message {s.arguments[1]} to another broker set."
    ),
    "DeliverInContainer": lambda s: (
        f"{_capital(member_name(s.arguments[0]))} gives message {s.arguments[1]} to a master of its process."
    ),
    "GiveUp": lambda s: f"{_capital(member_name(s.arguments[0]))} gives message {s.arguments[1]} up.",
    "TakeRoute": _route,
    "Consume": lambda s: f"The consumer consumes up to offset {s.after['consumer']['offset']}.",
    "Commit": _commits,
    "Rebalance": lambda s: f"Another consumer takes over and begins at offset {s.after['consumer']['offset']}.",
}
"""By action of `spec/protocols/SlaveActingMaster.tla`."""


def _votes(step: Step) -> str:
    consumer, broker = step.arguments
    return f"{_capital(member_name(broker))} grants it to {consumer}, too."


LOCKS: Mapping[str, Tell] = {
    "RouteChanges": lambda s: f"Consumer {s.arguments[0]} finds {member_name(s.arguments[1])} as the master.",
    "AskForLock": lambda s: (
        f"{_capital(member_name(s.of('client', s.arguments[0])['master']))} locks the queue for "
        f"consumer {s.arguments[0]}."
    ),
    "AnotherMemberGrants": _votes,
    "LockIsGranted": lambda s: f"Consumer {s.arguments[0]} has the lock and consumes.",
    "LockIsRefused": lambda s: f"Consumer {s.arguments[0]} is refused.",
    "Unlock": lambda s: f"Consumer {s.arguments[0]} gives the lock back.",
    "ConsumerGivesUp": lambda s: f"Consumer {s.arguments[0]} could not renew the lock and stops consuming.",
    "EntryIsForgotten": lambda s: f"The lock's time is over at {member_name(s.arguments[0])}.",
    "MemberRestarts": lambda s: f"{_capital(member_name(s.arguments[0]))} starts anew and has forgotten its locks.",
    "MemberVotesAgain": lambda s: f"{_capital(member_name(s.arguments[0]))} grants locks again.",
}
"""By action of `spec/protocols/QuorumLock.tla`."""


def _without(step: Step, broker: Any) -> str:
    acked = set_elements(step.after["history"]["acked"]) or []
    missing = [message for message in acked if message not in step.log(broker)]
    return f", without the acknowledged message {', '.join(map(str, missing))}" if missing else ""


def _fails(step: Step) -> str:
    broker = step.arguments[0]
    lost = [message for message in step.log(broker, step.before) if message not in step.log(broker)]
    return f"The machine of {member_name(broker)} fails and loses message {', '.join(map(str, lost))}, not flushed yet."


def _slave_connects(step: Step) -> str:
    (slave,) = step.arguments
    cut = [message for message in step.log(slave, step.before) if message not in step.log(slave)]
    foreign = [message for message in step.log(slave) if message not in step.log(0)]
    what = f" and cuts off message {', '.join(map(str, cut))}" if cut else ""
    if foreign:
        what = f"; it holds message {', '.join(map(str, foreign))}, which the master has not, and reports it as copied"
    return f"{_capital(member_name(slave))} connects to the master{what}."


def _copies(step: Step) -> str:
    (slave,) = step.arguments
    new = step.log(slave)[len(step.log(slave, step.before)) :]
    return f"{_capital(member_name(slave))} receives message {', '.join(map(str, new))}."


def _answers(step: Step) -> str:
    message = step.arguments[0]["id"]
    holders = [
        member_name(broker) for broker, _ in function_pairs(step.after["replica"]) or [] if message in step.log(broker)
    ]
    return f"The producer is told SEND_OK for message {message}; it is on {' and '.join(holders)}."


def _reads(step: Step) -> str:
    old, new = (set_elements(state["history"]["consumed"]) or [] for state in (step.before, step.after))
    messages = ", ".join(str(message) for message in new if message not in old)
    return f"A consumer reads message {messages} from {member_name(step.arguments[0])}."


LOG: Mapping[str, Tell] = {
    "MasterAppends": lambda s: f"The master appends message {s.log(0)[-1]}.",
    "MasterAcknowledges": _answers,
    "SlaveConnects": _slave_connects,
    "SlaveCopies": _copies,
    "MasterHears": lambda s: f"The master hears that {member_name(s.arguments[0])} has it.",
    "Flush": lambda s: f"{_capital(member_name(s.arguments[0]))} flushes its log to disk.",
    "ConsumerReads": _reads,
    "ProcessEnds": lambda s: f"The process of {member_name(s.arguments[0])} ends.",
    "MachineFails": _fails,
    "DiskIsLost": lambda s: f"The disk of {member_name(s.arguments[0])} is lost.",
    "ProcessStarts": lambda s: f"{_capital(member_name(s.arguments[0]))} starts again{_without(s, 0)}.",
    "MemberIsMissed": lambda s: f"The nameserver takes {member_name(s.arguments[0])} from its list.",
    "MemberIsListed": lambda s: f"The nameserver lists {member_name(s.arguments[0])} again.",
    "ConnectionBreaks": lambda s: f"The connection of {member_name(s.arguments[0])} to the master breaks.",
}
"""By action of `spec/protocols/MasterSlave.tla`."""


def tale_of(variables: tuple[str, ...], first: Mapping[str, Any]) -> tuple[str, Mapping[str, Tell]] | None:
    """The beginning, and who tells which action; None for a behaviour of another module."""
    names = set(variables)
    if {"nameserver", "member", "consumer"} <= names:
        slaves = len(function_pairs(first["member"]) or []) - 1
        return f"The master (brokerId 0) and {slaves} slave{'s' if slaves > 1 else ''} run and are listed.", ACTING
    if {"entry", "client"} <= names:
        return "Nobody has locked the queue.", LOCKS
    if {"replica", "listed", "waiting"} <= names:
        slaves = len(function_pairs(first["replica"]) or []) - 1
        if not slaves:
            return "The master (brokerId 0) runs alone.", LOG
        return f"The master (brokerId 0) and {slaves} slave{'s' if slaves > 1 else ''} run; the logs are equal.", LOG
    return None
