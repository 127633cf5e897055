"""Whether an implementation, or a recorded run, follows the specification. The only package that knows both sides."""

from rmqproof.conformance.adapter import Accountable, Adapter, Answer, Choosing, Closeable, ImplementationGone
from rmqproof.conformance.fields import fields_of
from rmqproof.conformance.foreign import address_adapter, command_adapter

__all__ = [
    "Accountable",
    "Adapter",
    "Answer",
    "Choosing",
    "Closeable",
    "ImplementationGone",
    "address_adapter",
    "command_adapter",
    "fields_of",
]
