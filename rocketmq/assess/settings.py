"""The settings that decide what a broker set promises: names, types, defaults, where RocketMQ keeps them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

Choice = bool | int | str


class Side(Enum):
    """Whose file holds a setting."""

    BROKER = "broker"
    CONTROLLER = "controller"


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. `default` is RocketMQ's; `choices` are the names of an enumeration; `java_class` has the field.

    One that is not `usual` is shown only where a file sets it.
    """

    name: str
    side: Side
    default: Choice
    java_class: str
    choices: tuple[str, ...] = ()
    usual: bool = True
    bits: int = 32
    """Of a number: Java's int or long."""

    def read(self, text: str) -> Choice | None:
        """The value as `MixAll.properties2Object` reads it, None where Java keeps the default in silence.

        A boolean is true only for `true` without blanks, in any case; a number must be all of the text, and fit.
        """
        if isinstance(self.default, bool):
            return text.lower() == "true"
        if isinstance(self.default, int):
            return _number(text, self.bits)
        if self.choices:  # the setter takes a String, which is trimmed, and asks valueOf
            return text.strip(_TRIMMED) if text.strip(_TRIMMED) in self.choices else None
        return text.strip(_TRIMMED)


_TRIMMED = "".join(map(chr, range(0x21)))
"""What String.trim takes away."""


def _number(text: str, bits: int) -> int | None:
    """As Integer.parseInt and Long.parseLong: a sign and digits of one char each, nothing else, within the type."""
    if re.fullmatch(r"[+-]?\d{1,40}", text) is None or max(text) > "\uffff":
        return None
    number = int(text)
    return number if -(1 << (bits - 1)) <= number < 1 << (bits - 1) else None


_B, _C = Side.BROKER, Side.CONTROLLER

_LONG = (
    "brokerNotActiveTimeoutMillis",
    "controllerHeartBeatTimeoutMills",
    "transactionCheckInterval",
    "transactionTimeOut",
)

SETTINGS: tuple[Setting, ...] = (
    Setting("brokerName", _B, "", "BrokerIdentity"),
    Setting("brokerId", _B, 0, "BrokerIdentity", bits=64),
    Setting("enableControllerMode", _B, False, "BrokerConfig"),
    Setting("allAckInSyncStateSet", _B, False, "MessageStoreConfig"),
    Setting("inSyncReplicas", _B, 1, "MessageStoreConfig"),
    Setting("minInSyncReplicas", _B, 1, "MessageStoreConfig"),
    Setting("enableAutoInSyncReplicas", _B, False, "MessageStoreConfig"),
    Setting("totalReplicas", _B, 1, "MessageStoreConfig"),
    Setting("asyncLearner", _B, False, "MessageStoreConfig"),
    Setting("syncFromLastFile", _B, False, "MessageStoreConfig"),
    Setting("flushDiskType", _B, "ASYNC_FLUSH", "MessageStoreConfig", ("SYNC_FLUSH", "ASYNC_FLUSH")),
    Setting("brokerRole", _B, "ASYNC_MASTER", "MessageStoreConfig", ("ASYNC_MASTER", "SYNC_MASTER", "SLAVE")),
    Setting("haMaxTimeSlaveNotCatchup", _B, 15000, "MessageStoreConfig", bits=64),
    Setting("slaveReadEnable", _B, False, "BrokerConfig"),
    Setting("enableSlaveActingMaster", _B, False, "BrokerConfig"),
    Setting("enableRemoteEscape", _B, False, "BrokerConfig"),
    Setting("skipPreOnline", _B, False, "BrokerConfig"),
    Setting("lockInStrictMode", _B, False, "BrokerConfig"),
    Setting("enableElectUncleanMaster", _C, False, "ControllerConfig"),
    Setting("notifyBrokerRoleChanged", _C, True, "ControllerConfig"),
    Setting("controllerDLegerPeers", _C, "", "ControllerConfig"),
    Setting("jRaftInitConf", _C, "localhost:9880,localhost:9881,localhost:9882", "JraftConfig"),
    Setting("supportActingMaster", _C, False, "NamesrvConfig"),
    Setting("controllerType", _C, "DLedger", "ControllerConfig", ("DLedger", "jRaft")),
    *(
        Setting(name, _B, default, java_class, usual=False, bits=64 if name in _LONG else 32)
        for name, default, java_class in (
            ("readUnCommitted", False, "MessageStoreConfig"),
            ("brokerConfigPaths", "", "BrokerContainerConfig"),
            ("transientStorePoolEnable", False, "MessageStoreConfig"),
            ("enableDLegerCommitLog", False, "MessageStoreConfig"),
            ("duplicationEnable", False, "MessageStoreConfig"),
            ("haMaxGapNotInSync", 1024 * 1024 * 256, "MessageStoreConfig"),
            ("brokerPermission", 6, "BrokerConfig"),
            ("brokerHeartbeatInterval", 1000, "BrokerConfig"),
            ("controllerHeartBeatTimeoutMills", 10_000, "BrokerConfig"),
            ("brokerNotActiveTimeoutMillis", 10_000, "BrokerConfig"),
            ("enablePopBufferMerge", False, "BrokerConfig"),
            ("popConsumerKVServiceEnable", False, "BrokerConfig"),
            ("popConsumerKVServiceInit", False, "BrokerConfig"),
            ("rejectTransactionMessage", False, "BrokerConfig"),
            ("transactionCheckMax", 15, "BrokerConfig"),
            ("transactionTimeOut", 6000, "BrokerConfig"),
            ("transactionCheckInterval", 30_000, "BrokerConfig"),
            ("transactionOpBatchInterval", 3000, "BrokerConfig"),
        )
    ),
)
"""In the order in which they are shown."""


def settings_of(side: Side) -> tuple[Setting, ...]:
    return tuple(setting for setting in SETTINGS if setting.side is side)
