"""The states that `check --engine spark --store` has kept, for a command that asks about them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from rmqproof.model.tla.source import TlaError

if TYPE_CHECKING:
    from rmqproof.model.states.stored_states import StoredStates


@contextmanager
def stored_states(uri: str, master: str) -> Iterator[StoredStates]:
    """They are asked on Spark, which is started for the first question. Raise `TlaError`."""
    from rmqproof.model.search.spark.session import NoSpark, active_session, require_spark, spark_session

    try:
        require_spark()
        from rmqproof.model.search.spark.store import StoreError
        from rmqproof.model.states.reading import Opened
        from rmqproof.model.states.stored_states import StoredStates
    except (ImportError, NoSpark) as error:
        raise TlaError(str(error), kind="system") from None
    try:
        opened = Opened.at(uri)
        active = active_session()  # another thread, in which the questions may be asked, does not see it
        with ExitStack() as later:
            yield StoredStates(opened, lambda: active or later.enter_context(spark_session(master)))
    except StoreError as error:
        raise TlaError(str(error), kind="system") from None
