"""Actions of brokers: roles, the SyncStateSet at the master, producers and consumers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from rmqproof.conformance.adapter import Value
from rmqproof.conformance.reference.driving import Driver, NotOffered, as_old_as_can_be, offered, request_in
from rmqproof.conformance.reference.settings import BROKER_NAME
from rmqproof.conformance.reference.world import Alter
from rmqproof.impl.broker.broker import Broker
from rmqproof.impl.broker.config import Role
from rmqproof.impl.core import broker_inputs as inputs
from rmqproof.impl.core.broker_outputs import PutAnswer, ReadAnswer, ToController
from rmqproof.impl.core.codes import PutStatus, ResponseCode
from rmqproof.impl.core.controller_messages import (
    AlterSyncStateSetRequest,
    AlterSyncStateSetResponse,
    BrokerHeartbeatRequest,
    ElectMasterResponse,
    NotifyBrokerRoleChangedRequest,
    RegisterBrokerRequest,
    RegisterBrokerResponse,
)


class RoleActions(Driver):
    # --- roles -------------------------------------------------------------------------------------------------------

    def _BecomeMaster(self, b: int) -> bool:
        before = self._up(b).copy()
        self._poll(b)
        taken = self.world.did("BecomeMaster", b) and self._told_otherwise(b, before)
        return self._promoted(b, taken)

    def _BecomeSlave(self, b: int) -> bool:
        before = self._up(b).copy()
        self._poll(b)
        return self.world.did("BecomeSlave", b) and self._told_otherwise(b, before)

    def _LearnSyncStateSet(self, b: int) -> bool:
        """The answer to a poll and the reply to an AlterSyncStateSet teach the same."""
        before = self._up(b).copy()
        self._poll(b)
        state = self.world.controller.broker_set(BROKER_NAME)
        reply = AlterSyncStateSetResponse(ResponseCode.SUCCESS, state.sync_state_set, state.sync_state_set_epoch)
        return self.world.did("LearnSyncStateSet", b) and self._same(b, before, reply)

    def _told_otherwise(self, b: int, before: Broker) -> bool:
        """What the poll told, the answer to the broker's own request for an election would have made of it, too; for a
        broker that is not registered, the answer to its registration."""
        state = self.world.controller.broker_set(BROKER_NAME)
        known = (state.master_broker_id, state.address(state.master_broker_id), state.master_epoch)
        members = (state.sync_state_set, state.sync_state_set_epoch)
        if before.role is Role.FENCED:
            return self._same(b, before, RegisterBrokerResponse(ResponseCode.SUCCESS, *known, *members))
        return all(
            self._same(b, before, ElectMasterResponse(code, *known, *members))
            for code in (ResponseCode.SUCCESS, ResponseCode.CONTROLLER_MASTER_STILL_EXIST)
        )

    def _same(self, b: int, before: Broker, told: inputs.BrokerInput) -> bool:
        before = before.copy()
        before.step(told)
        return before.state() == self._up(b).state()

    def _ForgetUnresolvedProposals(self, b: int) -> bool:
        self._poll(b)
        return self.world.did("ForgetUnresolvedProposals", b)

    def _promoted(self, b: int, taken: bool) -> bool:
        """changeToMaster goes on by itself, unless the model looks at its steps."""
        broker = self._up(b)
        if not taken or broker.master_id != b:
            return taken
        if not self.world.settings.fine_steps:
            self.world.step(b, inputs.ContinuePromotion())
            self.world.step(b, inputs.ContinuePromotion())
        if self._up(b).role.value == "SYNC_MASTER":
            self.world.acts_as_master(b)
        return True

    def _RestartedBrokerIsElected(self, b: int) -> bool:
        """A fenced broker registers: heartbeat, RegisterBroker, ElectMaster, and the answers arrive."""
        world = self.world
        self._up(b)
        offered(world.controller.broker_set(BROKER_NAME).master_epoch < world.settings.limits["MaxEpoch"])
        outputs = world.step(b, inputs.Register())
        if not outputs:
            return False
        world.ask(as_old_as_can_be(request_in(outputs, BrokerHeartbeatRequest)))
        response = world.ask(request_in(outputs, RegisterBrokerRequest)).response
        assert isinstance(response, RegisterBrokerResponse)
        asked = [o.request for o in world.step(b, response) if isinstance(o, ToController)]
        if not asked:
            return False
        step = world.ask(asked[0], (b,))
        for event in step.undecided:  # its own entry of the log is applied before it is answered
            world.apply(event)
        assert isinstance(step.response, ElectMasterResponse)
        world.step(b, step.response)
        if not self._promoted(b, world.did("RestartedBrokerIsElected", b)):
            return False
        world.forget_hopeless()
        return True

    def _NewMasterRecordsEpoch(self, b: int) -> bool:
        self._up(b)
        self.world.step(b, inputs.ContinuePromotion())
        return self.world.did("NewMasterRecordsEpoch", b)

    def _NewMasterOpensForPuts(self, b: int) -> bool:
        self._up(b)
        self.world.step(b, inputs.ContinuePromotion())
        if not self.world.did("NewMasterOpensForPuts", b):
            return False
        self.world.acts_as_master(b)
        return True

    def _ReceiveNotice(self, b: int, n: Value) -> bool:
        self._up(b)
        notice = self._notice(n)
        self.world.step(b, notice)
        return self._promoted(b, self.world.did("ReceiveNotice", b, notice.master_epoch))

    def _notice(self, n: Value) -> NotifyBrokerRoleChangedRequest:
        settings = self.world.settings
        members = settings.ids_of(n["sss"])
        for notice in self.world.notices:
            if (notice.master_epoch, notice.master_broker_id) == (n["epoch"], self._ids[n["master"]]) and (
                notice.sync_state_set == members and notice.sync_state_set_epoch == n["sssEpoch"]
            ):
                return notice
        raise NotOffered

    # --- the SyncStateSet at the master ------------------------------------------------------------------------------

    def _ProposeExpand(self, b: int, s: int) -> bool:
        return self._propose(b, inputs.ExpandSyncStateSet(s)) and self.world.did("ProposeExpand", b, s)

    def _ProposeShrink(self, b: int, s: int) -> bool:
        return self._propose(b, inputs.ShrinkSyncStateSet(s)) and self.world.did("ProposeShrink", b, s)

    def _propose(self, b: int, given: inputs.BrokerInput) -> bool:
        world = self.world
        offered(world.left("alters"))
        basis = self._up(b).sync_state_set_epoch
        outputs = world.step(b, given)
        if not world.happened:
            return False
        self._send_alter(b, outputs, basis)
        world.forget_hopeless()
        world.use("alters")
        return True

    def _send_alter(self, b: int, outputs: Iterable[Any], basis: int) -> None:
        for output in outputs:
            if isinstance(output, ToController):
                request = output.request
                assert isinstance(request, AlterSyncStateSetRequest)
                self.world.alters |= {
                    Alter(b, request.master_epoch, request.sync_state_set_epoch, request.new_sync_state_set, basis)
                }

    def _SendQueuedProposal(self, r: Value) -> bool:
        offered(not r["sent"])
        b = self._sender(r)
        wanted = (self.world.settings.ids_of(r["members"]), r["basis"])
        queue = [(proposal.members, proposal.computed_from) for proposal in self._up(b).queue]
        offered(wanted in queue)
        outputs = self.world.step(b, inputs.SendQueuedProposal(queue.index(wanted)))
        self._send_alter(b, outputs, r["basis"])
        return self.world.did("SendQueuedProposal", b)

    # --- producers and consumers -------------------------------------------------------------------------------------

    def _AppendPut(self, b: int) -> bool:
        world = self.world
        offered(world.left("puts"))
        message = world.used["puts"] + 1
        admitted = any(b in owners for owners in world.history.owners)
        epoch = self._up(b).master_epoch
        world.step(b, inputs.Put(message, bytes([message]), admitted))
        if not world.did("AppendPut", b):
            return False
        world.epoch_of = {**world.epoch_of, message: epoch}
        world.use("puts")
        return True

    def _AcknowledgePut(self, b: int, message: int) -> bool:
        world = self.world
        self._up(b)
        answers = [o for o in world.step(b, inputs.CheckWaitingPuts(message)) if isinstance(o, PutAnswer)]
        if not answers or answers[0].status is not PutStatus.PUT_OK:
            return False
        copies = sum(message in disk.log for disk in world.disks.values())
        thin = copies < world.settings.brokers[b].min_in_sync_replicas
        history = world.history
        world.history = replace(
            history, acked=history.acked | {message}, thin=history.thin | {message} if thin else history.thin
        )
        return world.did("AcknowledgePut", b, message)

    def _ConsumerReads(self, b: int) -> bool:
        """A consumer reads what it may; a read that brings nothing new is none."""
        world = self.world
        offered(world.left("reads"))
        self._up(b)
        answer = next(o for o in world.step(b, inputs.Read()) if isinstance(o, ReadAnswer))
        offered(answer.limit is not None)
        seen = frozenset(world.disks[b].log[: answer.limit])
        if seen <= world.history.consumed:
            return False
        world.history = replace(world.history, consumed=world.history.consumed | seen)
        world.use("reads")
        return True
