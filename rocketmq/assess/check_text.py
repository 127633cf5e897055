"""Check a configuration that was made, not read: what `rmqproof assess` asks of the checker."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console

from rmqproof.model.cli.checking import Options, check
from rmqproof.model.cli.models import ModelFiles
from rmqproof.model.cli.opening import open_subject
from rmqproof.model.search.result import Verdict
from rmqproof.model.tla.source import TlaError
from rmqproof.rocketmq.assess.examination import Checked


@dataclass(frozen=True, slots=True)
class CheckText:
    """Check a configuration given as text, of a specification in the folder `specifications`. Picklable.

    Raise `TlaError` when the specification is at fault: that is an error of the tool, not of the operator's files.
    """

    specifications: Path
    max_seconds: float | None = None

    def __call__(self, module: str, text: str) -> Checked:
        with tempfile.TemporaryDirectory(prefix="rmqproof-") as folder:
            config = Path(folder) / "Assessed.cfg"
            config.write_text(text, encoding="utf-8")
            files = ModelFiles(self.specifications / module, config)
            options = Options(quiet=True, workers=1, max_seconds=self.max_seconds)
            outcome = check(files, lambda: open_subject(files), options, Console(quiet=True))
        result = outcome.result
        if result.verdict not in (Verdict.SUCCESS, Verdict.SAFETY):
            raise TlaError(f"The model of these settings cannot be checked: {result.message}", None, "", "system")
        violated = result.violation.name if result.violation is not None else None
        behaviour = outcome.behaviour
        if behaviour is not None:
            # the configuration is gone; where it lay says nothing
            origin = replace(behaviour.origin, specification=f"spec/{module}", config="", command="")
            behaviour = replace(behaviour, origin=origin)
        return Checked(violated, behaviour, result.distinct, result.exhaustive, result.message)
