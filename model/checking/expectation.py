"""What a configuration says should happen: `\\* EXPECT safety failure AckedDurability depth 17`.

    EXPECT <result> [<name of the violated property>] [depth N] [distinct N] [total N]

The result is in the words of the tlaplus/Examples manifest; depth, distinct and total are TLC's three counts.
"""

from __future__ import annotations

import re

from rmqproof.model.records import dataclass
from rmqproof.model.search.result import Verdict

_COUNTS = ("depth", "distinct", "total")
_LINE = re.compile(r"^[ \t]*\\\*[ \t]*EXPECT\b[ \t]*(.*?)[ \t]*$", re.MULTILINE)
_SHAPE = re.compile(
    rf"(?P<verdict>{'|'.join(Verdict)})(?:\s+(?!(?:{'|'.join(_COUNTS)})\b)(?P<name>[\w!]+))?"
    rf"(?P<counts>(?:\s+(?:{'|'.join(_COUNTS)})\s+[\d,_]+)*)"
)
_GRAMMAR = f"EXPECT {'|'.join(Verdict)} [PROPERTY] [depth N] [distinct N] [total N]"


class ExpectationError(ValueError):
    """An EXPECT line that cannot be read; the message shows the grammar."""


@dataclass(frozen=True, slots=True)
class Expectation:
    verdict: Verdict
    name: str = ""
    counts: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        return " ".join((self.verdict, *([self.name] if self.name else []), *(f"{k} {n}" for k, n in self.counts)))

    def difference(self, verdict: Verdict, name: str, counts: dict[str, int]) -> str:
        """What happened otherwise than expected; empty when all is as expected."""
        if verdict != self.verdict:
            return f"expected {self.verdict}{self._named()}, got {verdict}{f' {name}' if name else ''}"
        if self.name and name != self.name:
            return f"expected a {self.verdict} of {self.name}, got one of {name or 'nothing that has a name'}"
        wrong = [f"{key} {count:,}, got {counts[key]:,}" for key, count in self.counts if counts[key] != count]
        return "expected " + "; ".join(wrong) if wrong else ""

    def _named(self) -> str:
        return f" {self.name}" if self.name else ""


def read_expectation(config: str) -> Expectation | None:
    """The expectation in the text of a configuration; None when it has none."""
    lines = _LINE.findall(config)
    if not lines:
        return None
    if len(lines) > 1:
        raise ExpectationError("there is more than one EXPECT line")
    return parse_expectation(lines[0])


def parse_expectation(text: str) -> Expectation:
    """`text` is what follows EXPECT. Raise `ExpectationError`."""
    match = _SHAPE.fullmatch(text)
    if match is None:
        raise ExpectationError(f"`EXPECT {text}` cannot be read; the form is: {_GRAMMAR}")
    words = match["counts"].split()
    counts = tuple((key, int(re.sub("[,_]", "", n))) for key, n in zip(words[::2], words[1::2], strict=True))
    return Expectation(Verdict(match["verdict"]), match["name"] or "", counts)
