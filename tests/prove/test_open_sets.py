"""Lemmas for any number of brokers: proved, no more than is true, and about something."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from click.testing import CliRunner

from rmqproof.model.cli.commands.prove import command
from rmqproof.model.prove.ask import Asker
from rmqproof.model.prove.decide import PROVED, REFUTED, Verdict, decide, prove_parts
from rmqproof.model.prove.formulas import gives_values
from rmqproof.model.prove.lemma_obligations import obligations_of
from rmqproof.model.prove.modules import ANY, Sizes, chosen, lemma_modules, open_module
from rmqproof.model.prove.refusal import Untranslatable
from rmqproof.model.prove.subject import Subject
from rmqproof.model.prove.theorems import Lemma, lemmas_of
from rmqproof.model.tla.library import PROTOCOL, bundled
from tests.at_length import all_but, every

SECONDS = 5


@cache
def subject(module: str, replicas: int | None = ANY) -> Subject:
    return open_module(bundled(f"{module}.tla"), sizes=Sizes(replicas))


MODULES = [path.stem for path in lemma_modules(PROTOCOL / "lemmas", with_replicas=True)]
QUICK = "MasterStaysMember"


def cases() -> Iterator[ParameterSet]:
    """The lemmas. Those about all the protocol's steps take two seconds each; one of them is tried each time."""
    for module in MODULES:
        for lemma in lemmas_of(subject(module).model.specification):
            slow = lemma.is_about_steps and lemma.name != QUICK
            yield pytest.param(module, lemma.name, marks=[pytest.mark.large] if slow else [])


def the(module: str, name: str) -> Lemma:
    (lemma,) = chosen(subject(module), (name,))
    return lemma


def is_proved(module: str, lemma: Lemma) -> bool:
    return all(part.verdict == PROVED for part in prove_parts(subject(module), lemma, SECONDS))


def test_the_modules() -> None:
    assert MODULES == ["AckPolicyLemmas", "ConfirmOffsetLemmas", "ControllerLemmas"]


@pytest.mark.parametrize(("module", "name"), every(2, all_but(cases(), "MasterStaysMember")))
def test_proved_for_any_number(module: str, name: str) -> None:
    """Those that are declared to be proved, and none of those that are known to be wrong."""
    lemma = the(module, name)
    assert is_proved(module, lemma) == (lemma.expected == PROVED)


@pytest.mark.parametrize(("module", "name"), every(2, cases()))
def test_not_without_a_hypothesis(module: str, name: str) -> None:
    """That a countermodel with three brokers is found without it, test_lemmas shows; here it is not proved either."""
    lemma = the(module, name)
    if lemma.expected != PROVED or lemma.name == QUICK:
        return
    for hypothesis in lemma.hypotheses:
        if not gives_values(hypothesis.formula):
            assert not is_proved(module, lemma.without(hypothesis.name)), hypothesis.name


def test_a_weakened_lemma_is_refuted() -> None:
    for module, name, hypothesis in (
        ("ControllerLemmas", "StaleAlterIsRefused", "StaleOrForeign"),
        ("AckPolicyLemmas", "MajoritiesIntersect", "OneIsMajority"),
    ):
        assert decide(subject(module), the(module, name).without(hypothesis), SECONDS).verdict == REFUTED


@pytest.mark.large
def test_a_weakened_step_is_refuted() -> None:
    weak = the("ControllerLemmas", QUICK).without("MasterWasMember")
    assert not is_proved("ControllerLemmas", weak)
    assert decide(subject("ControllerLemmas"), weak, SECONDS).verdict == REFUTED


@pytest.mark.large
def test_every_action_can_be_taken() -> None:
    """The hypotheses contradict each other for no action that some two brokers can take."""

    def possible(replicas: int) -> set[str]:
        opened = subject("ControllerLemmas", replicas)
        (lemma,) = chosen(opened, (QUICK,))
        obligations = obligations_of(opened, lemma, None)
        return {obligation.name for obligation in obligations if not Asker(obligation, SECONDS).impossible()}

    assert possible(ANY) >= possible(2)


COUNTS = """---- MODULE Counts ----
EXTENDS Integers, FiniteSets
CONSTANT Broker
THEOREM Wrong == ASSUME NEW a \\in SUBSET Broker, NEW b \\in SUBSET Broker, NEW x \\in Broker
                 PROVE {goal}
====
"""
FACTS = {
    "Cardinality(a \\cap b) <= Cardinality(a)": True,
    "Cardinality(a \\cup b) >= Cardinality(b)": True,
    "a \\subseteq b /\\ Cardinality(a) >= Cardinality(b) => a = b": True,
    "x \\in a => Cardinality(a \\ {x}) < Cardinality(a)": True,
    "Cardinality(a \\cup {x}) <= Cardinality(a) + 1": True,
    "x \\notin a => Cardinality(a \\cup {x}) = Cardinality(a) + 1": True,
    "Cardinality(a \\cup {x}) <= Cardinality(a)": False,
    "Cardinality(a \\cup b) <= Cardinality(a) + 1": False,
    "Cardinality(a) = 0 <=> a = {}": True,
    "(\\A y, z \\in a : y = z) => Cardinality(a) <= 1": True,
    "Cardinality(IF x \\in b THEN {x} ELSE {}) <= 1": True,
    "(\\A y, z \\in a : y = z) => Cardinality(a) = 1": False,
    "\\A y \\in Broker : Cardinality({z \\in a : z = y}) <= 1": True,
    "\\A y \\in Broker : Cardinality({z \\in a : z = y}) < 2": True,
    "\\A y \\in Broker : Cardinality({z \\in a : z # y}) <= 1": False,
    "\\A y \\in Broker : Cardinality({z \\in a : z = y}) <= 0": False,
    "\\A y \\in a : Cardinality({z \\in a : z = y}) = 1": True,
    "\\A y \\in b : Cardinality({z \\in a : z = y}) = 1": False,
    "\\A y \\in a : Cardinality({z \\in b : z # y}) = 1": False,
    "\\A y \\in a : Cardinality({z \\in a : z = y}) > 0": True,
    "\\A y \\in b : Cardinality({z \\in a : z = y}) >= 1": False,
    "\\A y \\in a : Cardinality({z \\in a : z # y}) # 0": False,
    "\\A y \\in Broker : Cardinality({z \\in a : z = y}) = 0 <=> y \\notin a": True,
    "\\A y \\in a : Cardinality({z \\in a : z = y}) > 1": False,
    "\\A y \\in a : x \\in a /\\ x # y => Cardinality({z \\in a : z = x \\/ z = y}) >= 2": True,
    "x \\in a /\\ Cardinality(a) = 1 => a = {x}": True,
    "Cardinality(a) <= 1 /\\ Cardinality(b) >= 2 => Cardinality(a) < Cardinality(b)": True,
    "2 * Cardinality(a) > Cardinality(Broker) /\\ 2 * Cardinality(b) > Cardinality(Broker) => a \\cap b # {}": True,
    "2 * Cardinality(a) >= Cardinality(Broker) /\\ 2 * Cardinality(b) >= Cardinality(Broker) => a \\cap b # {}": False,
    "Cardinality(a) >= Cardinality(b) => b \\subseteq a": False,
    "Cardinality(a \\cup b) = Cardinality(a) + Cardinality(b)": False,
    "Cardinality(a) < 3": False,
    "Cardinality(a) > 0": False,
}


def answered(folder: Path, module: str, config: str) -> Verdict:
    """About the one lemma of a module, for any number of brokers."""
    spec = folder / f"{module.split()[2]}.tla"
    spec.write_text(module)
    spec.with_suffix(".cfg").write_text(config)
    opened = open_module(spec, spec.with_suffix(".cfg"), Sizes(any=("Broker",)))
    (lemma,) = lemmas_of(opened.model.specification)
    return decide(opened, lemma, SECONDS)


SLOW = (
    "Cardinality(a \\cup b) = Cardinality(a) + Cardinality(b)",
    "2 * Cardinality(a) >= Cardinality(Broker) /\\ 2 * Cardinality(b) >= Cardinality(Broker) => a \\cap b # {}",
)


@pytest.mark.parametrize("goal", every(2, all_but(FACTS, *SLOW)))
def test_cardinality(goal: str, tmp_path: Path) -> None:
    verdict = answered(tmp_path, COUNTS.replace("{goal}", goal), "CONSTANT Broker = {b1, b2, b3, b4}")
    assert verdict.verdict == (PROVED if FACTS[goal] else REFUTED), verdict.reason


NAMES = """---- MODULE Names ----
EXTENDS Integers, FiniteSets
CONSTANTS Broker, None, First
VARIABLES master, score, asked, name, own, members, guests
Init == master = [b \\in Broker |-> None] /\\ score = [b \\in Broker |-> 0] /\\ asked = {} /\\ name = "z"
  /\\ own = [b \\in Broker |-> b] /\\ members = {} /\\ guests = {None}
Follow(b, c) == master' = [master EXCEPT ![b] = c] /\\ UNCHANGED <<score, asked, name, own, members, guests>>
Ask(b, c) == asked' = asked \\cup {[from |-> b, to |-> c]} /\\ UNCHANGED <<master, score, name, own, members, guests>>
Called(n) == name' = n /\\ UNCHANGED <<master, score, asked, own, members, guests>>
Join(b) == members' = members \\cup {b} /\\ guests' = guests \\cup {b} /\\ UNCHANGED <<master, score, asked, name, own>>
Next == \\/ \\E b, c \\in Broker : Follow(b, c) \\/ Ask(b, c) \\/ Ask(b, None) \\/ Join(b)
        \\/ \\E n \\in {"a", "z"} : Called(n)
THEOREM Said == {sentence}
====
"""
ABOUT_NAMES = {
    "\\A b \\in Broker : master[b] \\in Broker \\cup {None}": True,
    "\\A b \\in Broker : master[b] # None => score[master[b]] \\in Int": True,
    "\\A r \\in asked : score[r.from] \\in Int": True,
    "\\A b \\in Broker : score[own[b]] \\in Int": True,
    "ASSUME NEW b \\in Broker, NEW x \\in members PROVE x \\in Broker": True,
    "\\A r \\in asked : r.to # None => score[r.to] \\in Int": True,
    "ASSUME NEW r \\in asked PROVE r.from \\in Broker": True,
    "ASSUME NEW f \\in [Broker -> Nat], NEW b \\in Broker PROVE f[b] >= 0": True,
    "\\A b \\in Broker : master[b] \\in Broker": False,
    "\\A b \\in Broker : score[master[b]] = score[master[b]]": False,
    "\\A b, c \\in Broker : master[b] # None => score[c] = score[master[b]]": False,
    "\\A r \\in asked : score[r.to] \\in Int": False,
    "\\A r \\in asked : r.to \\in Broker": False,
    "score[First] \\in Int": False,
    "score[None] \\in Int": False,
    "First \\in Broker": False,
    "None \\notin Broker": False,
    "Broker # {}": False,
    "ASSUME Broker = {} PROVE FALSE": False,
    "ASSUME Broker = {}, Next PROVE FALSE": False,
    "ASSUME Broker = {} PROVE asked # {}": False,
    'name \\in Broker \\cup {"z"}': False,
    '\\A x \\in STRING : x \\in Broker \\cup {"z"}': False,
    "ASSUME NEW S \\in SUBSET Broker, NEW f \\in [S -> Nat] PROVE S = Broker": False,
    "ASSUME NEW b \\in Broker, NEW x \\in guests PROVE x \\in Broker": False,
    'ASSUME NEW b \\in Broker, NEW x \\in (IF name = "a" THEN members ELSE guests) PROVE x \\in Broker': False,
}


@pytest.mark.parametrize("brokers", ["b1, b2", '"a", "b"'])
@pytest.mark.parametrize("sentence", every(2, ABOUT_NAMES))
def test_names(sentence: str, brokers: str, tmp_path: Path) -> None:
    """What names a broker under the configuration does under any, what may be another name may; no broker need be."""
    spec, config = tmp_path / "Names.tla", tmp_path / "Names.cfg"
    spec.write_text(NAMES.replace("{sentence}", sentence))
    first = brokers.partition(",")[0]
    config.write_text(f"INIT Init\nNEXT Next\nCONSTANTS\n  Broker = {{{brokers}}}\n  None = none\n  First = {first}\n")
    opened = open_module(spec, config, Sizes(any=("Broker",)))
    (lemma,) = lemmas_of(opened.model.specification)
    try:
        proved = all(part.verdict == PROVED for part in prove_parts(opened, lemma, SECONDS))
    except Untranslatable:
        proved = False
    # brokers that are strings may be any other string, since the module may say it
    assert proved == (ABOUT_NAMES[sentence] and ("b1" in brokers or "f[b]" in sentence))


ASKED = """---- MODULE Asked ----
EXTENDS Integers, FiniteSets
CONSTANT Broker
VARIABLE asked
By(x, members) == [from |-> x, members |-> members]
Init == asked = {}
Next == \\E x \\in Broker, a \\in SUBSET Broker : asked' = asked \\cup {By(x, a)}
THEOREM Said == ASSUME NEW a \\in SUBSET Broker, NEW b \\in SUBSET Broker, NEW x \\in Broker
                PROVE {goal}
====
"""
ABOUT_ASKED = {
    "By(x, a \\ {x}) \\in asked => \\E r \\in asked : r.members \\subseteq a /\\ x \\notin r.members": True,
    "(\\A r \\in asked : r.members # a \\cap b) => By(x, a \\cap b) \\notin asked": True,
    "By(x, {y \\in a : y # x}) \\in asked <=> By(x, a \\ {x}) \\in asked": True,
    "asked = {} => By(x, a \\cup b) \\notin asked": True,
    "By(x, {}) \\in asked => \\E r \\in asked : r.members = {}": True,
    "x \\in a /\\ (\\A y \\in a : By(x, a \\ {y}) \\in asked) => \\E r \\in asked : r.members = a \\ {x}": True,
    "asked \\cup {By(x, a \\ b)} = asked => By(x, a \\ b) \\in asked": True,
    "By(x, a \\ {x}) \\in asked => By(x, a) \\in asked": False,
    "By(x, a \\ {x}) \\notin asked": False,
    "By(x, a \\cap b) \\in asked": False,
    "By(x, a \\cup b) \\in asked => a \\subseteq b": False,
    "\\A y \\in a : By(x, a \\ {y}) \\notin asked": False,
    "\\A y \\in a : By(x, a \\ {y}) \\in asked => By(x, a \\ {x}) \\in asked": False,
}


@pytest.mark.parametrize("goal", list(ABOUT_ASKED))
def test_a_set_that_is_no_term_is_looked_for_in_a_set(goal: str, tmp_path: Path) -> None:
    """A difference, a filter and the like, as a part of a record; one with a bound variable in it, too."""
    verdict = answered(tmp_path, ASKED.replace("{goal}", goal), "INIT Init NEXT Next CONSTANT Broker = {b1, b2, b3}")
    assert (verdict.verdict == PROVED) == ABOUT_ASKED[goal], verdict.reason


def test_what_is_stated_about_cardinality_is_true() -> None:
    """The facts that the translation states, for all sets of up to four."""
    whole = range(4)
    every = [frozenset(c) for n in range(5) for c in combinations(whole, n)]
    for part, other in product(every, every):
        if part <= other:
            assert len(part) <= len(other)
            assert len(other) > len(part) or other <= part
            assert len(other) > len(part) + 1 or len(other - part) <= 1
        for third in every:
            if part <= third and other <= third and not part & other:
                assert len(part) + len(other) <= len(third)


def test_the_command() -> None:
    path = str(bundled("ConfirmOffsetLemmas.tla"))
    result = CliRunner().invoke(command, [path, "--lemma", "CleanElectionKeepsConfirm", "--replicas", "any"])
    assert result.exit_code == 0, result.output
    assert "For any finite Broker" in result.output
    assert CliRunner().invoke(command, [path, "--replicas", "many"]).exit_code == 2


LEASES = """---- MODULE Leases ----
EXTENDS Integers, FiniteSets
CONSTANTS Client, Resource, Nobody
VARIABLES holder, wants, log
Init == holder = [r \\in Resource |-> Nobody] /\\ wants = [c \\in Client |-> {}] /\\ log = {}
Ask(c, r) == wants' = [wants EXCEPT ![c] = @ \\cup {r}] /\\ UNCHANGED <<holder, log>>
Grant(c, r) == /\\ holder[r] = Nobody /\\ r \\in wants[c]
               /\\ holder' = [holder EXCEPT ![r] = c] /\\ log' = log \\cup {[by |-> c, of |-> r]} /\\ UNCHANGED wants
Release(r) == holder' = [holder EXCEPT ![r] = Nobody] /\\ UNCHANGED <<wants, log>>
Forget(c, r) == wants' = [wants EXCEPT ![c] = @ \\ {r}] /\\ UNCHANGED <<holder, log>>
Next == \\/ \\E c \\in Client, r \\in Resource : Ask(c, r) \\/ Grant(c, r)
        \\/ \\E r \\in Resource : Release(r)
Careless == Next \\/ \\E c \\in Client, r \\in Resource : Forget(c, r)
HeldIsWanted == \\A r \\in Resource : holder[r] # Nobody => r \\in wants[holder[r]]
HeldIsLogged == \\A r \\in Resource : holder[r] # Nobody => [by |-> holder[r], of |-> r] \\in log
THEOREM Said == {sentence}
====
"""
ABOUT_LEASES = {
    "ASSUME Before:: HeldIsWanted, Next PROVE HeldIsWanted'": True,
    "ASSUME Before:: HeldIsLogged, Next PROVE HeldIsLogged'": True,
    "ASSUME Init PROVE HeldIsWanted": True,
    "\\A r \\in Resource : holder[r] \\in Client \\cup {Nobody}": True,
    "\\A e \\in log : e.by \\in Client /\\ e.of \\in Resource": True,
    "ASSUME NEW c \\in Client PROVE \\A r \\in wants[c] \\cap Resource : holder[r] \\in Client \\cup {Nobody}": True,
    "ASSUME Before:: HeldIsWanted, Careless PROVE HeldIsWanted'": False,
    "\\A r \\in Resource : holder[r] \\in Client": False,
    "\\A e \\in log : e.by \\in Resource": False,
    "ASSUME NEW c \\in Client PROVE holder[c] = holder[c]": False,
    "Cardinality(Client) = 2": False,
    "Cardinality(Client) >= Cardinality(Resource)": False,
    "Client \\cap Resource = {}": False,
    "Client # {} \\/ Resource # {}": False,
}


def leases(folder: Path, sentence: str = "TRUE", config: str = "") -> tuple[Path, Path]:
    spec, given = folder / "Leases.tla", folder / "Leases.cfg"
    spec.write_text(LEASES.replace("{sentence}", sentence))
    given.write_text(
        config
        or "INIT Init NEXT Careless\nCONSTANTS\n  Client = {ann, bob}\n  Resource = {disk, tape}\n  Nobody = nobody\n"
    )
    return spec, given


@pytest.mark.parametrize("sentence", list(ABOUT_LEASES))
def test_two_open_sets(sentence: str, tmp_path: Path) -> None:
    """Clients and resources, of both any number."""
    opened = open_module(*leases(tmp_path, sentence), Sizes(any=("Client", "Resource")))
    (lemma,) = lemmas_of(opened.model.specification)
    proved = all(part.verdict == PROVED for part in prove_parts(opened, lemma, SECONDS))
    assert proved == ABOUT_LEASES[sentence]


def test_one_of_two_is_open(tmp_path: Path) -> None:
    """The other one is as the configuration has it, and the verdict says so."""
    for sentence, proved in {"Cardinality(Resource) = 2": True, "Cardinality(Client) = 2": False}.items():
        spec, _ = leases(tmp_path, sentence)
        result = CliRunner().invoke(command, [str(spec), "--any", "Client"])
        assert ("proved for Client of any number, Resource of 2" in " ".join(result.output.split())) == proved
        assert (result.exit_code == 0) == proved, result.output


@pytest.mark.parametrize(
    ("values", "asked", "said"),
    [
        ("Client = {a, b} Resource = {b, c}", ["Client", "Resource"], "Client and Resource have elements in common"),
        ("Client = {1, 2} Resource = {b, c}", ["Client"], "Client is no set of model values or strings"),
        ("Client = {a, b} Resource = {c}", ["Broker"], "There is no constant Broker"),
        ("Client = {a, b} Resource = {c}", [], "no line \\* REPLICAS Name says"),
    ],
)
def test_sets_that_cannot_be_open(values: str, asked: list[str], said: str, tmp_path: Path) -> None:
    spec, _ = leases(tmp_path, config=f"INIT Init NEXT Next CONSTANTS {values} Nobody = nobody")
    options = [word for name in asked for word in ("--any", name)] or ["--replicas", "3"]
    result = CliRunner().invoke(command, [str(spec), *options])
    assert result.exit_code == 151
    assert said in " ".join(result.output.split())


def test_the_line_replicas(tmp_path: Path) -> None:
    """It says which set has so many elements: those that are given first, then others of their kind."""
    config = "\\* REPLICAS Client\nINIT Init NEXT Next CONSTANTS Client = {c1, c2} Resource = {c3, d} Nobody = nobody"
    spec, given = leases(tmp_path, config=config)

    def clients(replicas: int) -> list[str]:
        opened = open_module(spec, given, Sizes(replicas))
        (client,) = (c for c in opened.model.specification.constants if c.name == "Client")
        return sorted(atom.name for atom in opened.elements(client))

    assert clients(1) == ["c1"]
    assert clients(4) == ["c1", "c2", "c4", "c5"]
    assert [c.name for c in open_module(spec, given, Sizes(ANY)).open_sets] == ["Client"]


OTHER = """---- MODULE Other ----
EXTENDS Naturals
CONSTANT Broker
VARIABLE x
Init == x = [b \\in Broker |-> 0]
Next == \\E b \\in Broker : x' = [x EXCEPT ![b] = @ + 1]
Spec == Init /\\ [][Next]_x
\\* Two that are not alike.
THEOREM OtherRises ==
  ASSUME NEW b \\in Broker, NEW s \\in Broker \\ {b}, Further:: x[s] > x[b] /\\ x[b] > 0, Next
  PROVE  x'[s] > 0 /\\ s # b
===="""


def test_a_name_may_come_from_a_set_that_speaks_of_another(tmp_path: Path) -> None:
    """Where an answer about the configuration's set helps, it was an error of the prover."""
    (tmp_path / "Other.tla").write_text(OTHER, encoding="utf-8")
    (tmp_path / "Other.cfg").write_text("SPECIFICATION Spec\nCONSTANT Broker = {b1, b2, b3}\n", encoding="utf-8")
    opened = open_module(tmp_path / "Other.tla", sizes=Sizes(any=("Broker",)))
    (lemma,) = chosen(opened, ("OtherRises",))
    assert decide(opened, lemma, SECONDS).verdict == PROVED
