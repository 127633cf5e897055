"""What is asked of a search in machine code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from rmqproof.model.records import dataclass
from rmqproof.model.search.control import Control
from rmqproof.model.search.result import Result

if TYPE_CHECKING:
    from rmqproof.model.judge.judge import Judge

    from .engine import Watch
    from .saved import Folder
    from .wanted import Wanted

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of a search. `engine`: `auto` or `native`; `memory` in bytes; `identity` and `description` name the
    model in `checkpoint`."""

    engine: str = "auto"
    workers: int | None = None
    memory: int | None = None
    fingerprint_bits: int = 64
    checkpoint: Path | None = None
    resume: bool = False
    identity: str = ""
    description: str = ""
    keep_going: bool = False
    """After a violation."""
    watch: Watch | None = None
    """Of a search in machine code."""
    judge: Judge | None = None
    """Looks at states of a success again, and says which engine is right where two differ."""
    labels: Sequence[Wanted] = ()
    """What will be asked of states and steps after the search: one program has it all."""
    inputs: Callable[[], Mapping[str, str]] = dict
    """The files that the model has read so far: see `Checkpoint`."""

    @property
    def folder_exists(self) -> bool:
        """Whether there is a checkpoint of this engine."""
        return self.folder is not None and self.folder.exists

    @property
    def folder(self) -> Folder | None:
        if self.checkpoint is None:
            return None
        from .saved import Folder

        return Folder(self.checkpoint, self.identity, self.description, self.inputs)


class InPython(Protocol):
    """The search in Python: all of it, or with `beginning` what may soon be left to machine code.

    `instead`: of the search in machine code, which may have saved something. It is not resumed, and is forgotten as
    soon as this one has saved.
    """

    def __call__(self, beginning: Control | None = None, instead: bool = False) -> Result: ...
