"""A behaviour of the protocol in an operator's words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from rmqproof.model.report.behaviour import Behaviour, Step
from rmqproof.model.report.value import function_pairs, sequence_elements, set_elements
from rmqproof.rocketmq.assess.story_acting import Step as ActingStep
from rmqproof.rocketmq.assess.story_acting import Tell, tale_of
from rmqproof.rocketmq.assess.story_clients import tale_of_clients
from rmqproof.rocketmq.assess.story_controllers import tale_of_controllers
from rmqproof.rocketmq.assess.story_elsewhere import tale_elsewhere
from rmqproof.rocketmq.assess.story_online import tale_of_online
from rmqproof.rocketmq.assess.story_pop import tale_of_pop
from rmqproof.rocketmq.assess.story_queues import tale_of_queues
from rmqproof.rocketmq.controller_mode import is_controller_mode

State = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Change:
    """One step: the states around it and what the action was called with."""

    before: State
    after: State
    arguments: tuple[Any, ...]

    def of(self, variable: str, broker: Any, state: State | None = None) -> Any:
        """The entry of a per-broker variable, after the step unless `state` says otherwise."""
        pairs = function_pairs((state or self.after)[variable]) or []
        return next(value for key, value in pairs if key == broker)

    def log(self, broker: Any, state: State | None = None) -> list[int]:
        """The ids of the messages in a broker's log."""
        return [entry["id"] for entry in sequence_elements(self.of("disk", broker, state)["log"]) or []]


def story(behaviour: Behaviour) -> tuple[str, ...]:
    """One sentence for each step that an operator could see, the beginning and the end included."""
    return tuple(_sentences(behaviour))


def is_told(behaviour: Behaviour) -> bool:
    """Whether there are words for the actions of this behaviour's module."""
    return is_controller_mode(behaviour) or _tale(behaviour) is not None


def _tale(behaviour: Behaviour) -> tuple[str, Mapping[str, Tell]] | None:
    first = behaviour.steps[0].state
    tellers = (
        tale_of,
        tale_elsewhere,
        tale_of_controllers,
        tale_of_queues,
        tale_of_online,
        tale_of_pop,
        tale_of_clients,
    )
    return next((tale for each in tellers if (tale := each(behaviour.variables, first)) is not None), None)


def _sentences(behaviour: Behaviour) -> Iterator[str]:
    first = behaviour.steps[0].state
    tale = _tale(behaviour)
    if tale is not None:
        beginning, tellers = tale
        yield beginning
        for before, step in pairwise(behaviour.steps):
            tell = tellers.get(step.action or "")
            told = tell(ActingStep(before.state, step.state, step.arguments)) if tell is not None else ""
            yield told or _unknown(step)
        return
    controller = first["controller"]
    brokers = [key for key, _ in function_pairs(first["broker"]) or []]
    members = _names(controller["sss"])
    yield (
        f"{_listed(brokers)} run; {controller['master']} is master (epoch {controller['masterEpoch']}), "
        f"the SyncStateSet is {{{', '.join(members)}}}."
    )
    for before, step in zip(behaviour.steps, behaviour.steps[1:], strict=False):
        sentence = _sentence(before, step)
        if sentence:
            yield sentence


def _sentence(before: Step, step: Step) -> str:
    teller = _TELLERS.get(step.action or "")
    change = Change(before.state, step.state, step.arguments)
    return teller(change) if teller is not None else _unknown(step)


def _unknown(step: Step) -> str:
    arguments = f"({', '.join(map(str, step.arguments))})" if step.arguments else ""
    return f"{step.action}{arguments}."


def _appends(c: Change) -> str:
    (broker,) = c.arguments
    role = c.of("broker", broker)
    return f"Master {broker} (epoch {role['masterEpoch']}) appends message {c.log(broker)[-1]}."


def _acknowledges(c: Change) -> str:
    broker, message = c.arguments
    holders = [key for key, _ in function_pairs(c.after["disk"]) or [] if message in c.log(key)]
    return f"{broker} answers SEND_OK for message {message}; it is on {_listed(holders)}."


def _batch(c: Change) -> str:
    (slave,) = c.arguments
    new = c.log(slave)[len(c.log(slave, c.before)) :]
    master = c.of("link", slave)
    what = f"message{'s' if len(new) > 1 else ''} {_listed(new)}" if new else "a new epoch, no message,"
    return f"Slave {slave} receives {what} from {master}."


def _connects(c: Change) -> str:
    (slave,) = c.arguments
    master = c.of("link", slave)
    cut = [message for message in c.log(slave, c.before) if message not in c.log(slave)]
    loss = f" and cuts off message{'s' if len(cut) > 1 else ''} {_listed(cut)}" if cut else ""
    return f"Slave {slave} connects to {master}{loss}."


def _master(c: Change) -> str:
    (broker,) = c.arguments
    return f"{broker} becomes master of epoch {c.of('broker', broker)['masterEpoch']}{_holding(c, broker)}."


def _elects(c: Change) -> str:
    new = c.after["controller"]
    if _decided(c):
        return f"The controller decides to make {c.arguments[-1]} master, and does not apply it yet."
    return f"The controller makes {new['master']} master of epoch {new['masterEpoch']}{_holding(c, new['master'])}."


def _restarted_master(c: Change) -> str:
    (broker,) = c.arguments
    return (
        f"{broker} asks for an election and becomes master of epoch {c.of('broker', broker)['masterEpoch']}"
        f"{_holding(c, broker)}."
    )


def _holding(c: Change, broker: Any) -> str:
    acknowledged = set_elements(c.after["history"]["acked"]) or []
    missing = [message for message in acknowledged if message not in c.log(broker)]
    return f", without the acknowledged message {_listed(missing)}" if missing else ""


def _slave(c: Change) -> str:
    (broker,) = c.arguments
    role = c.of("broker", broker)
    return f"{broker} becomes slave of {role['master']} (epoch {role['masterEpoch']})."


def _expires(c: Change) -> str:
    (broker,) = c.arguments
    runs = c.of("broker", broker)["role"] not in ("Down", "Lost")
    return (
        f"The controller hears no more heartbeats of {broker}, which runs on."
        if runs
        else f"The controller notices that {broker} is gone."
    )


def _shrink(c: Change) -> str:
    master, slave = c.arguments
    why = f"{slave} has not caught up for haMaxTimeSlaveNotCatchup, or its connection closed"
    return f"{why}: {master} asks to drop it from the SyncStateSet."


def _expand(c: Change) -> str:
    master, slave = c.arguments
    return f"{slave} has caught up: {master} asks to take it into the SyncStateSet."


def _decided(c: Change) -> bool:
    """Whether a decision was put behind others instead of being applied."""
    return len(sequence_elements(c.after["events"]) or []) > len(sequence_elements(c.before["events"]) or [])


def _applies(c: Change) -> str:
    old, new = c.before["controller"], c.after["controller"]
    if old["masterEpoch"] != new["masterEpoch"]:
        return f"The controller applies its decision: {new['master']} is master of epoch {new['masterEpoch']}."
    return f"The controller applies its decision: the SyncStateSet is {{{', '.join(_names(new['sss']))}}}."


def _altered(c: Change) -> str:
    if _decided(c):
        return f"The controller accepts {{{', '.join(_names(c.arguments[0]['members']))}}}, and does not apply it yet."
    return f"The controller stores the SyncStateSet {{{', '.join(_names(c.after['controller']['sss']))}}}."


def _machine(c: Change) -> str:
    broker = c.arguments[0]
    lost = [message for message in c.log(broker, c.before) if message not in c.log(broker)]
    tail = f" and loses message {_listed(lost)}, which was not flushed" if lost else ""
    return f"The machine of {broker} fails{tail}."


def _disk(c: Change) -> str:
    (broker,) = c.arguments
    return f"The disk of {broker} is lost."


def _reads(c: Change) -> str:
    (broker,) = c.arguments
    old = set_elements(c.before["history"]["consumed"]) or []
    new = [message for message in set_elements(c.after["history"]["consumed"]) or [] if message not in old]
    return f"A consumer reads message {_listed(new)} from {broker}."


def _first(text: str) -> Callable[[Change], str]:
    return lambda c: text.format(c.arguments[0] if c.arguments else "")


_TELLERS: Mapping[str, Callable[[Change], str]] = {
    "AppendPut": _appends,
    "AcknowledgePut": _acknowledges,
    "ConsumerReads": _reads,
    "SlaveAppendsBatch": _batch,
    "SlaveConnectsAndTruncates": _connects,
    "MasterReceivesAck": _first("The master hears that {} has it."),
    "SlaveLearnsConfirmOffset": _first("{} learns the confirmOffset."),
    "MasterNoticesLostConnection": lambda c: f"{c.arguments[0]} notices that {c.arguments[1]} is gone.",
    "HeartbeatArrives": _first("The controller hears from {} again."),
    "HeartbeatExpires": _expires,
    "ControllerElectsMaster": _elects,
    "BrokerRequestsElection": _elects,
    "AdministratorDesignatesMaster": _elects,
    "ControllerFindsNoMaster": _first("The controller finds nobody in the SyncStateSet who could be master."),
    "ControllerAcceptsAlter": _altered,
    "ControllerAppliesEvent": _applies,
    "ControllerRejectsAlter": _first("The controller refuses that change."),
    "ControllerFailsOver": _first("Another controller takes over."),
    "BecomeMaster": _master,
    "RestartedBrokerIsElected": _restarted_master,
    "BecomeSlave": _slave,
    "LearnSyncStateSet": _first("{} learns the SyncStateSet that the controller stored."),
    "ProposeExpand": _expand,
    "ProposeShrink": _shrink,
    "ForgetUnresolvedProposals": _first("{} forgets the changes that it asked for."),
    "MetadataIsCleaned": _first("An administrator cleans the broker set's metadata."),
    "ReceiveNotice": _first("A notification of an earlier election reaches {}."),
    "SendQueuedProposal": lambda c: f"The request leaves the queue of {c.arguments[0]['from']}.",
    "BytesAreFlushed": _first("{} flushes its log to disk."),
    "ProcessCrashes": _first("The process of {} ends."),
    "MachineCrashes": _machine,
    "BrokerRestarts": _first("{} starts again."),
    "DiskIsLost": _disk,
    "ConnectionBreaks": _first("The connection of slave {} to its master breaks."),
    # of the modules that extend it
    "HalfAppendPut": _appends,
    "CaughtUpSlaveIsProposed": _expand,
    "SyncStateSetIsChecked": _first("{} checks its SyncStateSet, and asks to drop whoever has fallen behind."),
    "SyncStateSetIsRenewed": _first("{} asks to have the SyncStateSet stored again, under a new number."),
    "RequestIsLost": lambda c: "A request is lost.",
    "HeartbeatExpiresWithElection": lambda c: f"{_expires(c)[:-1]}, and elects at once.",
    "HeartbeatReachesOthers": _first("The controller hears from {} again."),
    "SlaveOfLivingMaster": _slave,
    "EpochFileIsUnreadable": _first("The epoch file of {} cannot be read, nor can its backup."),
    "BackupOfEpochFileIsRead": _first("The epoch file of {} cannot be read; its backup lacks the newest entry."),
    "HandshakeIsInterrupted": _first("{} meets its master, and its process ends between the two writes of the cut."),
    "BrokerRestartsWithWritten": _first("{} starts again, with the epoch file that lies on its disk."),
    "ExpandIsChecked": lambda c: f"{c.arguments[0]} finds that {c.arguments[1]} has caught up; its mark comes later.",
    "ExpandIsMarked": lambda c: (
        f"{c.arguments[0]['master']} marks {c.arguments[0]['slave']}, and asks to take it into the SyncStateSet."
    ),
    "ReplyArrives": lambda c: (
        f"The reply that the SyncStateSet is {{{', '.join(_names(c.arguments[0]['members']))}}} "
        f"reaches {c.arguments[0]['to']}."
    ),
}
"""By action of `spec/core/ControllerMode.tla`; an action that is not here is shown by its name."""


def _names(value: Any) -> list[str]:
    return sorted(str(item) for item in set_elements(value) or [])


def _listed(items: list[Any]) -> str:
    words = [str(item) for item in items]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else "nobody"
