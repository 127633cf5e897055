"""Which members of a master's SyncStateSet have not kept up (RIP-44 "Shrink"; `haMaxTimeSlaveNotCatchup`).

A slave has caught up at a time if it acknowledged what the log held then. Acknowledgements decide, not what was sent:
a slave that takes everything and answers nothing is late (hazard F-15).
"""

from __future__ import annotations

from dataclasses import dataclass

from rmqproof.impl.broker.broker import Broker
from rmqproof.impl.broker.config import Role


@dataclass
class _Mark:
    """It has caught up at `since`; next it has to acknowledge `offset`, where the log ended at `at`."""

    since: float
    offset: int
    at: float


class CaughtUp:
    """Times in seconds of one clock."""

    def __init__(self, longest: float) -> None:
        self._longest = longest
        self._marks: dict[int, _Mark] = {}
        self._reign = -1

    def late(self, broker: Broker, now: float) -> list[int]:
        """The members that should leave; call it often."""
        if broker.role is not Role.MASTER or broker.master_epoch != self._reign:
            self._marks.clear()
            self._reign = broker.master_epoch
        if broker.role is not Role.MASTER:
            return []
        late = []
        for member in sorted(broker.sync_state_set - {broker.id}):
            mark = self._marks.setdefault(member, _Mark(now, broker.log_end, now))
            connection = broker.connection_of(member)
            if connection is not None and connection.ack >= mark.offset:
                self._marks[member] = _Mark(mark.at, broker.log_end, now)
            elif now - mark.since > self._longest:
                late.append(member)
                # One proposal a period: an answer may be under way.
                self._marks[member] = _Mark(now, broker.log_end, now)
        return late
