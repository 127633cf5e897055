"""The adapter for spec/ControllerMode.tla: what drives each action, and how to tell that it was taken.

An action of the model is what the environment does (a message arrives, a timer fires, a machine fails) and what the
cores make of it. The environment's part is here; the cores report the step that they take by its name, and the action
was performed if it is the one that was asked for. If they take another step instead, or none, it was refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from rmqproof.conformance.adapter import Answer, Value
from rmqproof.conformance.fields import fields_of
from rmqproof.conformance.reference.observation import CONTAINERS, ELIDED, MAPPED, Observer
from rmqproof.conformance.reference.settings import BROKER_NAME, CLUSTER_NAME, settings_of
from rmqproof.conformance.reference.world import HEARTBEAT_TIMEOUT, Alter, Logged, World
from rmqproof.impl.broker.broker import Broker
from rmqproof.impl.controller.broker_set import BrokerSet
from rmqproof.impl.core import broker_inputs as inputs
from rmqproof.impl.core.broker_outputs import ConnectHa, PutAnswer, ReadAnswer, SendToMaster, SendToSlave, ToController
from rmqproof.impl.core.codes import PutStatus
from rmqproof.impl.core.controller_io import (
    AlterSyncStateSetEvent,
    BrokerChannelClosed,
    ControllerEvent,
    ElectionNeeded,
    ElectMasterEvent,
    InactiveBrokers,
    LeaderChanged,
    ScanInactiveMasters,
)
from rmqproof.impl.core.controller_messages import (
    AlterSyncStateSetRequest,
    BrokerHeartbeatRequest,
    CleanBrokerDataRequest,
    ControllerRequest,
    ElectMasterRequest,
    ElectMasterResponse,
    GetReplicaInfoRequest,
    GetReplicaInfoResponse,
    NotifyBrokerRoleChangedRequest,
    RegisterBrokerRequest,
    RegisterBrokerResponse,
)
from rmqproof.impl.core.replication_messages import Acknowledge, Transfer

_Request = TypeVar("_Request", bound=ControllerRequest)


class ReferenceAdapter:
    """rmqproof's own implementation, with the rules that the configuration asks for.

    `broker_changes` and `controller_changes` put other rules in their places, by the fields of `BrokerRules` and
    `ControllerRules`.
    """

    def __init__(
        self, broker_changes: Mapping[str, Any] | None = None, controller_changes: Mapping[str, Any] | None = None
    ) -> None:
        self._changes = (broker_changes or {}, controller_changes or {})
        self.world: World
        self._observer: Observer

    # --- Adapter -----------------------------------------------------------------------------------------------------

    def start(self, constants: Mapping[str, Value]) -> int:
        settings = settings_of(constants, *self._changes)
        self.world = World(settings)
        self._observer = Observer(settings)
        self._first = self.world.saved()
        self._actions: dict[str, Callable[..., bool]] = {name: getattr(self, f"_{name}") for name in ACTIONS}
        self._ids = {name: settings.id_of(name) for name in settings.names}
        return 1

    def initial(self, index: int) -> None:
        self.world.go_back(self._first)

    def snapshot(self) -> Any:
        return self.world.plain()

    def restore(self, snapshot: Any) -> None:
        self.world.set_plain(snapshot)

    def perform(self, action: str, arguments: tuple[Value, ...]) -> Answer:
        drive = self._actions.get(action)
        if drive is None:
            return Answer.UNSUPPORTED
        world = self.world
        saved = world.saved()
        world.happened = []
        ids = self._ids
        try:
            done = drive(*(ids.get(a, a) if type(a) is str else a for a in arguments))
        except _NotOffered:
            done = False
        if done:
            return Answer.PERFORMED
        if world.happened:  # the cores took a step, but another one: that is asked for by its own name
            world.go_back(saved)
        return Answer.REFUSED

    def observe(self) -> Mapping[str, Value]:
        return self._observer.observe(self.world)

    def elided(self) -> Mapping[str, str]:
        return ELIDED

    def fields(self) -> Iterable[str]:
        found = fields_of(self.world, stop=("settings", "brokers.config", "brokers.rules"))
        return found - CONTAINERS  # empty ones; what they could hold is listed by its own name

    def mapped(self) -> Mapping[str, str]:
        return MAPPED

    # --- liveness ----------------------------------------------------------------------------------------------------

    def _HeartbeatArrives(self, b: int) -> bool:
        self._deliver_heartbeat(b)
        return self.world.did("HeartbeatArrives", b)

    def _deliver_heartbeat(self, b: int) -> None:
        self._up(b)
        heartbeat = _request_in(self.world.step(b, inputs.SendHeartbeat()), BrokerHeartbeatRequest)
        self.world.ask(_as_old_as_can_be(heartbeat))

    def _HeartbeatExpires(self, b: int) -> bool:
        """A process that ended, or whose channel broke, is missed at once. Where nobody else would be missed as well,
        time passes instead."""
        world = self.world
        running = world.brokers[b] is not None
        _offered(not running or world.left("expiries"))
        others = [i for i in world.brokers if i != b and world.controller.alive(BROKER_NAME, i, world.now)]
        if running and all(world.brokers[i] is not None for i in others):
            world.now += HEARTBEAT_TIMEOUT + 1
            for i in others:
                world.step(i, inputs.SendHeartbeat())
                info = world.controller.live[BROKER_NAME, i]
                world.controller = world.controller.copy()
                world.controller.live = {
                    **world.controller.live,
                    (BROKER_NAME, i): replace(info, last_update=world.now),
                }
            world.ask(InactiveBrokers())
        else:
            world.ask(BrokerChannelClosed(BROKER_NAME, b))
        if not world.did("HeartbeatExpires", b):
            return False
        if running:
            world.use("expiries")
        return True

    def _ControllerFailsOver(self) -> bool:
        _offered(self.world.left("failOvers"))
        self.world.ask(LeaderChanged())
        self.world.use("failOvers")
        return self.world.did("ControllerFailsOver")

    # --- elections ---------------------------------------------------------------------------------------------------

    def _ControllerElectsMaster(self, new: int) -> bool:
        self._scan((new,))
        return self.world.did("ControllerElectsMaster", new)

    def _ControllerFindsNoMaster(self) -> bool:
        self._scan(())
        return self.world.did("ControllerFindsNoMaster")

    def _scan(self, order: tuple[int, ...]) -> None:
        _offered(self.world.epochs_left())
        for output in self.world.ask(ScanInactiveMasters()).outputs:
            if isinstance(output, ElectionNeeded):
                self._elect(output.request, order)

    def _BrokerRequestsElection(self, b: int, new: int) -> bool:
        """By its poll a broker hears that nobody leads, and asks; the answer is lost."""
        _offered(self.world.epochs_left())
        outputs = self._poll(b)
        request = next((o.request for o in outputs if isinstance(o, ToController)), None)
        if not isinstance(request, ElectMasterRequest):
            return False
        self._elect(request, (new,))
        return self.world.did("BrokerRequestsElection", b, new)

    def _AdministratorDesignatesMaster(self, new: int) -> bool:
        _offered(self.world.left("designations") and self.world.epochs_left())
        self._elect(ElectMasterRequest(CLUSTER_NAME, BROKER_NAME, new, designate_elect=True), ())
        if not self.world.did("AdministratorDesignatesMaster", new):
            return False
        self.world.use("designations")
        return True

    def _elect(self, request: ControllerRequest, order: tuple[int, ...]) -> None:
        """The request reaches the controller. What it decides is applied, or waits in its log."""
        before = self.world.controller.broker_set(BROKER_NAME)
        self._decided(self.world.ask(request, order).undecided, before, None)

    def _decided(self, undecided: tuple[ControllerEvent, ...], before: BrokerSet, alter: Alter | None) -> None:
        """Bookkeeping of a decision: events that wait go into the log, applied ones are remembered as ghosts."""
        world = self.world
        sender = alter.sender if alter is not None else None
        epoch = alter.master_epoch if alter is not None else before.master_epoch
        basis = alter.basis if alter is not None else before.sync_state_set_epoch
        for event in undecided:
            _offered(len(world.log) < MAX_EVENTS)
            world.log = (*world.log, Logged(event, sender, epoch, basis))
        if not undecided and world.controller.broker_set(BROKER_NAME) is not before:
            event = _event_between(before, world.controller.broker_set(BROKER_NAME), alter)
            world.event_was_applied(Logged(event, sender, epoch, basis), before)
            world.forget_hopeless()

    # --- the SyncStateSet at the controller --------------------------------------------------------------------------

    def _ControllerAcceptsAlter(self, r: Value) -> bool:
        """Also asked for with requests that the model has forgotten: they come all the same, and are refused."""
        return self._alter_arrives(r, self.world.alters | self.world.hopeless) and self.world.did(
            "ControllerAcceptsAlter", self._sender(r)
        )

    def _ControllerRejectsAlter(self, r: Value) -> bool:
        _offered(self.world.settings.show_rejections)
        return self._alter_arrives(r, self.world.alters) and self.world.did("ControllerRejectsAlter", self._sender(r))

    def _sender(self, r: Value) -> int:
        return self._ids[r["from"]]

    def _alter_arrives(self, r: Value, under_way: frozenset[Alter]) -> bool:
        world = self.world
        alter = self._alter(r)
        _offered(alter in under_way and r["sent"])
        world.alters -= {alter}
        before = world.controller.broker_set(BROKER_NAME)
        request = AlterSyncStateSetRequest(
            BROKER_NAME, alter.sender, alter.master_epoch, alter.members, alter.sync_state_set_epoch
        )
        step = world.ask(request)
        self._decided(step.undecided, before, alter)
        return True

    def _alter(self, r: Value) -> Alter:
        members = self.world.settings.ids_of(r["members"])
        return Alter(self._sender(r), r["masterEpoch"], r["sssEpoch"], members, r["basis"])

    def _ControllerAppliesEvent(self) -> bool:
        world = self.world
        if not world.log:
            return False
        before = world.controller.broker_set(BROKER_NAME)
        world.apply(world.log[0].event)
        world.event_was_applied(world.log[0], before)
        world.log = world.log[1:]
        world.forget_hopeless()
        return world.did("ControllerAppliesEvent")

    def _MetadataIsCleaned(self) -> bool:
        world = self.world
        _offered(world.left("cleans"))
        before = world.controller.broker_set(BROKER_NAME)
        step = world.ask(CleanBrokerDataRequest(CLUSTER_NAME, BROKER_NAME))
        for event in step.undecided:
            world.apply(event)
        limits = world.settings.limits
        most = limits["MaxEpoch"] + limits["MaxAlters"] + limits["MaxCleans"]
        after = world.controller.broker_set(BROKER_NAME)
        if not world.did("MetadataIsCleaned") or after.sync_state_set_epoch > most:
            return False
        world.register_again(before.brokers)
        world.use("cleans")
        return True

    # --- roles -------------------------------------------------------------------------------------------------------

    def _poll(self, b: int) -> list[Any]:
        """A broker asks for GetReplicaInfo and gets the answer; what it does then."""
        self._up(b)
        request = _request_in(self.world.step(b, inputs.PollController()), GetReplicaInfoRequest)
        response = self.world.ask(request).response
        assert isinstance(response, GetReplicaInfoResponse)
        return list(self.world.step(b, response))

    def _BecomeMaster(self, b: int) -> bool:
        self._poll(b)
        return self._promoted(b, self.world.did("BecomeMaster", b))

    def _BecomeSlave(self, b: int) -> bool:
        self._poll(b)
        return self.world.did("BecomeSlave", b)

    def _LearnSyncStateSet(self, b: int) -> bool:
        self._poll(b)
        return self.world.did("LearnSyncStateSet", b)

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
        _offered(world.controller.broker_set(BROKER_NAME).master_epoch < world.settings.limits["MaxEpoch"])
        outputs = world.step(b, inputs.Register())
        if not outputs:
            return False
        world.ask(_as_old_as_can_be(_request_in(outputs, BrokerHeartbeatRequest)))
        response = world.ask(_request_in(outputs, RegisterBrokerRequest)).response
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
        raise _NotOffered

    # --- the SyncStateSet at the master ------------------------------------------------------------------------------

    def _ProposeExpand(self, b: int, s: int) -> bool:
        return self._propose(b, inputs.ExpandSyncStateSet(s)) and self.world.did("ProposeExpand", b, s)

    def _ProposeShrink(self, b: int, s: int) -> bool:
        return self._propose(b, inputs.ShrinkSyncStateSet(s)) and self.world.did("ProposeShrink", b, s)

    def _propose(self, b: int, given: inputs.BrokerInput) -> bool:
        world = self.world
        _offered(world.left("alters"))
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
        _offered(not r["sent"])
        b = self._sender(r)
        wanted = (self.world.settings.ids_of(r["members"]), r["basis"])
        queue = [(proposal.members, proposal.computed_from) for proposal in self._up(b).queue]
        _offered(wanted in queue)
        outputs = self.world.step(b, inputs.SendQueuedProposal(queue.index(wanted)))
        self._send_alter(b, outputs, r["basis"])
        return self.world.did("SendQueuedProposal", b)

    # --- producers and consumers -------------------------------------------------------------------------------------

    def _AppendPut(self, b: int) -> bool:
        world = self.world
        _offered(world.left("puts"))
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
        _offered(world.left("reads"))
        self._up(b)
        answer = next(o for o in world.step(b, inputs.Read()) if isinstance(o, ReadAnswer))
        _offered(answer.limit is not None)
        seen = frozenset(world.disks[b].log[: answer.limit])
        if seen <= world.history.consumed:
            return False
        world.history = replace(world.history, consumed=world.history.consumed | seen)
        world.use("reads")
        return True

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
        _offered(s in world.links)
        master, number = world.links[s]
        for output in world.step(master, asked(number)):
            if isinstance(output, SendToSlave):
                packet = output.packet
                if isinstance(packet, Transfer):
                    body = world.disks[master].log[packet.offset : packet.offset + packet.size]
                    packet = replace(packet, body=body)
                world.step(s, inputs.FromMaster(packet))

    def _SlaveAppendsBatch(self, s: int) -> bool:
        self._transfer(s, inputs.SendBatch)
        return self.world.did("SlaveAppendsBatch", s)

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
        _offered(world.links.get(s, (None, None))[0] != m)
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
        _offered(self.world.left("crashes"))
        self._up(b)
        self.world.end_process(b)
        self.world.use("crashes")
        return True

    def _MachineCrashes(self, b: int, kept: int) -> bool:
        world = self.world
        _offered(world.left("losses"))
        self._up(b)
        _offered(world.disks[b].flushed <= kept < len(world.disks[b].log))
        world.end_process(b)
        world.disks = {**world.disks, b: world.disks[b].lose_tail(kept)}
        world.use("losses")
        return True

    def _BrokerRestarts(self, b: int) -> bool:
        world = self.world
        _offered(world.brokers[b] is None and world.disks[b].identity)
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
        _offered(world.left("lostDisks"))
        self._up(b)
        world.end_process(b)
        world.disks = {**world.disks, b: type(world.disks[b])(identity=world.settings.identity_apart)}
        world.use("lostDisks")
        return True

    def _ConnectionBreaks(self, s: int) -> bool:
        _offered(self.world.left("breaks") and s in self.world.links)
        self.world.break_link(s)
        self.world.use("breaks")
        return True

    def _up(self, b: int) -> Broker:
        """The process of b; without one nothing can be done to it."""
        broker = self.world.brokers[b]
        if broker is None:
            raise _NotOffered
        return broker


MAX_EVENTS = 2
"""The model lets so many decisions wait in the controller's log."""

ACTIONS = tuple(name[1:] for name in vars(ReferenceAdapter) if name.startswith("_") and name[1:2].isupper())
"""Every action that can be driven."""


class _NotOffered(Exception):
    """The environment does not do this: the budget is used, the message is not under way, the process does not run."""


def _offered(condition: bool) -> None:
    if not condition:
        raise _NotOffered


def _request_in(outputs: Iterable[Any], kind: type[_Request]) -> _Request:
    for output in outputs:
        if isinstance(output, ToController) and isinstance(output.request, kind):
            return output.request
    raise AssertionError(f"the broker sent no {kind.__name__}")


def _as_old_as_can_be(heartbeat: BrokerHeartbeatRequest) -> BrokerHeartbeatRequest:
    """The offsets in it rank candidates of an election. What the controller heard may be arbitrarily old, so all may
    have reported the same, and chance decides between them, as in the model."""
    return replace(heartbeat, epoch=-1, max_offset=-1, confirm_offset=-1)


def _event_between(before: BrokerSet, after: BrokerSet, alter: Alter | None) -> ControllerEvent:
    """What was applied, as the ghosts need it."""
    if alter is not None:
        return AlterSyncStateSetEvent(BROKER_NAME, alter.members)
    return ElectMasterEvent(BROKER_NAME, after.master_broker_id, after.sync_state_set)
