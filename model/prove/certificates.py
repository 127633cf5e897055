"""cvc5's proofs, one for a question, written down so that a checker which is no solver can read them again.

A certificate is a proof in cvc5's calculus, CPC, in the language Eunoia (https://cvc5.github.io, "Proof Production").
It has no declarations and no axioms: what it names and assumes is in the question, which is not kept with it but made
anew from the lemma wherever the certificate is checked.
"""

from __future__ import annotations

import hashlib
import lzma
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from rmqproof.model.cache import put
from rmqproof.model.prove.pieces import Written
from rmqproof.model.tla.source import TlaError

_HEAD = "rmqproof certificate 1"
_TOKEN = re.compile(r'\|[^|\\]*\||"(?:[^"]|"")*"|[()]|;[^\n]*|[^\s()|";]+|\s+')
_COMMANDS = {"define", "assume", "assume-push", "step", "step-pop"}
"""A proof says these and nothing else; above all it declares no rule of its own."""
_LABEL = re.compile(r"@[pt][0-9]+")
"""What a proof may give a name to: neither what the question names nor what the calculus is made of."""
_TRUSTED = "trust"
"""The rule of CPC that concludes anything: a hole."""
_CAUSE = re.compile(r"; trust ([A-Za-z0-9_]+)")
_LARGEST = 1 << 28
"""Bytes of a proof; one that claims to be larger is not unpacked."""


class Refused(ValueError):
    """It is no certificate of the question; the message says why."""


def digest_of(question: Iterable[Written]) -> str:
    """The name of a question: its formulas as they are written, in their order.

    Not as in `ProofCache`, names that merely count make a difference: a proof names them.
    """
    return hashlib.sha256(b"".join(formula.digest for formula in question)).hexdigest()


@dataclass(frozen=True, slots=True)
class Certificate:
    """A proof that the formulas of the question with this digest contradict each other. `solver`: whose it is."""

    question: str
    solver: str
    proof: str


@contextmanager
def _written(path: Path) -> Iterator[None]:
    """Raise `TlaError` where that cannot be written."""
    try:
        yield
    except OSError as error:
        raise TlaError(
            f"a certificate cannot be written: {path}: {error.strerror}",
            remedy="Name another folder with --certificates, or make room.",
            kind="system",
        ) from error


@dataclass(frozen=True, slots=True)
class Certificates:
    """Those in a folder: a file for each, compressed (xz, which notices damage), named by the question's digest."""

    folder: Path

    def has(self, question: str) -> bool:
        """Whether there is one that is not damaged; nothing is said of its proof."""
        try:
            return self.read(question) is not None
        except Refused:
            return False

    @classmethod
    def made(cls, folder: Path) -> Certificates:
        """Those in a folder that is there from now on, also where no question is asked. Raise `TlaError`."""
        with _written(folder):
            folder.mkdir(parents=True, exist_ok=True)
        return cls(folder)

    def keep(self, certificate: Certificate) -> None:
        """Raise `TlaError` where it cannot be written."""
        path = self._path(certificate.question)
        head = f"{_HEAD}\n{certificate.solver}\n{certificate.question}\n"
        with _written(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            put(path, lzma.compress((head + certificate.proof).encode(), check=lzma.CHECK_CRC64))

    def read(self, question: str) -> Certificate | None:
        """The certificate of a question, if there is one. Raise `Refused` where it is damaged or another's."""
        try:
            content = self._path(question).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise Refused(f"it cannot be read: {error.strerror}") from error
        head, solver, of, proof = [*_unpacked(content).split("\n", 3), "", "", ""][:4]
        if head != _HEAD:
            raise Refused("it is no certificate, or one of another version of rmqproof")
        if of != question:
            raise Refused("it is the certificate of another question")
        return Certificate(of, solver, proof)

    def _path(self, question: str) -> Path:
        return self.folder / question[:2] / f"{question[2:]}.cpc.xz"


def _unpacked(content: bytes) -> str:
    unpack = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_LARGEST)
    try:
        text = unpack.decompress(content, _LARGEST)
        if not unpack.eof or unpack.unused_data:
            raise Refused("it is damaged: it does not end where it should")
        return text.decode()
    except (lzma.LZMAError, EOFError, UnicodeDecodeError) as error:
        raise Refused(f"it is damaged: {error}") from error


@dataclass(frozen=True, slots=True)
class Outline:
    """How many steps a proof has, and what it asks to be trusted, each with how often."""

    steps: int
    holes: tuple[tuple[str, int], ...] = ()


def outline(proof: str) -> Outline:
    """What a proof consists of. Raise `Refused` where it is more than definitions, assumptions and steps."""
    steps, trusted = 0, 0
    for command in _commands(proof):
        steps += command[0].startswith("step")
        trusted += any(a == ":rule" and b == _TRUSTED for a, b in pairwise(command))
    causes = Counter(_CAUSE.findall(proof))
    unnamed = trusted - causes.total()
    return Outline(
        steps, (*sorted(causes.items()), *([("unnamed", unnamed)] if unnamed > 0 else [])) if trusted else ()
    )


def _commands(proof: str) -> Iterator[list[str]]:
    """The tokens of each command, without its outermost parentheses."""
    depth, command = 0, list[str]()
    for token in _tokens(proof):
        depth += (token == "(") - (token == ")")
        if depth < 0 or (depth == 0 and token != ")"):
            raise Refused(f"its parentheses do not match at {token[:40]}")
        if depth == 0:
            _allow(command[1:])
            yield command[1:]
            command = []
        else:
            command.append(token)
    if depth:
        raise Refused("it ends within a command")


def _tokens(proof: str) -> Iterator[str]:
    end = 0
    for match in _TOKEN.finditer(proof):
        if match.start() != end:
            break
        end = match.end()
        if not (match[0].isspace() or match[0].startswith(";")):
            yield match[0]
    if end != len(proof):
        raise Refused(f"it has text that is none of a proof: {proof[end : end + 40]!r}")


def _allow(command: list[str]) -> None:
    if not command or command[0] not in _COMMANDS:
        raise Refused(f"a proof has no command {command[0] if command else '()'}")
    if len(command) < 2 or not _LABEL.fullmatch(command[1]):
        raise Refused(f"it gives a meaning to {command[1] if len(command) > 1 else 'nothing'}")
    if command[0] == "define" and command[2:4] != ["(", ")"]:
        raise Refused(f"it defines {command[1]} with parameters")


@dataclass(frozen=True, slots=True)
class Tally:
    """What came out of checking certificates: so many accepted, with so many steps, in so many seconds.

    `with_holes`: so many that are right but for `holes`, what they ask to be trusted. `refused`: the first digits of
    the question's digest and why. Neither counts as a proof.
    """

    checked: int = 0
    steps: int = 0
    seconds: float = 0.0
    with_holes: int = 0
    holes: tuple[tuple[str, int], ...] = ()
    refused: tuple[tuple[str, str], ...] = field(default=())

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.checked + other.checked,
            self.steps + other.steps,
            self.seconds + other.seconds,
            self.with_holes + other.with_holes,
            tuple(sorted((Counter(dict(self.holes)) + Counter(dict(other.holes))).items())),
            self.refused + other.refused,
        )

    def json(self) -> dict[str, object]:
        return {
            "checked": self.checked,
            "steps": self.steps,
            "seconds": round(self.seconds, 3),
            "withHoles": self.with_holes,
            "holes": dict(self.holes),
            "refused": [{"question": question, "reason": reason} for question, reason in self.refused],
        }
