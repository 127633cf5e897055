"""How a broker process gets its brokerId (`ReplicasManager.register`): GetNextBrokerId, the temporary file,
ApplyBrokerId with a check code, the identity file, RegisterBroker."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from rmqproof.impl.core.broker_outputs import ToController
from rmqproof.impl.core.codes import ResponseCode
from rmqproof.impl.core.controller_messages import (
    ApplyBrokerIdRequest,
    ApplyBrokerIdResponse,
    GetNextBrokerIdRequest,
    GetNextBrokerIdResponse,
    RegisterBrokerRequest,
    RegisterBrokerResponse,
)
from rmqproof.impl.core.writes import DeleteTemporaryIdentity, WriteIdentity, WriteTemporaryIdentity


class RegisterState(Enum):
    INITIAL = "INITIAL"
    CREATE_TEMP_METADATA_FILE_DONE = "CREATE_TEMP_METADATA_FILE_DONE"
    CREATE_METADATA_FILE_DONE = "CREATE_METADATA_FILE_DONE"
    REGISTERED = "REGISTERED"


class IdentityMismatch(ValueError):
    """The identity file belongs to another cluster or broker name than the configuration."""


@dataclass(frozen=True, slots=True)
class ContinueRegistration:
    """Take the next step; again whenever an answer took too long. `now` in milliseconds goes into the check code."""

    now: int


@dataclass(frozen=True, slots=True)
class RequestFailed:
    """The answer to the last request did not come."""


RegistrationInput: TypeAlias = (
    ContinueRegistration | RequestFailed | GetNextBrokerIdResponse | ApplyBrokerIdResponse | RegisterBrokerResponse
)
RegistrationOutput: TypeAlias = ToController | WriteTemporaryIdentity | WriteIdentity | DeleteTemporaryIdentity


class Registration:
    """One process that registers. `temporary` and `identity` are what its disk holds when it starts.

    Raise `IdentityMismatch` for files of another broker.
    """

    def __init__(
        self,
        cluster_name: str,
        broker_name: str,
        broker_address: str,
        async_learner: bool = False,
        temporary: WriteTemporaryIdentity | None = None,
        identity: WriteIdentity | None = None,
    ) -> None:
        self.cluster_name, self.broker_name, self.broker_address = cluster_name, broker_name, broker_address
        self.async_learner = async_learner
        self.state = RegisterState.INITIAL
        self.broker_id = 0
        self.register_check_code = ""
        self.started_at = 0
        for known in (identity, temporary):
            if known is not None and (known.cluster_name, known.broker_name) != (cluster_name, broker_name):
                raise IdentityMismatch(
                    f"the identity on the disk is of {known.broker_name} in {known.cluster_name}, "
                    f"the configuration says {broker_name} in {cluster_name}"
                )
        if identity is not None:
            self.state, self.broker_id = RegisterState.CREATE_METADATA_FILE_DONE, identity.broker_id
        elif temporary is not None:
            self.state = RegisterState.CREATE_TEMP_METADATA_FILE_DONE
            self.broker_id, self.register_check_code = temporary.broker_id, temporary.register_check_code

    def step(self, given: RegistrationInput) -> list[RegistrationOutput]:
        """What is to be done, in this order; writes are durable before a request leaves."""
        match given:
            case ContinueRegistration():
                self.started_at = given.now
                return [self._request()] if self.state is not RegisterState.REGISTERED else []
            case GetNextBrokerIdResponse() if self.state is RegisterState.INITIAL:
                return self._claim(given)
            case ApplyBrokerIdResponse() if self.state is RegisterState.CREATE_TEMP_METADATA_FILE_DONE:
                return self._own() if given.code is ResponseCode.SUCCESS else self._give_up()
            case RequestFailed() if self.state is RegisterState.CREATE_TEMP_METADATA_FILE_DONE:
                return self._give_up()
            case RegisterBrokerResponse() if self.state is RegisterState.CREATE_METADATA_FILE_DONE:
                if given.code is ResponseCode.SUCCESS:
                    self.state = RegisterState.REGISTERED
        return []

    def _request(self) -> ToController:
        """What the present state asks for."""
        name = (self.cluster_name, self.broker_name)
        if self.state is RegisterState.INITIAL:
            return ToController(GetNextBrokerIdRequest(*name))
        if self.state is RegisterState.CREATE_TEMP_METADATA_FILE_DONE:
            request = ApplyBrokerIdRequest(*name, self.broker_id, self.register_check_code, self.async_learner)
            return ToController(request)
        return ToController(RegisterBrokerRequest(*name, self.broker_id, self.broker_address))

    def _claim(self, told: GetNextBrokerIdResponse) -> list[RegistrationOutput]:
        """The id is written down before it is applied for, so that a crash does not burn it."""
        if told.code is not ResponseCode.SUCCESS:
            return []
        self.broker_id = told.next_broker_id
        self.register_check_code = f"{self.broker_address};{self.started_at}"
        self.state = RegisterState.CREATE_TEMP_METADATA_FILE_DONE
        temporary = WriteTemporaryIdentity(
            self.cluster_name, self.broker_name, self.broker_id, self.register_check_code
        )
        return [temporary, self._request()]

    def _own(self) -> list[RegistrationOutput]:
        self.state = RegisterState.CREATE_METADATA_FILE_DONE
        identity = WriteIdentity(self.cluster_name, self.broker_name, self.broker_id)
        return [identity, DeleteTemporaryIdentity(), self._request()]

    def _give_up(self) -> list[RegistrationOutput]:
        """Whether the id was taken is not known; another one is asked for."""
        self.state, self.broker_id, self.register_check_code = RegisterState.INITIAL, 0, ""
        return [DeleteTemporaryIdentity()]
