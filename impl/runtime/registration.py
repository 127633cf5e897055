"""Gets a broker its brokerId: drives the core's `Registration` with the disk and the controllers."""

from __future__ import annotations

import asyncio
import logging
import time

from rmqproof.impl.broker.registration import (
    ContinueRegistration,
    IdentityMismatch,
    RegisterState,
    Registration,
    RegistrationInput,
)
from rmqproof.impl.core.broker_outputs import ToController
from rmqproof.impl.core.controller_messages import ApplyBrokerIdResponse, GetNextBrokerIdResponse
from rmqproof.impl.core.writes import WriteIdentity, WriteTemporaryIdentity
from rmqproof.impl.runtime.controller_client import ControllerClient
from rmqproof.impl.runtime.errors import ClusterError
from rmqproof.impl.runtime.layout import BROKER_NAME, CLUSTER_NAME
from rmqproof.impl.storage.broker_store import BrokerStore

_log = logging.getLogger(__name__)


async def register_identity(store: BrokerStore, controllers: ControllerClient, address: str, pause: float) -> int:
    """The brokerId on the disk, or a new one; tries until there is one. ClusterError if the disk is another set's.

    An answer that is lost is asked for again, with the same check code, which gives the same id.
    """
    try:
        registration = _of_store(store, address)
    except IdentityMismatch as problem:
        raise ClusterError(f"{store.folder}: {problem}.", "Give the broker a store of its own.") from None
    owns = (RegisterState.CREATE_METADATA_FILE_DONE, RegisterState.REGISTERED)
    while registration.state not in owns:
        given: RegistrationInput | None = ContinueRegistration(time.time_ns() // 1_000_000)
        while given is not None and registration.state not in owns:
            given = await _step(registration, given, store, controllers)
        if registration.state not in owns:
            await asyncio.sleep(pause)
    _log.info("this broker has the brokerId %d", registration.broker_id)
    return registration.broker_id


def _of_store(store: BrokerStore, address: str) -> Registration:
    identity, temporary = store.identity.load(), store.identity.load_temporary()
    return Registration(
        CLUSTER_NAME,
        BROKER_NAME,
        address,
        temporary=None
        if temporary is None
        else WriteTemporaryIdentity(
            temporary.cluster, temporary.broker_name, temporary.broker_id, temporary.check_code or ""
        ),
        identity=None
        if identity is None
        else WriteIdentity(identity.cluster, identity.broker_name, identity.broker_id),
    )


async def _step(
    registration: Registration, given: RegistrationInput, store: BrokerStore, controllers: ControllerClient
) -> RegistrationInput | None:
    """The answer to the request that the step led to, None if there is none."""
    answer = None
    for output in registration.step(given):
        if not isinstance(output, ToController):
            store.do(output)
        elif registration.state is not RegisterState.CREATE_METADATA_FILE_DONE:
            answered = await controllers.ask(output.request, "")
            if answered is not None and isinstance(answered[0], GetNextBrokerIdResponse | ApplyBrokerIdResponse):
                answer = answered[0]
    return answer
