"""The adapter for spec/protocols/Registration.tla: registering processes, their identity files, and a controller."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rmqproof.conformance.adapter import Answer, Value
from rmqproof.conformance.fields import fields_of
from rmqproof.conformance.reference.settings import BROKER_NAME, CLUSTER_NAME
from rmqproof.impl.broker.registration import ContinueRegistration, RegisterState, Registration, RequestFailed
from rmqproof.impl.controller.config import CONTROLLER_READINGS, ControllerRules, controller_rules
from rmqproof.impl.controller.controller import Controller
from rmqproof.impl.core.broker_outputs import ToController
from rmqproof.impl.core.controller_io import CleanBrokerDataEvent
from rmqproof.impl.core.controller_messages import ApplyBrokerIdRequest, ControllerResponse
from rmqproof.impl.core.writes import DeleteTemporaryIdentity, WriteIdentity, WriteTemporaryIdentity


@dataclass(frozen=True, slots=True)
class Files:
    """The identity files on one disk."""

    temporary: WriteTemporaryIdentity | None = None
    identity: WriteIdentity | None = None

    def after(self, output: Any) -> Files:
        match output:
            case WriteTemporaryIdentity():
                return replace(self, temporary=output)
            case WriteIdentity():
                return replace(self, identity=output)
            case DeleteTemporaryIdentity():
                return replace(self, temporary=None)
        return self


@dataclass
class RegistrationWorld:
    """`attempts` are the processes' clocks: each attempt to register has a time of its own in its check code."""

    controller: dict[str, Any]
    processes: dict[str, dict[str, Any] | None]
    files: dict[str, Files]
    attempts: dict[str, int]
    used: dict[str, int]


class RegistrationAdapter:
    """Every step of the model is a step of `Registration` and its request at the controller."""

    def __init__(self, rules: ControllerRules | None = None) -> None:
        self._rules = rules
        self.world: RegistrationWorld
        self._limits: Mapping[str, int]

    def start(self, constants: Mapping[str, Value]) -> int:
        replaced = {
            rule: value if isinstance(value, str) else next(iter(CONTROLLER_READINGS[rule]))
            for rule, value in constants.items()
            if rule in CONTROLLER_READINGS
        }
        self._controller = Controller(rules=self._rules or controller_rules(replaced))
        self._limits = {name: value for name, value in constants.items() if name.startswith("Max")}
        self._nobody = constants["NoReplica"]
        names = sorted(constants["Replica"]["#set"])
        self.world = RegistrationWorld(
            self._controller.state(),
            {name: self._process(name, Files()).__dict__ for name in names},
            dict.fromkeys(names, Files()),
            dict.fromkeys(names, 0),
            {"crashes": 0, "cleans": 0},
        )
        self._first = self.snapshot()
        return 1

    def initial(self, index: int) -> None:
        self.restore(self._first)

    def snapshot(self) -> Any:
        world = self.world
        processes = {name: None if p is None else dict(p) for name, p in world.processes.items()}
        return (dict(world.controller), processes, dict(world.files), dict(world.attempts), dict(world.used))

    def restore(self, snapshot: Any) -> None:
        controller, processes, files, attempts, used = snapshot
        copied = {name: None if p is None else dict(p) for name, p in processes.items()}
        self.world = RegistrationWorld(dict(controller), copied, dict(files), dict(attempts), dict(used))

    def perform(self, action: str, arguments: tuple[Value, ...]) -> Answer:
        drive = getattr(self, f"_{action}", None) if action in _ACTIONS else None
        if drive is None:
            return Answer.UNSUPPORTED
        before = self.snapshot()
        if drive(*arguments):
            return Answer.PERFORMED
        self.restore(before)
        return Answer.REFUSED

    # --- actions -----------------------------------------------------------------------------------------------------

    def _GetNextBrokerId(self, r: str) -> bool:
        """Ask for an id and write it down; the request for it is a step of its own."""
        process = self._running(r)
        following = self._controller_of_world().broker_set(BROKER_NAME).next_assign_broker_id
        if process is None or process.state is not RegisterState.INITIAL:
            return False
        if self.world.attempts[r] >= self._limits["MaxAttempts"] or following > self._limits["MaxId"]:
            return False
        self.world.attempts[r] += 1
        response = self._asked(r, process)
        self._step(r, process, response)
        return self._reached(r, RegisterState.CREATE_TEMP_METADATA_FILE_DONE)

    def _ApplyBrokerId(self, r: str) -> bool:
        process = self._running(r)
        if process is None or process.state is not RegisterState.CREATE_TEMP_METADATA_FILE_DONE:
            return False
        self._step(r, process, self._asked(r, process))
        return self._reached(r, RegisterState.CREATE_METADATA_FILE_DONE)

    def _ApplyBrokerIdFails(self, r: str, applied: bool) -> bool:
        """The answer is lost, or already the request."""
        process = self._running(r)
        if process is None or process.state is not RegisterState.CREATE_TEMP_METADATA_FILE_DONE:
            return False
        if applied:
            self._asked(r, process)
        self._step(r, process, RequestFailed())
        return self._reached(r, RegisterState.INITIAL)

    def _RegisterBroker(self, r: str) -> bool:
        process = self._running(r)
        if process is None or process.state is not RegisterState.CREATE_METADATA_FILE_DONE:
            return False
        self._step(r, process, self._asked(r, process))
        return self._reached(r, RegisterState.REGISTERED)

    def _ProcessCrashes(self, r: str, applied: bool) -> bool:
        process = self._running(r)
        if process is None or self.world.used["crashes"] >= self._limits["MaxCrashes"]:
            return False
        if applied and process.state is RegisterState.CREATE_TEMP_METADATA_FILE_DONE:
            self._asked(r, process)
        self.world.processes[r] = None
        self.world.used["crashes"] += 1
        return True

    def _ProcessRestarts(self, r: str) -> bool:
        if self.world.processes[r] is not None:
            return False
        self.world.processes[r] = self._process(r, self.world.files[r]).__dict__
        return True

    def _MetadataIsCleaned(self) -> bool:
        controller = self._controller_of_world()
        if self.world.used["cleans"] >= self._limits["MaxCleans"]:
            return False
        if not controller.broker_set(BROKER_NAME).registered:
            return False
        controller.apply(CleanBrokerDataEvent(BROKER_NAME, None))
        self.world.controller = controller.state()
        self.world.used["cleans"] += 1
        return True

    # --- helpers -----------------------------------------------------------------------------------------------------

    def _process(self, r: str, files: Files) -> Registration:
        return Registration(CLUSTER_NAME, BROKER_NAME, r, temporary=files.temporary, identity=files.identity)

    def _running(self, r: str) -> Registration | None:
        state = self.world.processes[r]
        if state is None:
            return None
        process = self._process(r, Files())
        process.__dict__.update(state)
        return process

    def _reached(self, r: str, state: RegisterState) -> bool:
        process = self._running(r)
        return process is not None and process.state is state

    def _controller_of_world(self) -> Controller:
        controller = self._controller.copy()
        controller.set_state(self.world.controller)
        return controller

    def _asked(self, r: str, process: Registration) -> ControllerResponse:
        """The request of the process's present state reaches the controller."""
        output = process.step(ContinueRegistration(self.world.attempts[r]))[0]
        assert isinstance(output, ToController)
        if isinstance(output.request, ApplyBrokerIdRequest):
            assert self.world.files[r].temporary is not None, "the id is written down before it is applied for"
        controller = self._controller_of_world()
        response = controller.step(output.request, now=0).response
        self.world.controller = controller.state()
        assert response is not None
        return response

    def _step(self, r: str, process: Registration, given: Any) -> None:
        for output in process.step(given):
            self.world.files[r] = self.world.files[r].after(output)
        self.world.processes[r] = dict(process.__dict__)

    # --- observation -------------------------------------------------------------------------------------------------

    def observe(self) -> Mapping[str, Value]:
        state = self._controller_of_world().broker_set(BROKER_NAME)
        most = self._limits["MaxId"]

        def code(broker_id: int) -> Value:
            holder = state.brokers.get(broker_id)
            if holder is None:
                return {"replica": self._nobody, "attempt": 0}
            replica, attempt = holder.register_check_code.split(";")
            return {"replica": replica, "attempt": int(attempt)}

        return {
            "table": {
                "known": state.registered,
                "nextId": min(state.next_assign_broker_id, most + 1),
                "codes": [code(broker_id) for broker_id in range(1, most + 1)],
            },
            "identity": {"#map": [[r, self._identity(r)] for r in self.world.files]},
            "process": {"#map": [[r, self._shown(r)] for r in self.world.processes]},
            "used": dict(self.world.used),
        }

    def _identity(self, r: str) -> Value:
        files, attempt = self.world.files[r], self.world.attempts[r]
        if files.identity is not None:
            return {"file": "Identity", "id": files.identity.broker_id, "attempt": attempt}
        if files.temporary is not None:
            return {"file": "Temporary", "id": files.temporary.broker_id, "attempt": attempt}
        return {"file": "None", "id": 0, "attempt": attempt}

    def _shown(self, r: str) -> str:
        process = self._running(r)
        if process is None:
            return "Down"
        return "Registered" if process.state is RegisterState.REGISTERED else "Starting"

    def elided(self) -> Mapping[str, str]:
        return ELIDED

    def fields(self) -> Iterable[str]:
        found = fields_of(self._controller_of_world().broker_set(BROKER_NAME), "controller")
        for r in self.world.processes:
            process = self._running(r)
            if process is not None:
                found |= fields_of(process, "process")
        return found

    def mapped(self) -> Mapping[str, str]:
        return MAPPED


_ACTIONS = frozenset(
    {
        "GetNextBrokerId",
        "ApplyBrokerId",
        "ApplyBrokerIdFails",
        "RegisterBroker",
        "ProcessCrashes",
        "ProcessRestarts",
        "MetadataIsCleaned",
    }
)

MAPPED: Mapping[str, str] = {
    "controller.registered": "table.known",
    "controller.next_assign_broker_id": "table.nextId",
    "process.state": "process",
    "process.broker_id": "identity.id",
    "process.register_check_code": "identity.attempt",
}

ELIDED: Mapping[str, str] = {
    "controller.brokers": "The check codes are shown by table; addresses identify nobody.",
    "controller.cluster_name": "There is one broker set.",
    "controller.broker_name": "There is one broker set.",
    "controller.master_epoch": "Elections are spec/core/ControllerMode.tla.",
    "controller.master_broker_id": "Elections are spec/core/ControllerMode.tla.",
    "controller.sync_state_set": "Elections are spec/core/ControllerMode.tla.",
    "controller.sync_state_set_epoch": "Elections are spec/core/ControllerMode.tla.",
    "process.cluster_name": "Never changes.",
    "process.broker_name": "Never changes.",
    "process.broker_address": "Never changes.",
    "process.async_learner": "Never changes.",
    "process.started_at": "The time of the attempt; it is in the check code.",
}
