"""What another thread collects is not taken from under Z3."""

from __future__ import annotations

import subprocess
import sys

ASKED = """
import gc, sys, threading
import z3
from rmqproof.model.prove.ask import Attempt, Extent, ask

def collect():
    while not done.wait(0.0005):
        gc.collect()

gc.freeze()
gc.disable()  # here: the other thread does
done = threading.Event()
other = threading.Thread(target=collect)
other.start()
numbers = z3.Ints("a b c d e f")
for turn in range(int(sys.argv[1])):
    for i in range(300):
        cycle = [numbers[i % 6] * i + numbers[(i + 1) % 6] > turn * 1000 + i]
        cycle.append(cycle)
    order = [numbers[i % 6] + 2 * numbers[(i * 3 + 1) % 6] > numbers[(i * 5 + 2) % 6] + i for i in range(40)]
    print(ask(order, Attempt(1.0, Extent.ALL), 1.0))
done.set()
other.join()
"""


def test_proofs_beside_a_thread_that_collects() -> None:
    """Without `let_go_anywhere` the process ends by a signal in its first turns, or answers wrongly."""
    asked = subprocess.run([sys.executable, "-c", ASKED, "100"], capture_output=True, text=True)
    assert (asked.returncode, asked.stderr) == (0, "")
    assert asked.stdout.split() == ["sat"] * 100
