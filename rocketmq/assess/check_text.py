"""Check a configuration that was made, not read: what `rmqproof assess` asks of the checker."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from rmqproof.model.checking.check import check
from rmqproof.model.checking.options import Options
from rmqproof.model.search.result import Verdict
from rmqproof.model.tla.library import bundled, bundled_name, folders_of
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.model.tla.source import Texts, TlaError
from rmqproof.rocketmq.assess.examination import Checked
from rmqproof.rocketmq.assess.scenario import SHIPPED_FOLDER


@dataclass(frozen=True, slots=True)
class CheckText:
    """Check a configuration given as text, of a specification that comes with rmqproof. Picklable.

    Raise `TlaError` when the specification is at fault: that is an error of the tool, not of the operator's files.
    """

    max_seconds: float | None = None

    def __call__(self, module: str, text: str) -> Checked:
        files = assessed(bundled(module), text)
        outcome = check(files, Options(workers=1, max_seconds=self.max_seconds))
        result = outcome.result
        if result.verdict not in (Verdict.SUCCESS, Verdict.SAFETY):
            raise TlaError(f"The model of these settings cannot be checked: {result.message}", None, "", "system")
        violated = result.violation.name if result.violation is not None else None
        behaviour = outcome.behaviour
        if behaviour is not None:
            # no file has this configuration
            origin = replace(behaviour.origin, specification=bundled_name(module), config="", command="")
            behaviour = replace(behaviour, origin=origin)
        return Checked(violated, behaviour, result.distinct, result.exhaustive, result.message)


def assessed(spec: Path, config: str) -> ModelFiles:
    """A model with a configuration that was made."""
    path = Path("Assessed.cfg")
    return ModelFiles(spec, path, search_path=folders_of(SHIPPED_FOLDER, spec.parent), texts=Texts.of({path: config}))
