"""What is known of a release, by the modules of spec/bugs."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from rmqproof.model.cli import main
from rmqproof.rocketmq.assess.known import all_known, known_lines, spans_of


@pytest.mark.parametrize(
    ("said", "spans"),
    [
        ("5.1.1 to 5.3.3; fixed in 5.4.0", (("5.1.1", "5.3.3"),)),
        ("5.0.0 and 5.1.0; fixed in 5.1.1", (("5.0.0", "5.0.0"), ("5.1.0", "5.1.0"))),
        ("5.0.0 to 5.5.1, by the sources of 5.0.0, 5.1.4, 5.3.3 and 5.5.1", (("5.0.0", "5.5.1"),)),
        ("all, with inSyncReplicas=1", (("5.0.0", "5.5.1"),)),
        ("none; fixed before 5.0.0", ()),
        ("reported on 5.3.3", ()),
        ("never in Controller mode; #4449", ()),
    ],
)
def test_releases_as_modules_say_them(said: str, spans: tuple[tuple[str, str], ...]) -> None:
    assert spans_of(said) == spans


def test_an_upgrade_ends_and_brings() -> None:
    lines = list(known_lines("5.3.3", ["lose-acknowledged"], all_ack=True))
    of_it = [line for line in lines if line.startswith("  lose-acknowledged: ")]
    assert any("HeaderEpochRemembered" in line for line in of_it)
    assert not any("InsufficientTruncation" in line for line in of_it)
    (newer,) = (line for line in lines if line.startswith("  5.4.0 is "))
    without, with_ = newer.split(" and with ")
    assert "HeaderEpochRemembered" in without and "InsufficientTruncation" in with_ and "InsufficientRemoval" in with_


def test_a_setting_excludes_what_is_shown_without_it_only() -> None:
    loose = {each.name for each in all_known() if each.without_all_ack}
    assert "Issue7017" in loose
    with_it, without = ("\n".join(known_lines("5.5.0", ["lose-acknowledged"], all_ack=each)) for each in (True, False))
    assert "(Issue7017;" in without and "(Issue7017;" not in with_it


def test_a_version_that_is_none() -> None:
    done = CliRunner().invoke(main, ["assess", __file__, "--rocketmq", "newest"])
    assert done.exit_code == 2 and "no release" in done.output
