"""Actions of replication, and faults."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from rmqproof.conformance.reference.driving import Driver, offered
from rmqproof.impl.broker.broker import Broker
from rmqproof.impl.core import broker_inputs as inputs
from rmqproof.impl.core.broker_outputs import ConnectHa, SendToMaster, SendToSlave
from rmqproof.impl.core.replication_messages import Acknowledge, Transfer


class ReplicationActions(Driver):
    # --- replication -------------------------------------------------------------------------------------------------

    def _SlaveConnectsAndTruncates(self, s: int) -> bool:
        """Connect, handshake, reply, cut, and ask for the transfer."""
        world = self.world
        self._up(s)
        wanted = [o.master_id for o in world.step(s, inputs.ConnectToMaster()) if isinstance(o, ConnectHa)]
        if not wanted:
            return False
        if world.brokers[wanted[0]] is None:
            world.step(s, inputs.MasterDisconnected())
            return False
        number = world.link(s, wanted[0])
        world.step(wanted[0], inputs.SlaveConnected(number))
        self._exchange(s, world.step(s, inputs.MasterConnected()))
        return world.did("SlaveConnectsAndTruncates", s)

    def _exchange(self, s: int, outputs: Iterable[Any]) -> None:
        """Carry packets between a slave and its master until neither has anything to say."""
        world = self.world
        packets = [output for output in outputs if isinstance(output, SendToMaster)]
        while packets:
            packet = packets.pop(0).packet
            link = world.links.get(s)
            if link is None:
                return
            master, number = link
            for reply in world.step(master, inputs.FromSlave(number, packet)):
                if isinstance(reply, SendToSlave):
                    told = world.step(s, inputs.FromMaster(reply.packet))
                    packets += [output for output in told if isinstance(output, SendToMaster)]

    def _transfer(self, s: int, asked: Callable[[int], inputs.BrokerInput]) -> None:
        """The master's timer for the connection to s fires; what it sends arrives."""
        world = self.world
        offered(s in world.links)
        master, number = world.links[s]
        for output in world.step(master, asked(number)):
            if isinstance(output, SendToSlave):
                packet = output.packet
                if isinstance(packet, Transfer):
                    body = world.disks[master].log[packet.offset : packet.offset + packet.size]
                    packet = replace(packet, body=body)
                world.step(s, inputs.FromMaster(packet))

    def _SlaveAppendsBatch(self, s: int) -> bool:
        """A header that brings the slave nothing is no step of the model, so the master is asked once more. A master of
        the shipped reading has chosen with it which epoch it transfers; the model chooses with the first batch, the
        Java with the slave's first report. As long as no byte went the choice comes out the same: it is taken back."""
        offered(s in self.world.links)
        master, number = self.world.links[s]
        before = self._up(master).connections.get(number)
        for _ in range(2):
            self._transfer(s, inputs.SendBatch)
            if self.world.did("SlaveAppendsBatch", s):
                return True
            if s not in self.world.links:
                return False
        broker = self._up(master)
        after = broker.connections.get(number)
        if before is not None and after is not None and before.next_offset == after.next_offset:
            chosen = replace(after, transfer_epoch=before.transfer_epoch, transfer_end=before.transfer_end)
            broker.connections = {**broker.connections, number: chosen}
        return False

    def _SlaveLearnsConfirmOffset(self, s: int) -> bool:
        self._transfer(s, inputs.SendConfirmOffset)
        return self.world.did("SlaveLearnsConfirmOffset", s)

    def _MasterReceivesAck(self, s: int) -> bool:
        world = self.world
        self._up(s)
        outputs = world.step(s, inputs.ReportOffset())
        packets = [o.packet for o in outputs if isinstance(o, SendToMaster) and isinstance(o.packet, Acknowledge)]
        if not packets:
            return False
        master, number = world.links[s]
        world.step(master, inputs.FromSlave(number, packets[0]))
        return world.did("MasterReceivesAck", s)

    def _MasterNoticesLostConnection(self, m: int, s: int) -> bool:
        """Connections that their slave left are reaped."""
        world = self.world
        broker = self._up(m)
        offered(world.links.get(s, (None, None))[0] != m)
        for number in [number for number, c in broker.connections.items() if c.slave_id == s]:
            world.step(m, inputs.SlaveDisconnected(number))
        return world.did("MasterNoticesLostConnection", m, s)

    def _BytesAreFlushed(self, b: int) -> bool:
        world = self.world
        self._up(b)
        world.disks = {**world.disks, b: world.disks[b].flush()}
        world.step(b, inputs.LogFlushed(world.disks[b].flushed))
        return world.did("BytesAreFlushed", b)

    # --- faults ------------------------------------------------------------------------------------------------------

    def _ProcessCrashes(self, b: int) -> bool:
        offered(self.world.left("crashes"))
        self._up(b)
        self.world.end_process(b)
        self.world.use("crashes")
        return True

    def _MachineCrashes(self, b: int, kept: int) -> bool:
        world = self.world
        offered(world.left("losses"))
        self._up(b)
        offered(world.disks[b].flushed <= kept < len(world.disks[b].log))
        world.end_process(b)
        world.disks = {**world.disks, b: world.disks[b].lose_tail(kept)}
        world.use("losses")
        return True

    def _BrokerRestarts(self, b: int) -> bool:
        world = self.world
        offered(world.brokers[b] is None and world.disks[b].identity)
        disk, stored = world.disks[b].recover()
        led_before = any(b in owners for owners in world.history.owners)
        settings = world.settings
        broker, outputs = Broker.start(
            settings.brokers[b], settings.broker_rules, replace(stored, led_before=led_before)
        )
        world.brokers, world.disks = {**world.brokers, b: broker}, {**world.disks, b: disk}
        world.carry_out(b, outputs)
        return world.did("BrokerRestarts", b)

    def _DiskIsLost(self, b: int) -> bool:
        world = self.world
        offered(world.left("lostDisks"))
        self._up(b)
        world.end_process(b)
        world.disks = {**world.disks, b: type(world.disks[b])(identity=world.settings.identity_apart)}
        world.use("lostDisks")
        return True

    def _ConnectionBreaks(self, s: int) -> bool:
        offered(self.world.left("breaks") and s in self.world.links)
        self.world.break_link(s)
        self.world.use("breaks")
        return True
