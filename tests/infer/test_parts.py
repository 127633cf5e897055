"""The parts of the search, each held to something simpler."""

from __future__ import annotations

import math
from itertools import combinations, islice
from pathlib import Path
from random import Random

import pytest

from rmqproof.model.evaluate.system import PythonSystem, system_of
from rmqproof.model.infer.clauses import elements, hitting_sets
from rmqproof.model.infer.dimensions import Dimensions
from rmqproof.model.infer.domain_facts import domain_facts
from rmqproof.model.infer.finding import Conjunct, Finding
from rmqproof.model.infer.induction import Breach, Induction
from rmqproof.model.infer.opening import Opened, Wish, opened
from rmqproof.model.infer.reachable import reachable_states
from rmqproof.model.infer.rows import Space
from rmqproof.model.infer.stages import prefixes
from rmqproof.model.infer.telling import nearest
from rmqproof.model.infer.vocabulary import Clause, plain
from rmqproof.model.prove.scope import Bounds
from rmqproof.model.tla import core
from rmqproof.model.tla.model_files import find_models
from rmqproof.model.types.domain import Int, Seq

PROTOCOLS = Path(__file__).parent / "protocols"
SPECS = Path(__file__).parents[1] / "specs"
MOST_PREFIXES = 20
TIMES = (*range(0, 150, 15), 1_000)
WITHIN = """
  /\\ \\A m \\in network : m.ballot \\in Ballots /\\ (m.type = "1b" => m.vote.ballot \\in Ballots \\cup {-1})
  /\\ \\A a \\in Acceptors : promised[a] \\in Ballots \\cup {-1} /\\ accepted[a].ballot \\in Ballots \\cup {-1}
"""


def begun(name: str, states: int = 5_000, folder: Path = PROTOCOLS) -> Opened:
    (files,) = find_models([folder / f"{name}.tla"])
    return opened(files, Wish(states=states), lambda line: None)


def test_hitting_sets_are_all_that_there_are() -> None:
    """Of random families: what is found is what a search through all subsets finds, minimal, up to one more than the
    fewest elements."""
    chance = Random(1)
    for _ in range(300):
        count = chance.randint(1, 7)
        family = {chance.randrange(1 << count) for _ in range(chance.randint(0, 6))}
        allowed = chance.randrange(1 << count)
        found = hitting_sets(family, allowed, [1] * count, 3, 1_000)
        subsets = [sum(1 << i for i in each) for size in range(4) for each in combinations(elements(allowed), size)]
        hitting = [each for each in subsets if all(row & each for row in family)]
        minimal = [each for each in hitting if not any(part & each == part and part != each for part in hitting)]
        fewest = min((each.bit_count() for each in minimal), default=0)
        assert sorted(found) == sorted(each for each in minimal if each.bit_count() <= fewest + 1)


@pytest.mark.parametrize("name", ["LockServer", "Paxos"])
def test_rows_say_what_the_text_of_a_candidate_says(name: str) -> None:
    """What bits say of random candidates in random states is what the Python engine says of their text, read anew.

    In the second there are names for messages of four kinds, so that there are 161 prefixes: it is done for some.
    """
    chance = Random(2)
    start = begun(name, folder=PROTOCOLS if name == "LockServer" else SPECS)
    words = start.words
    system = PythonSystem(plain(words.model))
    clauses = []
    all_prefixes = list(prefixes(words.names, 3))
    for names in chance.sample(all_prefixes, min(len(all_prefixes), MOST_PREFIXES)):
        atoms = words.over(names, 1)
        for _ in range(8):
            some = chance.sample(atoms, min(len(atoms), chance.randint(1, 3)))
            clauses.append(words.trimmed(Clause(names, frozenset(2 * a + chance.randint(0, 1) for a in some))))
    texts = [words.text(clause) for clause in clauses]
    lines = "\n".join(f"Read{number} == {text}" for number, text in enumerate(texts))
    model = start.files.extended("Read", f"---- MODULE Read ----\nEXTENDS {name}\n{lines}\n====\n").load()
    read = system_of(model)
    compared = 0
    for number, clause in enumerate(clauses):
        again = read.state_condition(model.specification.definitions[f"Read{number}"].body)
        formula = system.state_condition(words.formula(clause))
        space = Space(words, system, clause.names, 1)
        for state in chance.sample(start.reachable.states, 6):
            holds = not space.fails(clause, state)
            assert holds == bool(again(state)) == bool(formula(state)), texts[number]
            compared += 1
    assert compared > 400


def test_reachable_states_are_those_of_the_search() -> None:
    start = begun("MessageLock")
    assert start.reachable.whole
    assert len(start.reachable.states) == 80
    assert max(start.reachable.depth) == 7


def test_a_limit_that_is_not_reached_ends_the_search() -> None:
    """Where there are more states than half of the limit, walks would look for others that there are not."""
    (files,) = find_models([PROTOCOLS / "MessageLock.tla"])
    found = reachable_states(system_of(files.load()), {}, 100, lambda: False)
    assert (found.whole, len(found.states)) == (True, 80)


def test_counterexamples_are_of_the_inferred_types() -> None:
    """Where that is asked for; else messages have any numbers, so that a step leads out of the types."""
    (files,) = find_models([SPECS / "Paxos.tla"])
    model = files.extended("Wide", "---- MODULE Wide ----\nEXTENDS Paxos\nWithin ==\n" + WITHIN + "====\n").load()
    within = system_of(model).state_condition(model.specification.definitions["Within"].body)
    types, agreement = (definition.body for definition in model.invariants)

    def met(bounds: Bounds, goal: core.Expression) -> list[bool]:
        found = islice(Induction(model, bounds, 5.0).breaches([goal], [goal], (0, 1, 2)), 6)
        return [bool(within((*breach.before, 0))) for breach in found]

    narrow = Bounds(3, 3, -1, 4, as_inferred=True)
    assert set(met(narrow, agreement)) == {True}
    assert met(narrow, types) == []
    assert set(met(Bounds(3, 3, -1, 4), types)) == {False}


def test_domains_are_written_without_operators_that_a_specification_may_not_have() -> None:
    (files,) = find_models([SPECS / "TokenRing.tla"])
    (variable,) = files.load().specification.variables
    assert domain_facts({variable: Seq(Int(0, 1), 3, 3)}, [], [], Dimensions(())) == [
        f"DOMAIN {variable.name} = {{1, 2, 3}}"
    ]
    assert domain_facts({variable: Seq(Int(0, 1), 2, 3)}, [], [], Dimensions(())) == []


def test_walks_go_on_where_the_search_stops() -> None:
    """Beyond the limit states come from random walks: each is reachable, by the path that is kept."""
    (files,) = find_models([PROTOCOLS / "ConsensusByVotes.tla"])
    system = system_of(files.load())
    found = reachable_states(system, {}, 400, lambda: False)
    assert not found.whole
    assert len(found.states) >= 400
    assert max(found.depth) > found.depth[200] + 3
    path = found.behaviour(system, len(found.states) - 1, "", "", "").steps
    state = next(iter(system.initial_states()))
    for step in path[1:]:
        state = next(s for _, _, s in system.successors(state) if system.to_itf(s) == dict(step.state))
    assert state == found.states[-1]


def test_what_comes_near_to_excluding_a_reachable_state() -> None:
    """No literals tell it from the states that are reachable; those that tell it from most are said all the same."""
    start = begun("LockServer")
    bounds = Bounds(3, 3, -1, 4)
    induction = Induction(start.words.model, bounds, 5.0)
    finding = Finding(start.words, start.reachable, induction, [*start.given], start.stages)
    assert finding.run()
    state = start.reachable.states[-1][:-1]
    found = nearest(start, finding, Breach(start.given[0].formula, state, state, "", ()))
    assert found
    assert all(near.states > 0 for near in found)


def test_no_counterexample_after_the_time_is_no_proof() -> None:
    """However late the time is over, it is said, and all that was found or assumed is still there."""
    start = begun("LockServer")
    more = [Conjunct(clause.text, clause.formula) for clause in (*start.given, *start.spare)]
    late = 0
    for asked in TIMES:
        induction = Hasty(start.words.model, Bounds(3, 3, -1, 4), 5.0, asked)
        finding = Finding(start.words, start.reachable, induction, [*start.given], start.stages, spare=[*more])
        kept = {conjunct.text for conjunct in (*finding.conjuncts, *finding.spare)}
        done = finding.run()
        assert done != finding.out_of_time
        assert kept <= {conjunct.text for conjunct in (*finding.conjuncts, *finding.spare)}
        late += not done
    assert 0 < late < len(TIMES)


class Hasty(Induction):
    """Its time is over after so many questions."""

    def __init__(self, model: core.Model, bounds: Bounds, timeout: float, most: int) -> None:
        super().__init__(model, bounds, timeout)
        self._most = most

    def _left(self) -> float:
        return math.inf if self.questions < self._most else 0.0
