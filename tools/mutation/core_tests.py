"""Which mutants that no conformance test catches a test of tests/impl/core fails with.

    python -m tools.mutation.core_tests results.ndjson

What the specification does not speak of, as a partial cleaning or the cluster's name, is in these tests only: worked
examples of the design texts, and answers that were recorded from the classes of RocketMQ. Each test is run on the
mutant in a forked process, until the first that fails; a result is one more line of the file.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from tools.mutation.mutants import apart, read
from tools.mutation.mutations import MODULES, ROOT, Instead, Mutant, mutants_of
from tools.mutation.survivors import CORE, explained, is_survivor

SECONDS = 60
"""Processor time of the tests of one mutant."""


IMPORTED_ANEW = ("rmqproof.impl", "rmqproof.rocketmq", "tests.impl")
"""Who has imported the module already would go on without the change."""


class FirstFailure:
    """A plugin of pytest that remembers the test that failed first."""

    def __init__(self) -> None:
        self.name = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.name = self.name or report.nodeid.split("/")[-1]

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.name = self.name or f"{report.nodeid.split('/')[-1]}: is not imported"


def failing(mutant: Mutant | None) -> str:
    """The first test that fails with the mutant, or with the cores as they are; empty if none does."""

    def work() -> str:
        for name in [name for name in sys.modules if name.startswith(IMPORTED_ANEW)]:
            del sys.modules[name]
        if mutant is not None:
            sys.meta_path.insert(0, Instead(mutant))
        seen = FirstFailure()
        with redirect_stdout(io.StringIO()):
            options = ["-x", "-q", "-n0", "-p", "no:cacheprovider", "-W", "ignore"]
            status = pytest.main([str(ROOT / "tests" / "impl" / "core"), *options], plugins=[seen])
        if not seen.name and status != pytest.ExitCode.OK:
            return f"pytest ends with {status}"
        return seen.name or "none"

    said = apart(work, SECONDS)
    return "" if said == "none" else said


def main(words: Sequence[str]) -> None:
    path = Path(words[0])
    done, _ = read(path)
    if said := failing(None):
        sys.exit(f"The cores as they are fail {said}: mend that first.")
    with path.open("a", encoding="utf-8") as file:
        for mutant in (mutant for module in MODULES for mutant in mutants_of(module)):
            if not is_survivor(done.get(mutant.key, "")) or explained(mutant):
                continue
            said = failing(mutant)
            print(f"{mutant.key}: {said or 'no test fails'}", file=sys.stderr)
            if said:
                line = {"mutant": mutant.key, "before": mutant.before, "after": mutant.after}
                file.write(json.dumps({**line, "outcome": f"{CORE}: {said}", "calls": 0}) + "\n")
                file.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
