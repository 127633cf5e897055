"""How many states may be left, from the sizes of the levels so far."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

LOOK_BACK = 8
MOST_LEVELS = 500


def estimate(levels: Sequence[int]) -> int | None:
    """States to come, unexplored levels together; None where the levels do not yet tell.

    The logarithms of the sizes of levels mostly lie on a parabola that opens downwards: it is fitted to the last few
    and continued. A guess for a progress line, and no more.
    """
    recent = levels[-LOOK_BACK:]
    if len(recent) < 4 or min(recent) < 1:
        return None
    numbers = np.arange(len(recent))
    curve = np.polyfit(numbers, np.log(recent), 2)
    if curve[0] >= 0:
        return None
    ahead = np.arange(len(recent), len(recent) + MOST_LEVELS)
    sizes = np.exp(np.minimum(np.polyval(curve, ahead), 60.0))
    return int(sizes[sizes >= 1].sum())
