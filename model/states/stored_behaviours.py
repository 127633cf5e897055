"""Behaviours to stored states, for who walks through the model of a store."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING

from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.search.kernel import NotEvaluated
from rmqproof.model.search.spark.java import NoJava
from rmqproof.model.search.spark.session import NoSpark
from rmqproof.model.search.spark.store import StoreError
from rmqproof.model.states.looking import first_state
from rmqproof.model.states.paths import behaviour_to
from rmqproof.model.states.reading import Opened, reader_of
from rmqproof.model.tla.source import TlaError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(slots=True)
class StoredBehaviours:
    """Looks at all states of a store, with Spark, which is started for the first question.

    See `explore.session.Stored`.
    """

    opened: Opened
    start: Callable[[], SparkSession]
    _session: SparkSession | None = None
    _starting: Lock = field(default_factory=Lock)

    @property
    def size(self) -> int:
        return self.opened.manifest.distinct

    def shortest(
        self, expression: str, meanwhile: Callable[[], AbstractContextManager[None]] = nullcontext
    ) -> Behaviour | None:
        """A shortest behaviour to a state of which the expression is true. Raise `TlaError`."""
        try:
            reader_of(self.opened.reading.asking(expression))
            with meanwhile():
                session = self._started()
            reached = first_state(session, self.opened, expression, meanwhile)
            return behaviour_to(self.opened, reached) if reached is not None else None
        except NotEvaluated as error:
            raise TlaError(str(error), kind="evaluation") from None
        except (StoreError, NoJava, NoSpark) as error:
            raise TlaError(str(error), kind="system") from None

    def _started(self) -> SparkSession:
        with self._starting:
            if self._session is None:
                self._session = self.start()
            return self._session
