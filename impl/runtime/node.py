"""The process of one node: `python -m rmqproof.impl.runtime.node DIRECTORY NAME [PARENT_PID]`.

Exit status 0 after a clean stop, 3 if its store or its address cannot be used, 4 if its address is in use, 70 after a
failure.
"""

from __future__ import annotations

import asyncio
import errno
import json
import logging
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rmqproof.impl.runtime.broker_node import BrokerNode
from rmqproof.impl.runtime.codes import IN_USE, UNUSABLE
from rmqproof.impl.runtime.errors import ClusterError
from rmqproof.impl.runtime.layout import Layout, NodeAddress, load_layout
from rmqproof.impl.storage.errors import DamagedFile

if TYPE_CHECKING:
    from rmqproof.impl.runtime.controller_node import ControllerNode

_log = logging.getLogger("rmqproof.node")


def main(arguments: list[str]) -> int:
    folder, name = Path(arguments[0]), arguments[1]
    parent = int(arguments[2]) if len(arguments) > 2 else None
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("pysyncobj").setLevel(logging.WARNING)
    try:
        asyncio.run(_run(folder, name, parent))
    except (DamagedFile, ClusterError) as problem:
        _log.error("%s", problem)
        return UNUSABLE
    except ImportError as problem:
        _log.error("%s. Install what is missing with: pip install 'rmqproof[cluster]'", problem)
        return UNUSABLE
    except OSError as problem:
        _log.error("%s cannot run: %s", name, problem)
        return IN_USE if problem.errno == errno.EADDRINUSE else UNUSABLE
    return 0


async def _run(folder: Path, name: str, parent: int | None) -> None:
    layout = load_layout(folder)
    node = layout.node(name)
    process = BrokerNode(layout, node) if node.is_broker else _controller(layout, node)
    blocked = layout.partition_file
    if blocked.is_file():
        process.block(json.loads(blocked.read_text()).get(name, []))
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, process.stop)
    watching = asyncio.create_task(_watch(parent))
    _log.info("%s begins at %s", name, node.address)
    await process.run()
    watching.cancel()
    _log.info("%s has ended", name)


def _controller(layout: Layout, node: NodeAddress) -> ControllerNode:
    from rmqproof.impl.runtime.controller_node import ControllerNode  # needs the libraries of the extra "cluster"

    return ControllerNode(layout, node)


async def _watch(parent: int | None) -> None:
    """A node of a test or of a chaos run does not outlive it."""
    while parent is not None:
        if os.getppid() != parent:
            os._exit(1)
        await asyncio.sleep(0.5)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
