"""`conform --engine spark`: the model's graph in a store, and a session whose executors have the implementation."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from rmqproof.conformance.exploration import Elsewhere
from rmqproof.conformance.subject import ModelSubject
from rmqproof.model.checking.options import SparkOptions, SparkUnavailable
from rmqproof.model.checking.spark_engine import search, sources_of
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.search.checkpoint import CheckpointError
from rmqproof.model.search.control import Control
from rmqproof.model.search.result import Verdict
from rmqproof.model.tla.config import read_config
from rmqproof.model.tla.config_file import config_text
from rmqproof.model.tla.core import Model
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
        try:
            found = _is_there(store, subject) or _explore(subject, files, store, options, control, say)
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


def _is_there(store: Store, subject: ModelSubject) -> bool:
    """Whether the store is of this model. Raise `StoreError` where it is of another one."""
    from rmqproof.model.search.spark.store import MANIFEST

    if not store.exists(MANIFEST):
        return False
    texts = {Path(name).name: text for name, text in store.load().model.get("texts", {}).items()}
    mine = {Path(name).name: source.text for name, source in sources_of(subject.model).items()}
    if (
        any(mine.get(name) != text for name, text in texts.items())
        or subject.model.specification.name + ".tla" not in texts
    ):
        raise store.refuse(MANIFEST, "it is of another specification")
    config = config_text(Path(subject.origin.config) if subject.origin.config else None)
    if store.load().model.get("config_text") != config:
        raise store.refuse(MANIFEST, "it is of another configuration")
    given = read_config(Path(subject.origin.config)).single if subject.origin.config else {}
    if not given.keys().isdisjoint(("VIEW", "SYMMETRY")) and store.load().identity != _identity(subject.model, config):
        raise store.refuse(MANIFEST, "the states that VIEW or SYMMETRY identify are one in it")
    return True


def _identity(model: Model, config: str) -> str:
    """Of a search without VIEW and SYMMETRY, as this command makes it. `config`: the text of the configuration."""
    texts = sorted((Path(name).name, source.text) for name, source in sources_of(model).items())
    return blake2b(repr((texts, config)).encode(), digest_size=16).hexdigest()


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
    identity = _identity(model, files.config_text)
    wanted = SparkOptions(options.master, None, store.uri, edges=True)
    result = search(model, system_of(model), identity, files, wanted, control, say)
    return result.verdict is Verdict.SUCCESS
