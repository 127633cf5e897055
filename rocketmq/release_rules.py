"""Which reading of a rule of spec/core/Rules.tla holds on which release: that of AsShipped.tla, and what came or went.
(`TransferEnd` is a rule of AsShipped.tla itself.)

Read from the sources of the releases that `docs/rules.md` has columns for; which of it was seen on their classes is
there, too. Not here is what needs more state than the protocol's models have (`HeaderEpochRemembered`, up to 5.3.x).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from rmqproof.model.tla.library import bundled
from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.maven import version_key

MINORS = ("5.0.0", "5.1.0", "5.1.4", "5.2.0", "5.3.3", "5.4.0", "5.5.0", "5.5.1")
"""Releases that an upgrade is looked at for: the newest patch of each minor one that can be had, and where rules
changed within one."""
OLDEST, NEWEST = MINORS[0], MINORS[-1]
Rules = tuple[tuple[str, str], ...]
"""Rules, each with the operator that stands in its place."""
_DEFINED = re.compile(r"^(\w+)(?:\([^)]*\))?\s*==", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Reading:
    """`operator` is what `rule` says from release `first` to `last`, both with it. `module`: of spec/bugs or
    spec/releases, which tells of it; its RELEASES are these, or those before where the reading is a repair."""

    rule: str
    operator: str
    first: str
    last: str
    module: str

    def holds_on(self, version: str) -> bool:
        return version_key(self.first) <= version_key(version) <= version_key(self.last)


READINGS = (
    Reading("AckSet", "AckSetOfIssue5663", OLDEST, "5.1.0", "Issue5663"),
    Reading("ConfirmWith", "ConfirmWithUpTo51", OLDEST, "5.1.0", "UpTo51"),
    Reading("ReadLimit", "ReadLimitUpTo51", OLDEST, "5.1.0", "UpTo51"),
    Reading("PendingWith", "PendingWithUpTo51", OLDEST, "5.1.0", "UpTo51"),
    Reading("ConfirmAfterRestart", "ConfirmAfterRestartOfIssue6609", OLDEST, "5.1.0", "Issue6609"),
    Reading("RoleAfterRestart", "RoleAfterRestartOfIssue6508", OLDEST, "5.1.0", "Issue6508"),
    Reading("SyncStateSetAtPromotion", "SyncStateSetAtPromotionOfIssue6342", OLDEST, "5.1.0", "Issue6342"),
    Reading("ReadLimit", "ReadLimitOfIssue7441", "5.1.1", "5.1.4", "Issue7441"),
    Reading("TransferEnd", "TransferEndReadAgain", "5.3.4", NEWEST, "Issue9689"),
    Reading("EpochFileAfterHandshake", "EpochFileNeverCut", "5.4.0", NEWEST, "InsufficientTruncation"),
    Reading("SetWhileShrinking", "SetWithoutTheLost", "5.4.0", NEWEST, "InsufficientRemoval"),
)


@cache
def shipped_rules() -> Rules:
    """The rules of `Rules.tla` that `AsShipped.tla` has a reading of."""
    rules = set(_DEFINED.findall(bundled("Rules.tla").read_text(encoding="utf-8")))
    shipped = _DEFINED.findall(bundled("AsShipped.tla").read_text(encoding="utf-8"))
    return tuple((name.removesuffix("AsShipped"), name) for name in shipped if name.removesuffix("AsShipped") in rules)


def rules_of(version: str) -> Rules:
    """The rules that are not the repaired ones on a release; of one newer than is known here those of the newest.

    Raise `RocketmqError` for what is no release of RocketMQ 5."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version) or version_key(version) < version_key(OLDEST):
        raise RocketmqError(
            f"{version} is no release with Controller mode.",
            f"Name one from {OLDEST} on; {NEWEST} is the newest known.",
        )
    known = min(version, NEWEST, key=version_key)
    return tuple(
        (dict(shipped_rules()) | {each.rule: each.operator for each in READINGS if each.holds_on(known)}).items()
    )


def changes_after(version: str) -> list[tuple[str, Rules]]:
    """The newer releases with which rules change, and their rules."""
    found, last = [], rules_of(version)
    for each in MINORS:
        if version_key(each) > version_key(version) and set(rules_of(each)) != set(last):
            last = rules_of(each)
            found.append((each, last))
    return found
