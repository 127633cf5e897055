"""Python runs this at the start of a node's process: the broker dies right after one of its writes, as ARMED says.

The file holds a node's name and the kind of write ("b1 AppendLog"), and is removed by the process that dies.
"""

import os
import signal
import sys
from pathlib import Path

ARMED = "RMQPROOF_TEST_ARMED"

if ARMED in os.environ and "rmqproof.impl.runtime.node" in sys.orig_argv:
    from rmqproof.impl.core.writes import Write
    from rmqproof.impl.storage.broker_store import BrokerStore

    armed, original = Path(os.environ[ARMED]), BrokerStore.do

    def do(store: BrokerStore, write: Write) -> None:
        original(store, write)
        if armed.is_file() and armed.read_text().split() == [store.folder.name, type(write).__name__]:
            armed.unlink()
            os.kill(os.getpid(), signal.SIGKILL)

    BrokerStore.do = do  # type: ignore[method-assign]
