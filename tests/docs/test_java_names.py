"""What the documents name of RocketMQ's Java was looked up in its sources (tools.docs.java_names)."""

from __future__ import annotations

import re

from tools.docs.java_names import FOUND, SHORT, named, recorded


def unknown(names: dict[str, str]) -> list[str]:
    """Those of a class that is known, which no release is known to have."""
    known = recorded()
    classes = {name.split(".")[0] for name in known}
    return sorted(
        f"{name}: {place}"
        for name, place in names.items()
        if name.split(".")[0] in classes - {"Result"} and name not in known
    )


def test_every_name_was_looked_up() -> None:
    names = named()
    assert len(recorded()) > 140
    assert not unknown(names)
    assert recorded().keys() <= names.keys()


def test_a_name_that_is_in_no_release_is_found() -> None:
    wrong = "BrokerController.handleSlaveSynchronize"
    assert unknown({wrong: "a page"}) == [f"{wrong}: a page"]


def test_the_releases_are_there() -> None:
    head = FOUND.read_text(encoding="utf-8").splitlines()[0]
    releases = re.findall(r"5\.\d+\.\d+", head)
    assert {"5.0.0", "5.1.4", "5.3.3"} <= set(releases)
    assert all(set(where.split()) <= set(releases) for where in recorded().values())
    assert recorded()["ReplicasManager.handleSlaveSynchronize"].split() == releases
    assert "AutoSwitchHAService" in SHORT.values()
