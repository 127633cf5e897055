"""The table of where each action is taken is whole. That it is true is asked by `test_models`."""

from __future__ import annotations

import re

import pytest

from rmqproof.model.tla.library import bundled
from rmqproof.model.tla.model_files import DEFAULT_GROUP, find_models
from tools.exercised import THREE, TWO, wanted


def actions() -> set[str]:
    """The names in the protocol's next-state action, and that of the interrupted handshake."""
    text = bundled("ControllerMode.tla").read_text(encoding="utf-8")
    (body,) = re.findall(r"^Next ==\n(.*?)^\n", text, re.MULTILINE | re.DOTALL)
    return set(re.findall(r"(?:: |\\/ )(\w+)\(?", body)) - {"Next"} | {"HandshakeIsInterrupted"}


@pytest.mark.parametrize("models", [TWO, THREE], ids=["two", "three"])
def test_the_table_names_every_action(models: dict[str, str]) -> None:
    assert set(" ".join(models.values()).split()) == actions()


@pytest.mark.parametrize("brokers", ["{b1, b2}", "{b1, b2, b3}"])
def test_a_model_has_so_many_brokers(brokers: str) -> None:
    for name in TWO if brokers == "{b1, b2}" else THREE:
        assert f"  Broker = {brokers}\n" in bundled(f"{name}.cfg").read_text(encoding="utf-8"), name


@pytest.mark.parametrize("name", [*TWO, *THREE])
def test_a_model_of_the_table_is_explored_by_default(name: str) -> None:
    (files,) = find_models([bundled(f"{name}.cfg")])
    assert files.group == DEFAULT_GROUP
    assert wanted(name)
