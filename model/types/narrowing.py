"""Types made narrower by a claim, and wider so that an iteration ends."""

from __future__ import annotations

from itertools import islice

from .domain import (
    DEEPEST,
    MOST_PARTS,
    NOTHING,
    UNKNOWN,
    Enum,
    Function,
    Int,
    Nothing,
    Record,
    Seq,
    Set,
    Text,
    Tuple,
    Type,
    Union,
    Unknown,
    all_parts,
    as_sequence,
    join_all,
    kind,
    larger,
    members_of,
    set_of,
    smaller,
)


def clamp(type_: Type, claim: Type) -> Type:
    """`type_` with the bounds that `claim` adds; where the two do not fit each other, `type_`."""
    if isinstance(type_, Unknown):
        return claim
    if isinstance(claim, Unknown):
        return type_
    match type_, claim:
        case Int(), Int():
            low, high = larger(type_.low, claim.low), smaller(type_.high, claim.high)
            return type_ if low is not None and high is not None and low > high else Int(low, high)
        case Text(), Enum():
            return claim
        case Enum(), Enum():
            common = type_.atoms & claim.atoms
            return Enum(common) if common else type_
        case Set(), Set():
            if isinstance(type_.element, Nothing):
                return type_
            most = smaller(type_.most, claim.most)
            element = clamp(type_.element, claim.element)
            return set_of(element, most, type_.full and element == type_.element)
        case Record(), Record() if type_.names == claim.names:
            return Record(tuple((n, clamp(t, c)) for (n, t), (_, c) in zip(type_.fields, claim.fields, strict=True)))
        case Tuple(), Tuple() if len(type_.items) == len(claim.items):
            return Tuple(tuple(clamp(t, c) for t, c in zip(type_.items, claim.items, strict=True)))
        case Tuple(), Seq():
            return Tuple(tuple(clamp(t, claim.element) for t in type_.items))
        case Seq(), Tuple() if type_.most is None or type_.most >= len(claim.items) >= type_.least:
            return Tuple(tuple(clamp(type_.element, c) for c in claim.items))
        case Seq(), Seq():
            most = smaller(type_.most, claim.most)
            least = max(type_.least, claim.least)
            if most is not None and least > most:
                return type_
            return Seq(clamp(type_.element, claim.element), least, most)
        case Function(), Function():
            key = clamp(type_.key, claim.key)
            total = (type_.total and key == type_.key) or (claim.total and key == claim.key)
            return Function(key, clamp(type_.value, claim.value), total)
        case Function(), Seq() if claim.least == claim.most and claim.most is not None:
            return Seq(clamp(type_.value, claim.element), claim.least, claim.most)
    if isinstance(type_, Union) or isinstance(claim, Union):
        claims = {kind(member): member for member in members_of(claim)}
        kept = [clamp(t, claims[kind(t)]) for t in members_of(type_) if kind(t) in claims]
        return join_all(kept) if kept else type_
    return type_


def widen(old: Type, new: Type, landmarks: tuple[int, ...]) -> Type:
    """`new`, with every bound that grew since `old` moved out to the next landmark or to infinity."""
    match old, new:
        case Int(), Int():
            low, high = new.low, new.high
            if low is not None and (old.low is None or low < old.low):
                low = max((mark for mark in landmarks if mark <= low), default=None)
            if high is not None and (old.high is None or high > old.high):
                high = min((mark for mark in landmarks if mark >= high), default=None)
            return Int(low, high)
        case Set(), Set():
            most = new.most if new.most == old.most else None
            return set_of(widen(old.element, new.element, landmarks), most, new.full)
        case Seq(), Seq():
            grew = new.most is None or old.most is None or new.most > old.most
            return Seq(widen(old.element, new.element, landmarks), new.least, None if grew else new.most)
        case Tuple(), Tuple() if len(old.items) == len(new.items):
            return Tuple(tuple(widen(s, t, landmarks) for s, t in zip(old.items, new.items, strict=True)))
        case Record(), Record() if old.names == new.names:
            return Record(
                tuple((n, widen(s, t, landmarks)) for (n, s), (_, t) in zip(old.fields, new.fields, strict=True))
            )
        case Function(), Function():
            return Function(widen(old.key, new.key, landmarks), widen(old.value, new.value, landmarks), new.total)
    if isinstance(old, Tuple | Seq) and isinstance(new, Seq):
        sequence = as_sequence(old)
        assert sequence is not None
        return widen(sequence, new, landmarks)
    if isinstance(new, Union):
        before = {kind(member): member for member in members_of(old)}
        return join_all([widen(before.get(kind(m), NOTHING), m, landmarks) for m in new.members])
    return new


def depth(type_: Type) -> int:
    match type_:
        case Set() | Seq():
            return 1 + depth(type_.element)
        case Function():
            return 1 + max(depth(type_.key), depth(type_.value))
        case Tuple():
            return 1 + max((depth(item) for item in type_.items), default=0)
        case Record():
            return 1 + max((depth(field) for _, field in type_.fields), default=0)
        case Union():
            return max(depth(member) for member in type_.members)
    return 0


def integer_bounds(type_: Type) -> list[int]:
    """The ends of all ranges of integers in the type."""
    ranges = [part for part in all_parts(type_) if isinstance(part, Int)]
    return [bound for part in ranges for bound in (part.low, part.high) if bound is not None]


def shallow(type_: Type) -> Type:
    """`type_`, or Unknown when it is nested too deeply, or has too many parts: messages that hold messages."""
    deep = depth(type_)
    if deep > DEEPEST or (deep > DEEPEST // 3 and next(islice(all_parts(type_), MOST_PARTS, None), None) is not None):
        return UNKNOWN
    return type_
