"""Request codes beside the controller's: RocketMQ's for clients, and this runtime's own for operators."""

from __future__ import annotations

from enum import IntEnum


class ClientCode(IntEnum):
    """`RequestCode`"""

    SEND_MESSAGE = 10
    PULL_MESSAGE = 11
    QUERY_CONSUMER_OFFSET = 14
    POP_MESSAGE = 200050


class ClientResponse(IntEnum):
    """`ResponseCode`"""

    SUCCESS = 0
    SYSTEM_ERROR = 1
    REQUEST_CODE_NOT_SUPPORTED = 3
    FLUSH_SLAVE_TIMEOUT = 12
    MESSAGE_ILLEGAL = 13
    SERVICE_NOT_AVAILABLE = 14
    PULL_NOT_FOUND = 19


class OperatorCode(IntEnum):
    """Not RocketMQ's."""

    STATUS = 9001
    BLOCK = 9002
    """The body is a JSON list of the addresses that the node cannot reach from now on."""
    LOSE_TAIL = 9003
    """End like a machine without power: a part of what was not flushed is gone."""
    STOP = 9004


AFTER = "rmqproofAfter"
"""Header field with the last event of the sender's trace, `node:sequence`."""
UNUSABLE = 3
"""Exit status of a node whose store cannot be used."""
IN_USE = 4
"""Exit status of a node whose address is in use."""
