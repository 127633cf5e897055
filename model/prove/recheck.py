"""Lemmas proved again by kept certificates alone: a checker without a solver says that nothing falsifies a question."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import z3

from rmqproof.model.prove.answers import Answer, answer
from rmqproof.model.prove.ask import Asked, Attempt
from rmqproof.model.prove.certificates import Certificates, Refused, Tally, digest_of, outline
from rmqproof.model.prove.decide import GAVE_UP, UNKNOWN
from rmqproof.model.prove.logic import Truth, conjunction
from rmqproof.model.prove.pieces import Texts
from rmqproof.model.prove.proof_cache import ProofCache
from rmqproof.model.prove.second_solver import smt_lib
from rmqproof.model.prove.subject import Subject
from rmqproof.model.prove.theorems import Lemma
from rmqproof.model.prove.ways import Way
from rmqproof.model.tla.source import TlaError

SIGNATURE = "Cpc.eo"
_QUESTION = "(declare-fun p () Bool)\n(declare-fun q () Bool)\n(assert p)\n(assert (not p))\n"
_PROOF = "(assume @p1 p)\n(assume @p2 (not p))\n(step @p3 false :rule contra :premises (@p1 @p2))\n"
_KNOWN = (
    ("a proof", _PROOF, True),
    ("a proof with a hole", "(step @p1 false :rule trust :premises () :args (false))\n", False),
    ("a proof that assumes what is not asserted", _PROOF.replace("p)", "q)"), None),
    ("a wrong step", _PROOF.replace("(@p1 @p2)", "(@p2 @p1)"), None),
    ("a proof of something else", "(assume @p1 p)\n(step @p2 :rule refl :args (p))\n", None),
)
"""What a checker has to accept, to call incomplete and to refuse before it is believed."""
_LONGEST = 600.0
"""Seconds after which a checker is stopped."""


@dataclass(frozen=True, slots=True)
class Checker:
    """ethos (https://github.com/cvc5/ethos) with the rules of cvc5's calculus, the file Cpc.eo."""

    program: str
    signature: Path

    @classmethod
    def found(cls, program: str, signatures: Path | None) -> Checker:
        """`signatures`: the folder of Cpc.eo; None: RMQPROOF_CPC. Raise `TlaError` where something is missing."""
        found = shutil.which(program)
        if found is None:
            raise TlaError(
                f"no checker of certificates: {program} is not there",
                remedy="Build ethos, https://github.com/cvc5/ethos (cmake, a C++ compiler and GMP), and put it on the "
                "PATH or name it with --checker.",
                kind="config",
            )
        if signatures is None and (named := os.environ.get("RMQPROOF_CPC")):
            signatures = Path(named)
        if signatures is None or not (signatures / SIGNATURE).is_file():
            raise TlaError(
                f"the rules of cvc5's proofs are not there: {signatures / SIGNATURE if signatures else SIGNATURE}",
                remedy="They are the folder proofs/eo/cpc of the source of cvc5, https://github.com/cvc5/cvc5, of the "
                "version that made the certificates. Name it with --signatures, or in RMQPROOF_CPC.",
                kind="config",
            )
        checker = cls(found, (signatures / SIGNATURE).absolute())
        wrong = [why for why, proof, expected in _KNOWN if checker._says(proof) is not expected]
        if wrong:
            raise TlaError(
                f"{found} is no checker of certificates: it does not say of {wrong[0]} what it should",
                remedy="Build ethos anew, of the version that cvc5 names in contrib/get-ethos-checker, and take the "
                "folder proofs/eo/cpc from there, too.",
                kind="config",
            )
        return checker

    def _says(self, proof: str) -> bool | None:
        """As `complete` of a small question; None: refused."""
        try:
            return self.complete(_QUESTION, proof)
        except Refused:
            return None

    def complete(self, question: str, proof: str) -> bool:
        """Whether the proof derives false from nothing but assertions of the question; False: with holes.

        `question` is SMT-LIB. Raise `Refused` where it does not.
        """
        with tempfile.TemporaryDirectory(prefix="rmqproof-") as folder:
            asserted, steps = Path(folder) / "question.smt2", Path(folder) / "proof.cpc"
            asserted.write_text(question, encoding="utf-8")
            # Not by the option --reference: that one is forgotten when the proof is opened. Not .eo: that would be a
            # signature, which may declare rules.
            steps.write_text(f'(reference "{asserted.name}")\n{proof}', encoding="utf-8")
            command = [self.program, f"--include={self.signature}"]
            try:
                done = subprocess.run(
                    [*command, "--require-proof-of-false", str(steps)],
                    capture_output=True, text=True, timeout=_LONGEST, check=False, stdin=subprocess.DEVNULL,
                )  # fmt: skip
            except subprocess.TimeoutExpired as error:
                raise Refused(f"the checker had no answer in {_LONGEST:.0f} s") from error
        said = done.stdout.split()[-1:]
        if done.returncode != 0 or said not in (["correct"], ["incomplete"]):
            raise Refused(_reason(done.stderr or done.stdout))
        return said == ["correct"]


def _reason(text: str) -> str:
    """The checker's first line that says what is wrong."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    found = next(
        (line for line in lines if line.startswith("Error:")), lines[0] if lines else "the checker said nothing"
    )
    return found.partition("proof.cpc:")[2][:200] or found[:200]


@dataclass(eq=False)
class Recheck:
    """In the place of a solver: contradicts each other what has a certificate that the checker accepts."""

    certificates: Certificates
    checker: Checker
    tally: Tally = field(default_factory=Tally, init=False)
    _known: dict[str, bool] = field(default_factory=dict, init=False)
    _texts: Texts = field(default_factory=Texts, init=False)

    def first(self, parts: Sequence[Truth], attempt: Attempt, timeout: float) -> z3.CheckSatResult:
        """As `ask`: `unsat` where there is such a certificate, else `unknown`."""
        if conjunction(parts) is False:
            return z3.unsat
        digest = digest_of(map(self._texts.of, parts))
        if digest not in self._known:
            start = time.monotonic()
            found = self._checked(digest, parts)
            self.tally += replace(found, seconds=time.monotonic() - start if found != Tally() else 0.0)
            self._known[digest] = found.checked > 0
        return z3.unsat if self._known[digest] else z3.unknown

    def _checked(self, digest: str, parts: Sequence[Truth]) -> Tally:
        try:
            certificate = self.certificates.read(digest)
            if certificate is None:
                return Tally()
            consists = outline(certificate.proof)
            if self.checker.complete(smt_lib(parts), certificate.proof) and not consists.holes:
                return Tally(checked=1, steps=consists.steps)
            return Tally(with_holes=1, holes=consists.holes or (("unnamed", 1),))
        except Refused as reason:
            return Tally(refused=((digest[:12], str(reason)),))


def _no_values(
    parts: Sequence[Truth], attempt: Attempt, timeout: float
) -> tuple[z3.CheckSatResult, z3.ModelRef | None]:
    return z3.unknown, None


def rechecked(
    certificates: Certificates,
    checker: Checker,
    subject: Subject,
    lemma: Lemma,
    timeout: float,
    used: tuple[Lemma, ...],
    command: str,
    asked: Asked,
    share: tuple[Way, ...] | None = None,
    first: bool = True,
) -> Answer:
    """As `answer`, but no solver is believed: Z3 only looks for values, which the Python engine confirms."""
    recheck = Recheck(certificates, checker)
    without = replace(asked, cache=ProofCache(None), second=None, first=recheck.first, look=_no_values)
    found = answer(subject, lemma, timeout, used, command, without, share, first)
    if found.verdict == UNKNOWN:
        left = "" if found.reason == GAVE_UP else f": {found.reason}"
        found = replace(found, reason=f"there is no certificate that the checker accepts{left}")
    return replace(found, checked=recheck.tally)
