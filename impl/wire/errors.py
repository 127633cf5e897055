"""What a decoder says about bytes that cannot be a packet."""


class ProtocolError(ValueError):
    """The peer sent something that is not of this protocol; the connection is of no more use."""
