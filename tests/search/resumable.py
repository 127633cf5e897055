"""A search in a process of its own, for a test to kill: `python -m … FOLDER WORKERS`. Prints the counts at the end."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from toys import two_phase

from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.checkpoint import Checkpoint
from rmqproof.model.search.control import Control
from rmqproof.model.search.system import StateProperty


def committed_everywhere(state) -> bool:
    return all(manager == "committed" for manager in state[0])


def main() -> None:
    folder, workers = Path(sys.argv[1]), int(sys.argv[2])
    checkpoint = Checkpoint(folder, "two-phase commit")
    search = None
    if checkpoint.exists:
        search = checkpoint.load()
        print("resumed", len(search.seen), flush=True)
    control = Control(checkpoint_seconds=0.02)
    system = two_phase(5, invariants=[StateProperty("Open", lambda state: not committed_everywhere(state))])
    run = BreadthFirst(system, workers=workers, block=200, control=control, resume=search)
    control.on_checkpoint = lambda: checkpoint.save(run.search, 0.0)
    result = run.run()
    print("result", result.verdict, result.distinct, result.total, result.depth, [s.action for s in result.behaviour])


if __name__ == "__main__":
    main()
