"""Mutants of the cores: what is said of survivors is of mutants, and tests/impl/core catches what it has to."""

from __future__ import annotations

import pytest

from tools.mutation.core_tests import failing
from tools.mutation.mutations import MODULES, ROOT, mutants_of
from tools.mutation.survivors import explained, explanations

BY_CORE = {
    "impl/broker/roles.py": "broker.set_confirm_offset(confirm_offset)",
    "impl/controller/broker_set.py": "not state.registered",
    "impl/controller/controller.py": "traces.append(ControllerTrace('RestartedBrokerIsElected'",
}
"""What is changed in mutants that no conformance test catches, once in each of these modules."""


def test_every_explanation_is_of_a_mutant() -> None:
    made = [mutant for module in MODULES for mutant in mutants_of(module)]
    lines = {module: (ROOT / module).read_text(encoding="utf-8").splitlines() for module in MODULES}
    stale = [
        f"{entry.module}: {entry.code}"
        for entry in explanations()
        if not any(entry.fits(mutant, lines[mutant.module][mutant.line - 1].strip()) for mutant in made)
    ]
    assert not stale


def test_an_explanation_is_of_its_mutants_only() -> None:
    found = {mutant.key: explained(mutant) for mutant in mutants_of("impl/controller/decisions.py")}
    texts = [entry.why for entry in found.values() if entry is not None]
    assert "The text of a refusal." in texts
    assert len(texts) < len(found) / 4


@pytest.mark.large
@pytest.mark.parametrize("module", BY_CORE)
def test_a_test_of_the_core_fails_with_a_mutant(module: str) -> None:
    assert any(failing(each) for each in mutants_of(module) if each.before.startswith(BY_CORE[module]))


@pytest.mark.large
def test_no_test_of_the_core_fails_without_one() -> None:
    assert not failing(None)
