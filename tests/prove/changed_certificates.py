"""Certificates with a change in them, which a checker has to refuse.

`python -m tests.prove.changed_certificates DIR SIGNATURES NUMBER MODULE.tla...` changes the certificates in DIR of the
lemmas of these modules, so many times, and tells how many changes ethos refuses, and which it does not.
"""

from __future__ import annotations

import hashlib
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rmqproof.model.prove.ask import Asked
from rmqproof.model.prove.certificates import Certificates, Refused, outline
from rmqproof.model.prove.modules import chosen, open_module, used_by
from rmqproof.model.prove.recheck import Checker, rechecked

_TOKEN = re.compile(r'\|[^|]*\||"[^"]*"|[()]|[^\s()|"]+')
_LABEL = re.compile(r"@[pt]\d+")
_SHAPE = re.compile(r"[()]|:.*")


@dataclass(frozen=True)
class Pair:
    """A certificate's proof, and the question that it is of, as SMT-LIB."""

    question: str
    proof: str


@dataclass(frozen=True)
class Change:
    """`matters`: the derivation of the last step is another one than before."""

    kind: str
    pair: Pair
    matters: bool
    where: str


@dataclass(frozen=True)
class Recorder(Checker):
    """A checker that notes what it accepted."""

    accepted: list[Pair] = field(default_factory=list)

    def complete(self, question: str, proof: str) -> bool:
        found = super().complete(question, proof)
        if found:
            self.accepted.append(Pair(question, proof))
        return found


def certified(folder: Path, signatures: Path, modules: Sequence[Path]) -> list[Pair]:
    """The certificates in a folder of the lemmas of these modules, those about steps left aside."""
    recorder = Recorder.found("ethos", signatures)
    assert isinstance(recorder, Recorder)
    for path in modules:
        subject = open_module(path)
        for lemma in chosen(subject, ()):
            if lemma.expected == "proved" and not lemma.is_about_steps:
                rechecked(Certificates(folder), recorder, subject, lemma, 1.0, used_by(subject, lemma), "", Asked())
    return recorder.accepted


def derivation(proof: str) -> str:
    """A digest of the last step with all it rests on, definitions written out; the same for the same derivation."""
    known: dict[str, str] = {}
    pushed: list[str] = []
    last = ""
    for line in proof.splitlines():
        command, label, *rest = _TOKEN.findall(line)[1:]
        said = [known.get(token, token) for token in rest]
        if command == "step-pop" and pushed:
            said.append(pushed.pop())
        if command == "define":
            known[label] = " ".join(said[2:-1])  # as if it stood there
            continue
        known[label] = last = hashlib.sha256(" ".join([command, *said]).encode()).hexdigest()
        if command == "assume-push":
            pushed.append(last)
    return last


def changes(pairs: Sequence[Pair], number: int, seed: int) -> Iterator[Change]:
    """So many random changes of all kinds."""
    chance = random.Random(seed)
    kinds = list(_KINDS)
    made = 0
    while made < number:
        kind = kinds[made % len(kinds)]
        pair = chance.choice(pairs)
        lines = pair.proof.splitlines()
        if kind == "another question's":
            other = chance.choice(pairs)
            made += other.question != pair.question
            if other.question != pair.question:
                yield Change(kind, Pair(other.question, pair.proof), True, "")
            continue
        at = _KINDS[kind](lines, chance)
        changed = "\n".join(lines) + "\n"
        if at is not None and changed != pair.proof:
            made += 1
            matters = derivation(changed) != derivation(pair.proof)
            yield Change(kind, Pair(pair.question, changed), matters, f"{at}: {lines[at] if at < len(lines) else ''}")


def _drop(lines: list[str], chance: random.Random) -> int | None:
    at = chance.randrange(len(lines))
    del lines[at]
    return at


def _one(lines: list[str], starts: str, chance: random.Random, has: str = "") -> int | None:
    found = [i for i, line in enumerate(lines) if line.startswith(f"({starts}") and re.search(has, line)]
    return chance.choice(found) if found else None


def _premises(line: str) -> list[re.Match[str]]:
    some = re.search(r":premises \(([^()]*)\)", line)
    return [] if some is None else list(_LABEL.finditer(line, *some.span(1)))


def _redirect(lines: list[str], chance: random.Random) -> int | None:
    at = _one(lines, "step", chance, r":premises \(@")
    if at is not None:
        premise = chance.choice(_premises(lines[at]))
        earlier = [line.split()[1] for line in lines[:at] if re.match(r"\((?:assume|step)", line)]
        lines[at] = _put(lines[at], premise, chance.choice(earlier))
    return at


def _swap(lines: list[str], chance: random.Random) -> int | None:
    at = _one(lines, "step", chance, r":premises \(@\S+ @")
    if at is not None:
        first, second = sorted(chance.sample(_premises(lines[at]), 2), key=lambda match: match.start())
        lines[at] = _put(_put(lines[at], second, first[0]), first, second[0])
    return at


def _rule(lines: list[str], chance: random.Random) -> int | None:
    at = _one(lines, "step", chance)
    rules = sorted(set(re.findall(r":rule (\S+)", "\n".join(lines))))
    if at is not None:
        lines[at] = re.sub(r"(?<=:rule )[^\s)]+", lambda _: chance.choice(rules), lines[at])
    return at


def _term(starts: str, has: str = "") -> Callable[[list[str], random.Random], int | None]:
    """One name or number in a command becomes another of those that the proof has."""

    def change(lines: list[str], chance: random.Random) -> int | None:
        at = _one(lines, starts, chance, has)
        if at is None:
            return None
        begin = lines[at].index(":args") if has else len(" ".join(lines[at].split()[:2])) + 1
        atoms = [m for m in _TOKEN.finditer(lines[at], begin) if not _SHAPE.fullmatch(m[0])]
        others = {kind: set[str]() for kind in (0, 1, 2)}
        for line in lines[: at + 1]:
            for token in _TOKEN.findall(line.partition(":rule")[0])[2:]:
                if not _SHAPE.fullmatch(token):
                    others[_class(token)].add(token)
        if not atoms:
            return None
        atom = chance.choice(atoms)
        lines[at] = _put(lines[at], atom, chance.choice(sorted(others[_class(atom[0])] | {atom[0]})))
        return at

    return change


def _class(token: str) -> int:
    return 0 if token.lstrip("-").isdigit() else 1 if _LABEL.fullmatch(token) else 2


def _conclusion(lines: list[str], chance: random.Random) -> int | None:
    at = len(lines) - 1
    lines[at] = re.sub(r"^(\(step @p\d+) false", rf"\1 {chance.choice(['true', '@t1'])}", lines[at])
    return at


def _denied(lines: list[str], chance: random.Random) -> int | None:
    at = _one(lines, "assume ", chance)
    if at is not None:
        lines[at] = re.sub(r"^(\(assume @p\d+) (.*)\)$", r"\1 (not \2))", lines[at])
    return at


def _cut(lines: list[str], chance: random.Random) -> int | None:
    del lines[-1]
    return len(lines)


def _put(line: str, match: re.Match[str], text: str) -> str:
    return line[: match.start()] + text + line[match.end() :]


_KINDS: dict[str, Callable[[list[str], random.Random], int | None]] = {
    "a line dropped": _drop,
    "another premise": _redirect,
    "premises swapped": _swap,
    "another rule": _rule,
    "another term in a step": _term("step", ":args"),
    "another term in a definition": _term("define"),
    "another term in an assumption": _term("assume "),
    "an assumption denied": _denied,
    "another conclusion": _conclusion,
    "the last step dropped": _cut,
    "another question's": _drop,
}


def refusal(change: Change, checker: Checker) -> str | None:
    """Why a change is refused; None: it is not."""
    try:
        holes = outline(change.pair.proof).holes
        return None if checker.complete(change.pair.question, change.pair.proof) and not holes else "it has holes"
    except Refused as reason:
        return str(reason)


def main(folder: str, signatures: str, number: str, *modules: str) -> None:
    pairs = certified(Path(folder), Path(signatures), [*map(Path, modules)])
    checker = Checker.found("ethos", Path(signatures))
    tried: Counter[tuple[str, bool]] = Counter()
    accepted: Counter[tuple[str, bool]] = Counter()
    for change in changes(pairs, int(number), 1):
        tried[change.kind, change.matters] += 1
        if refusal(change, checker) is None:
            accepted[change.kind, change.matters] += 1
            print(
                f"accepted{'' if change.matters else ', and it does not matter'}: {change.kind}: {change.where[:400]}"
            )
    print(f"{len(pairs)} certificates")
    for kind, matters in sorted(tried, key=lambda key: (not key[1], key[0])):
        key = kind, matters
        print(f"{kind}{'' if matters else ' (does not matter)'}: {tried[key] - accepted[key]} of {tried[key]} refused")
    every, missed = (sum(n for (_, matters), n in c.items() if matters) for c in (tried, accepted))
    print(f"of {every} changes that matter {every - missed} are refused")


if __name__ == "__main__":
    main(*sys.argv[1:])
