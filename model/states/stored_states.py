"""What is asked of all states of a store, by who walks through its model or looks for an invariant."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from threading import Lock, Thread
from typing import TYPE_CHECKING, TypeVar

from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.search.kernel import NotEvaluated
from rmqproof.model.search.spark.java import NoJava
from rmqproof.model.search.spark.session import NoSpark, without_log
from rmqproof.model.search.spark.spark_runner import spark_errors, understood
from rmqproof.model.search.spark.store import StoreError
from rmqproof.model.search.system import State
from rmqproof.model.states.looking import first_state, first_states
from rmqproof.model.states.paths import behaviour_to
from rmqproof.model.states.reading import Opened, reader_of
from rmqproof.model.tla.source import TlaError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


_Found = TypeVar("_Found")


@dataclass(slots=True)
class StoredStates:
    """Looks at all states of a store, with Spark, which is started for the first question.

    See `explore.session.Stored` and `infer.finding.Stored`. What Spark cannot do is a `TlaError`.
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
        with _told():
            reader_of(self.opened.reading.asking(expression))
            with meanwhile():
                session = self._started()
            reached = first_state(session, self.opened, expression, meanwhile)
            return behaviour_to(self.opened, reached) if reached is not None else None

    def failing(self, formulas: Sequence[str]) -> list[State | None]:
        """For each formula a state in which it is false, or has no value; None where it holds in all. One job."""
        with _told():
            negations = [f"~({formula})" for formula in formulas]
            found = self._apart(lambda session: first_states(session, self.opened, negations, careful=True))
            reader = reader_of(self.opened.reading)
            return [None if state is None else reader.state(state.record) for state in found]

    def _apart(self, job: Callable[[SparkSession], _Found]) -> _Found:
        """What a job of Spark's finds. Ctrl-C ends the job, and is not for who talks to Spark, who would log it."""
        found: Future[_Found] = Future()

        def work() -> None:
            try:
                found.set_result(job(self._started()))
            except BaseException as error:
                found.set_exception(error)

        worker = Thread(target=work, daemon=True)
        try:
            worker.start()
            return found.result()
        except KeyboardInterrupt:
            with without_log():
                while worker.is_alive():
                    with suppress(KeyboardInterrupt):  # which is raised again and again
                        if self._session is not None:
                            self._session.sparkContext.cancelAllJobs()
                        worker.join(1.0)
            raise

    def _started(self) -> SparkSession:
        with self._starting:
            if self._session is None:
                self._session = self.start()
            return self._session


@contextmanager
def _told() -> Iterator[None]:
    """What is wrong with a question or with Spark, as a `TlaError`."""
    try:
        yield
    except NotEvaluated as error:
        raise TlaError(str(error), kind="evaluation") from None
    except (StoreError, NoJava, NoSpark) as error:
        raise TlaError(str(error), kind="system") from None
    except Exception as error:
        if not isinstance(error, spark_errors()):  # which are known only where there is a Spark
            raise
        raise TlaError(str(understood(error)), kind="system") from None
