"""What a decoder says about bytes that cannot be a packet."""


class ProtocolError(ValueError):
    """The peer sent something that is not of this protocol; the connection is of no more use."""


class UnknownRequest(ProtocolError):
    """Well-formed, and its code is not one that this node answers (`REQUEST_CODE_NOT_SUPPORTED`)."""


class MalformedIds(ProtocolError):
    """`brokerControllerIdsToClean` is no list of numbers (`CONTROLLER_INVALID_CLEAN_BROKER_METADATA`)."""


class InvalidRequest(ProtocolError):
    """`CONTROLLER_INVALID_REQUEST`"""
