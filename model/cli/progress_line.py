"""The progress of a search: a live line on a terminal, a plain line every few seconds elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.live import Live
from rich.text import Text

from rmqproof.model.cli.time_left import TimeLeft, in_words
from rmqproof.model.search.control import Control, Progress

LIVE_SECONDS = 0.2
PLAIN_SECONDS = 5.0


@contextmanager
def show_progress(
    control: Control, console: Console, name: str, quiet: bool, left: TimeLeft | None = None
) -> Iterator[None]:
    """Have `control` report to `console` while inside."""
    ending = left or TimeLeft()
    with telling(control, console, lambda progress: progress_text(progress, name, ending), quiet) as tell:
        if not quiet:
            control.on_progress = tell
        yield


@contextmanager
def telling(
    control: Control, console: Console, text: Callable[..., Text], quiet: bool
) -> Iterator[Callable[..., None]]:
    """What writes the text of what it is given; `control` then knows how often that is right for the console."""
    if quiet:
        yield lambda *given: None
    elif console.is_terminal:
        # no refreshing thread: the search forks workers, which must not inherit a lock that a thread holds
        with Live(Text(), console=console, transient=True, auto_refresh=False) as live:
            control.progress_seconds = LIVE_SECONDS
            yield lambda *given: live.update(text(*given), refresh=True)
    else:
        control.progress_seconds = PLAIN_SECONDS
        yield lambda *given: console.print(text(*given), soft_wrap=True)


def progress_text(progress: Progress, name: str, ending: TimeLeft) -> Text:
    text = Text(no_wrap=True, overflow="ellipsis")
    text.append(name, "bold")
    text.append(f"  {progress.total:,} generated, {progress.distinct:,} distinct, ")
    text.append(f"{progress.queue:,} in the queue, depth {progress.depth}, {progress.rate:,.0f} states/s, ")
    text.append(f"{progress.seconds:,.0f} s")
    left = ending.after(progress)
    if left is not None:
        text.append(f", {in_words(left)} left")
    return text
