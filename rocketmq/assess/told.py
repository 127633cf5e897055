"""The story of an answer: what the model calls a machine may be a process with a pool of its own."""

from __future__ import annotations

import re

from rmqproof.rocketmq.assess.examination import Answer
from rmqproof.rocketmq.assess.faults import loses_its_pool
from rmqproof.rocketmq.assess.story import story


def told(answer: Answer) -> tuple[str, ...]:
    """One sentence for each step of its behaviour."""
    assert answer.behaviour is not None
    sentences = story(answer.behaviour)
    if not loses_its_pool(answer.deployment.transient_pool, answer.faults):
        return sentences
    return tuple(
        re.sub(r"^The machine of (.+?) fails", r"The process of \1 ends", sentence)
        .replace("which was not flushed", "which was not committed to its file")
        .replace("not flushed yet", "not committed to its file yet")
        if sentence.startswith("The machine of ")
        else sentence
        for sentence in sentences
    )
