"""docs/durability.md says what the model says."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from rmqproof.model.tla.library import bundled
from rmqproof.rocketmq.assess.deployment import Deployment
from rmqproof.rocketmq.assess.examination import Task
from rmqproof.rocketmq.assess.faults import EACH_FAULT
from rmqproof.rocketmq.assess.lemmas import theorem
from rmqproof.rocketmq.assess.matrix import LOSS, combinations, plot
from rmqproof.rocketmq.assess.scenario import bounds_under, constants_of
from rmqproof.rocketmq.assess.state_space import Explore
from tools.engine_runs import logged
from tools.proof_runs import LOG

ROOT = Path(__file__).parents[3]
DOCUMENT = ROOT / "docs" / "durability.md"


def cells() -> dict[tuple[Deployment, str], str]:
    """Deployment and class of faults to the cell's text."""
    found: dict[tuple[Deployment, str], str] = {}
    replicas = 0
    for line in DOCUMENT.read_text(encoding="utf-8").splitlines():
        if heading := re.match(r"## (\d) replicas", line):
            replicas = int(heading[1])
        row = [cell.strip() for cell in line.strip("|").split("|")]
        if len(row) == 4 + len(EACH_FAULT) and row[1].isdigit():
            number = re.match(r"inSyncReplicas=(\d)", row[0])
            deployment = Deployment(
                replicas,
                all_ack=number is None,
                in_sync_replicas=int(number[1]) if number else 1,
                min_in_sync_replicas=int(row[1]),
                unclean_election=row[2] == "yes",
                sync_flush=row[3] == "SYNC_FLUSH",
            )
            found |= {(deployment, str(faults)): cell for faults, cell in zip(EACH_FAULT, row[4:], strict=True)}
    return found


def test_every_combination_has_its_row() -> None:
    assert set(cells()) == set(product(combinations(), map(str, EACH_FAULT)))


def test_what_is_proved_is_not_lost() -> None:
    """The theorems were found by solvers, the cells by exploring: nowhere do they say the opposite."""
    proved = {
        (deployment, str(faults))
        for deployment, faults in product(combinations(), EACH_FAULT)
        if theorem(deployment, faults.classes)
    }
    table = cells()
    assert {table[key] for key in proved} == {"proved"}
    assert {table[key] for key in set(table) - proved} >= {"kept"}


ASSUMED = {
    "AllAckLemmas": {"AllAck": "TRUE", "UncleanElection": "FALSE"},
    "CleanCopiesLemmas": {"AllAck": "FALSE", "UncleanElection": "FALSE"},
    "AllCopiesLemmas": {"AllAck": "FALSE", "HalfOpen": "FALSE", "LateNotices": "FALSE"},
}
"""By module what it takes for granted of the settings, besides MaxLosses = 0; of AllCopiesLemmas so much that nobody
leads an older epoch (PromptElectionsLeadNoOlderEpoch)."""


def test_a_theorem_is_about_the_settings_of_its_cell() -> None:
    met = set()
    for deployment, faults in product(combinations(), EACH_FAULT):
        if lemma := theorem(deployment, faults.classes):
            met.add(lemma.module)
            found = constants_of(deployment, faults.budgets(deployment.replicas), bounds_under(faults))
            assert ASSUMED[lemma.module].items() <= found.items() and found["MaxLosses"] == 0, (lemma, deployment)
            assert deployment.all_ack or found["InSyncReplicas"] == deployment.replicas
    assert met == set(ASSUMED)


def test_a_theorem_names_as_many_brokers_as_it_is_proved_for() -> None:
    """As the log has it: all of the module's lemmas, so that the invariant holds in every reachable state."""
    theorems = {lemma for d, f in product(combinations(), EACH_FAULT) if (lemma := theorem(d, f.classes))}
    assert len(theorems) == len(ASSUMED)
    for lemma in theorems:
        asked = re.findall(r"^THEOREM \w+", bundled(f"{lemma.module}.tla").read_text(encoding="utf-8"), re.MULTILINE)
        runs = [
            run for run in logged(LOG) if (run["module"], run["by"], run["verdict"]) == (lemma.module, "z3", "proved")
        ]
        proved = {size: len({run["lemma"] for run in runs if run["size"] == size}) for size in ("configured", "any")}
        assert proved["configured"] == len(asked)
        assert lemma.whole == ("any number of brokers" if proved["any"] == len(asked) else "three brokers")


def test_every_lost_message_has_its_picture() -> None:
    linked = {match[1] for cell in cells().values() if (match := re.fullmatch(r"\[lost\]\(\.\./(.*)\)", cell))}
    assert len(linked) > 10
    assert not [name for name in linked if not (ROOT / name).exists()]


@pytest.mark.parametrize("number", range(8))
def test_cells_are_what_the_model_says(number: int) -> None:
    """A sample of two replicas, spread over the table."""
    two = [key for key in sorted(cells(), key=repr) if key[0].replicas == 2]
    deployment, name = two[number * len(two) // 8 + number]
    faults = next(each for each in EACH_FAULT if str(each) == name)
    (answer,) = Task(Explore(compiled=False), deployment, faults, (LOSS,))()
    cell = cells()[deployment, name]
    if answer.behaviour is None:
        assert answer.yes is False and cell == ("proved" if theorem(deployment, faults.classes) else "kept")
    else:
        assert plot(answer.behaviour) in cell


def test_the_sample_is_of_both_kinds() -> None:
    """A table of one word only would be no table; each setting decides somewhere, but for minInSyncReplicas.

    That one is asked before the append only (F-17), so it never saves a message that the others lose.
    """
    table = cells()
    assert {cell.split("]")[0] for cell in table.values()} == {"kept", "proved", "[lost"}
    changes = ({"all_ack": True}, {"in_sync_replicas": 2}, {"unclean_election": True}, {"sync_flush": True})
    for change in (*changes, {"min_in_sync_replicas": 2}):
        pairs = [
            (table[deployment, faults], table[replace(deployment, **change), faults])
            for deployment, faults in table
            if (replace(deployment, **change), faults) in table
        ]
        decides = any(one.startswith("[lost]") != other.startswith("[lost]") for one, other in pairs)
        assert decides == (change in changes), change
