"""When a member of the SyncStateSet has not caught up for too long (`connectionCaughtUpTimeTable`, RIP-44 "Shrink").

The only part of the SyncStateSet that knows time; what it finds goes to the broker as `ShrinkSyncStateSet`, one member
at a time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from rmqproof.impl.core.controller_messages import Members


@dataclass(frozen=True, slots=True)
class CaughtUpTimes:
    """Times in milliseconds. Immutable: each method gives the next value.

    A slave is caught up when it acknowledged all that the log held when the last batch was sent to it. Repaired (hazard
    F-15): that there is nothing to send says nothing about a slave that does not acknowledge.
    """

    ha_max_time_slave_not_catchup: int = 15_000
    _sent: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """The log's end at the last transfer to a slave, and when that was."""
    _times: Mapping[int, int] = field(default_factory=dict)

    def sent(self, slave: int, log_end: int, now: int) -> CaughtUpTimes:
        """A batch left for a slave."""
        return replace(self, _sent={**self._sent, slave: (log_end, now)})

    def acknowledged(self, slave: int, offset: int, log_end: int, now: int) -> CaughtUpTimes:
        """A slave acknowledged; the log ends at `log_end` now."""
        end_then, then = self._sent.get(slave, (log_end, now))
        if offset < min(end_then, log_end):
            return self
        time = now if offset >= log_end else then
        return replace(self, _times={**self._times, slave: max(time, self._times.get(slave, time))})

    def left_behind(
        self, members: Members, master: int, acks: Mapping[int, int], log_end: int, now: int
    ) -> tuple[int, ...]:
        """The members to take out of the set. `acks`: what connected slaves acknowledged; without a connection a member
        that was never caught up with this process goes at once, as in the Java."""
        found = []
        for member in sorted(members - {master}):
            if acks.get(member, -1) >= log_end:
                continue
            time = self._times.get(member)
            if time is None and member in acks:
                time = self._sent.get(member, (0, now))[1]
            if time is None or now - time > self.ha_max_time_slave_not_catchup:
                found.append(member)
        return tuple(found)
