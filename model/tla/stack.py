"""Room for deep recursion on the main thread's stack."""

from __future__ import annotations

import sys

_WANTED = 64 * 1024 * 1024
"""Linux keeps at least 128 MiB free below a main thread's stack, whatever its limit was when the process began."""


def grow_stack() -> None:
    """Let the main thread's stack grow further, where the system looks at the limit when it grows.

    Calls from Python through C (`any`, `max`, `map`) take C's stack, whatever Python's own limit on recursion says.
    """
    if sys.platform != "linux":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    wanted = _WANTED if hard == resource.RLIM_INFINITY else min(_WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_STACK, (wanted, hard))
