"""How a broker gets its brokerId: RIP-44 "RegisterBroker", `ReplicasManager.register`.

GetNextBrokerId, temporary file, ApplyBrokerId, identity file. A lost answer to ApplyBrokerId is asked for again with
the same check code, which gives the same id; only a refusal leads to another one.
"""

from __future__ import annotations

import asyncio
import logging
import time

from rmqproof.impl.core.codes import ResponseCode
from rmqproof.impl.core.controller_messages import (
    ApplyBrokerIdRequest,
    ApplyBrokerIdResponse,
    GetNextBrokerIdRequest,
    GetNextBrokerIdResponse,
)
from rmqproof.impl.core.writes import DeleteTemporaryIdentity, WriteIdentity, WriteTemporaryIdentity
from rmqproof.impl.runtime.controller_client import ControllerClient
from rmqproof.impl.runtime.errors import ClusterError
from rmqproof.impl.runtime.layout import BROKER_NAME, CLUSTER_NAME
from rmqproof.impl.storage.broker_store import BrokerStore

_log = logging.getLogger(__name__)


async def register_identity(store: BrokerStore, controllers: ControllerClient, address: str, pause: float) -> int:
    """The brokerId on the disk, or a new one; tries until there is one. ClusterError if the disk is another set's."""
    while True:
        identity = store.identity.load()
        if identity is not None:
            if (identity.cluster, identity.broker_name) != (CLUSTER_NAME, BROKER_NAME):
                raise ClusterError(
                    f"The store {store.folder} belongs to {identity.cluster}#{identity.broker_name}, "
                    f"this broker to {CLUSTER_NAME}#{BROKER_NAME}.",
                    "Give the broker a store of its own.",
                )
            return identity.broker_id
        if not await _try(store, controllers, address):
            await asyncio.sleep(pause)


async def _try(store: BrokerStore, controllers: ControllerClient, address: str) -> bool:
    wanted = store.identity.load_temporary()
    if wanted is None:
        answered = await controllers.ask(GetNextBrokerIdRequest(CLUSTER_NAME, BROKER_NAME), "")
        if answered is None or not isinstance(answered[0], GetNextBrokerIdResponse):
            return False
        if answered[0].code is not ResponseCode.SUCCESS:
            return False
        code = f"{address};{time.time_ns() // 1_000_000}"
        store.do(WriteTemporaryIdentity(CLUSTER_NAME, BROKER_NAME, answered[0].next_broker_id, code))
        wanted = store.identity.load_temporary()
    assert wanted is not None and wanted.check_code is not None
    request = ApplyBrokerIdRequest(CLUSTER_NAME, BROKER_NAME, wanted.broker_id, wanted.check_code)
    answered = await controllers.ask(request, "")
    if answered is None or not isinstance(answered[0], ApplyBrokerIdResponse):
        return False
    if answered[0].code is ResponseCode.SUCCESS:
        store.do(WriteIdentity(CLUSTER_NAME, BROKER_NAME, wanted.broker_id))
        _log.info("this broker is %d", wanted.broker_id)
        return True
    _log.info("brokerId %d was refused: %s", wanted.broker_id, answered[0].remark)
    store.do(DeleteTemporaryIdentity())
    return False
