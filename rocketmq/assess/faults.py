"""The faults that an operator names, as budgets of the model's fault actions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Fault(StrEnum):
    """A class of faults. Each comes once unless its sentence says otherwise."""

    PROCESS_CRASH = "process-crash"
    MACHINE_CRASH = "machine-crash"
    POWER_LOSS = "power-loss"
    CONTROLLER_PARTITION = "controller-partition"
    BROKER_PARTITION = "broker-partition"
    DISK_LOSS = "disk-loss"

    @property
    def sentence(self) -> str:
        return _SENTENCES[self]

    def budgets(self, replicas: int, transient_pool: bool = False) -> dict[str, int]:
        """The constants of `spec/core/Cluster.tla` that are not zero.

        With a transient pool a process that ends loses what a machine does: what it had not committed to its files.
        """
        match self:
            case Fault.PROCESS_CRASH:
                return {"MaxLosses": 1} if transient_pool else {"MaxCrashes": 1}
            case Fault.MACHINE_CRASH:
                return {"MaxLosses": 1}
            case Fault.POWER_LOSS:
                return {"MaxLosses": replicas, "MaxCrashes": 1}
            case Fault.CONTROLLER_PARTITION:
                return {"MaxExpiries": 1}
            case Fault.BROKER_PARTITION:
                return {"MaxBreaks": 1}
            case Fault.DISK_LOSS:
                return {"MaxLostDisks": 1}


BUDGETS = {
    "MaxCrashes": "crashes",
    "MaxLosses": "losses",
    "MaxLostDisks": "lostDisks",
    "MaxExpiries": "expiries",
    "MaxBreaks": "breaks",
}
"""The constants of budgets, and the fields of the variable `used` that count against them."""

_SENTENCES = {
    Fault.PROCESS_CRASH: "one broker's process ends; what it wrote stays",
    Fault.MACHINE_CRASH: "one machine fails; what it had not flushed is gone",
    Fault.POWER_LOSS: "all machines fail; what they had not flushed is gone",
    Fault.CONTROLLER_PARTITION: "the controller (without one: the name server) loses sight of one broker that runs on",
    Fault.BROKER_PARTITION: "the connection between two brokers breaks",
    Fault.DISK_LOSS: "one broker's disk is lost",
}


@dataclass(frozen=True, slots=True)
class Faults:
    """Classes that come together in one run."""

    classes: tuple[Fault, ...]

    @classmethod
    def parse(cls, text: str) -> Faults:
        """`process-crash` or `process-crash+disk-loss`. Raise `ValueError`."""
        return cls(tuple(sorted({Fault(name.strip()) for name in text.split("+")}, key=list(Fault).index)))

    def __str__(self) -> str:
        return "+".join(self.classes)

    @property
    def sentence(self) -> str:
        return ", and ".join(fault.sentence for fault in self.classes)

    def budgets(self, replicas: int, transient_pool: bool = False) -> dict[str, int]:
        """Of a budget that several classes use, the sum."""
        total: dict[str, int] = {}
        for fault in self.classes:
            for name, number in fault.budgets(replicas, transient_pool).items():
                total[name] = total.get(name, 0) + number
        return total


def loses_its_pool(transient_pool: bool, faults: Faults) -> bool:
    """Whether processes end that have such a pool, and no machine fails, which loses more."""
    machines = {Fault.MACHINE_CRASH, Fault.POWER_LOSS}
    return transient_pool and Fault.PROCESS_CRASH in faults.classes and machines.isdisjoint(faults.classes)


EACH_FAULT = tuple(Faults((fault,)) for fault in Fault)
