"""What a specification says nothing about: what never happens, and changes of it that no property notices."""

from rmqproof.model.audit.audit import Audit, Budget, audit
from rmqproof.model.audit.mutation import Mutant
from rmqproof.model.audit.scoring import Fate, Trial
from rmqproof.model.audit.vacuity import Gap

__all__ = ["Audit", "Budget", "Fate", "Gap", "Mutant", "Trial", "audit"]
