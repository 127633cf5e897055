"""`conform --engine spark`: the model's graph in a store, and a session whose executors have the implementation."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rmqproof.conformance.exploration import Elsewhere
from rmqproof.conformance.subject import ModelSubject
from rmqproof.model.checking.options import SparkOptions, SparkUnavailable
from rmqproof.model.checking.spark_engine import search
from rmqproof.model.checking.store_of_model import is_of, plain_identity
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.search.checkpoint import CheckpointError
from rmqproof.model.search.control import Control
from rmqproof.model.search.result import Verdict
from rmqproof.model.tla.model_files import ModelFiles

if TYPE_CHECKING:
    from rmqproof.model.search.spark.store import Store


class StoreUnusable(Exception):
    """The store that was named is of another model, or has no edges; the message says what to do."""


@dataclass(frozen=True, slots=True)
class OnSpark:
    """`store` None: a folder that is gone afterwards. `parallel` None: as many tasks at once as there are cores."""

    master: str = "local[*]"
    store: str | None = None
    parallel: int | None = None


@contextmanager
def on_spark(
    subject: ModelSubject,
    files: ModelFiles,
    adapter: str,
    options: OnSpark,
    control: Control,
    say: Callable[[str], None],
) -> Iterator[Elsewhere | None]:
    """The graph and the executors; None where the search was interrupted.

    A store that is there is used, if it is of this model and has its edges. Raise `SparkUnavailable`, `StoreUnusable`.
    """
    try:
        from rmqproof.model.search.spark.session import NoSpark, is_local, local_cores, require_spark, spark_session

        require_spark()
    except (ImportError, NoSpark) as error:
        raise SparkUnavailable(str(error)) from None
    from rmqproof.conformance.spark import elsewhere_of, package
    from rmqproof.model.search.spark.java import NoJava
    from rmqproof.model.search.spark.store import Store, StoreError

    with ExitStack() as stack:
        folder = options.store or stack.enter_context(tempfile.TemporaryDirectory(prefix="rmqproof-states-"))
        store = Store(folder)
        config = Path(subject.origin.config) if subject.origin.config else None
        try:
            found = is_of(store, subject.model, config) or _explore(subject, files, store, options, control, say)
        except (StoreError, CheckpointError) as error:
            raise StoreUnusable(str(error)) from None
        if not found:
            yield None
            return
        try:
            session = stack.enter_context(spark_session(options.master))
        except NoJava as error:
            raise SparkUnavailable(str(error)) from None
        if not is_local(options.master):
            packed = stack.enter_context(tempfile.TemporaryDirectory())
            session.sparkContext.addPyFile(package(Path(packed)))
        parallel = options.parallel or local_cores(options.master) or 16
        try:
            elsewhere = elsewhere_of(session, store, subject, adapter, parallel)
        except StoreError as error:
            raise StoreUnusable(str(error)) from None
        yield elsewhere


def _explore(
    subject: ModelSubject,
    files: ModelFiles,
    store: Store,
    options: OnSpark,
    control: Control,
    say: Callable[[str], None],
) -> bool:
    """Search the model for its graph: no property is looked at. False where it was interrupted."""
    model = replace(
        subject.model,
        view=None,
        symmetry=None,
        invariants=(),
        properties=(),
        check_deadlock=False,
    )
    identity = plain_identity(model, files.config_text)
    wanted = SparkOptions(options.master, None, store.uri, edges=True)
    result = search(model, system_of(model), identity, files, wanted, control, say)
    return result.verdict is Verdict.SUCCESS
