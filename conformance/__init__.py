"""Whether an implementation, or a recorded run, follows the specification. The only package that knows both sides."""

from rmqproof.conformance.adapter import Accountable, Adapter, Answer, Choosing
from rmqproof.conformance.fields import fields_of

__all__ = ["Accountable", "Adapter", "Answer", "Choosing", "fields_of"]
