"""A direct evaluator of specifications: the judge of the engines, short enough to be read in an hour.

It reads the resolved tree (`model.tla.core`) and nothing else of the checker: no engine's values, no compiled code, no
tiers. What an expression means is in `evaluator`, what a value is in `values` and `sets`, what Init and Next do in
`actions`, the standard modules in `library`, temporal formulas over a lasso in `lasso`; `specification` is the way in.
"""

from __future__ import annotations

from .problems import EvaluationError, NotInReference, OutOfWork
from .specification import Reference, Successor

__all__ = ["EvaluationError", "NotInReference", "OutOfWork", "Reference", "Successor"]
