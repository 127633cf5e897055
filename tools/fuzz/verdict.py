"""What a checker says of a specification, in the words that all of them share."""

from __future__ import annotations

from dataclasses import dataclass

ERROR, SUCCESS = "error", "success"


@dataclass(frozen=True, slots=True)
class Report:
    """`depth`: of the graph when the search was whole, else the length of the behaviour. `detail` is not compared."""

    verdict: str
    distinct: int | None = None
    total: int | None = None
    depth: int | None = None
    violated: str = ""
    detail: str = ""

    def __str__(self) -> str:
        if self.verdict == ERROR:
            return ERROR
        name = f" {self.violated}" if self.violated else ""
        return f"{self.verdict}{name} distinct {self.distinct} total {self.total} depth {self.depth}"

    def differs(self, other: Report) -> bool:
        if self.verdict != other.verdict:
            return True
        if self.verdict == ERROR:
            return False
        mine, its = (self.distinct, self.total, self.depth), (other.distinct, other.total, other.depth)
        if any(a is not None and b is not None and a != b for a, b in zip(mine, its, strict=True)):
            return True
        return bool(self.violated and other.violated and self.violated != other.violated)
