"""The reference implementation as an `Adapter`: its cores in a world of simulated disks and a simulated network."""

from rmqproof.conformance.reference.adapter import ReferenceAdapter

__all__ = ["ReferenceAdapter"]
