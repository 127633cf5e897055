"""Actions of the controller: liveness, elections, changes of the SyncStateSet, fail-over, cleaning."""

from __future__ import annotations

from dataclasses import replace

from rmqproof.conformance.adapter import Value
from rmqproof.conformance.reference.driving import Driver, offered
from rmqproof.conformance.reference.settings import BROKER_NAME, CLUSTER_NAME
from rmqproof.conformance.reference.world import HEARTBEAT_TIMEOUT, Alter, Logged
from rmqproof.impl.controller.broker_set import BrokerSet
from rmqproof.impl.core import broker_inputs as inputs
from rmqproof.impl.core.broker_outputs import ToController
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
    CleanBrokerDataRequest,
    ControllerRequest,
    ElectMasterRequest,
)


class ControllerActions(Driver):
    # --- liveness ----------------------------------------------------------------------------------------------------

    def _HeartbeatArrives(self, b: int) -> bool:
        self._deliver_heartbeat(b)
        return self.world.did("HeartbeatArrives", b)

    def _HeartbeatExpires(self, b: int) -> bool:
        """A process that ended, or whose channel broke, is missed at once. Where nobody else would be missed as well,
        time passes instead."""
        world = self.world
        running = world.brokers[b] is not None
        offered(not running or world.left("expiries"))
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
        offered(self.world.left("failOvers"))
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
        offered(self.world.epochs_left())
        for output in self.world.ask(ScanInactiveMasters()).outputs:
            if isinstance(output, ElectionNeeded):
                self._elect(output.request, order)

    def _BrokerRequestsElection(self, b: int, new: int) -> bool:
        """By its poll a broker hears that nobody leads, and asks; the answer is lost."""
        offered(self.world.epochs_left())
        outputs = self._poll(b)
        request = next((o.request for o in outputs if isinstance(o, ToController)), None)
        if not isinstance(request, ElectMasterRequest):
            return False
        self._elect(request, (new,))
        return self.world.did("BrokerRequestsElection", b, new)

    def _AdministratorDesignatesMaster(self, new: int) -> bool:
        offered(self.world.left("designations") and self.world.epochs_left())
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
            offered(len(world.log) < MAX_EVENTS)
            world.log = (*world.log, Logged(event, sender, epoch, basis))
        if not undecided and world.controller.broker_set(BROKER_NAME) is not before:
            event = event_between(before, world.controller.broker_set(BROKER_NAME), alter)
            world.event_was_applied(Logged(event, sender, epoch, basis), before)
            world.forget_hopeless()

    # --- the SyncStateSet at the controller --------------------------------------------------------------------------

    def _ControllerAcceptsAlter(self, r: Value) -> bool:
        """Also asked for with requests that the model has forgotten: they come all the same, and are refused."""
        return self._alter_arrives(r, self.world.alters | self.world.hopeless) and self.world.did(
            "ControllerAcceptsAlter", self._sender(r)
        )

    def _ControllerRejectsAlter(self, r: Value) -> bool:
        offered(self.world.settings.show_rejections)
        return self._alter_arrives(r, self.world.alters) and self.world.did("ControllerRejectsAlter", self._sender(r))

    def _alter_arrives(self, r: Value, under_way: frozenset[Alter]) -> bool:
        world = self.world
        alter = self._alter(r)
        offered(alter in under_way and r["sent"])
        world.alters -= {alter}
        before = world.controller.broker_set(BROKER_NAME)
        request = AlterSyncStateSetRequest(
            BROKER_NAME, alter.sender, alter.master_epoch, alter.members, alter.sync_state_set_epoch
        )
        step = world.ask(request)
        self._decided(step.undecided, before, alter)
        return True

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
        offered(world.left("cleans"))
        before = world.controller.broker_set(BROKER_NAME)
        step = world.ask(CleanBrokerDataRequest(CLUSTER_NAME, BROKER_NAME, None, world.settings.cleans_living))
        for event in step.undecided:
            world.apply(event)
        limits = world.settings.limits
        most = limits["MaxEpoch"] + limits["MaxAlters"] + limits["MaxCleans"]
        after = world.controller.broker_set(BROKER_NAME)
        beyond = after.sync_state_set_epoch > most or after.master_epoch + len(world.log) > limits["MaxEpoch"]
        if not world.did("MetadataIsCleaned") or beyond:
            return False
        world.register_again(before.brokers)
        world.use("cleans")
        return True


MAX_EVENTS = 2
"""The model lets so many decisions wait in the controller's log."""


def event_between(before: BrokerSet, after: BrokerSet, alter: Alter | None) -> ControllerEvent:
    """What was applied, as the ghosts need it."""
    if alter is not None:
        return AlterSyncStateSetEvent(BROKER_NAME, alter.members)
    return ElectMasterEvent(BROKER_NAME, after.master_broker_id, after.sync_state_set)
