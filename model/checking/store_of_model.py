"""Whether a store of states is of a model."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from rmqproof.model.checking.spark_engine import sources_of
from rmqproof.model.tla.config import read_config
from rmqproof.model.tla.config_file import config_text
from rmqproof.model.tla.core import Model

if TYPE_CHECKING:
    from rmqproof.model.search.spark.store import Store


def is_of(store: Store, model: Model, config: Path | None) -> bool:
    """Whether there is a store: it is of the model then, as far as its search has come.

    Raise `StoreError` where it is of another model, or where states are one in it that VIEW or SYMMETRY identify.
    """
    from rmqproof.model.search.spark.store import MANIFEST

    if not store.exists(MANIFEST):
        return False
    texts = {Path(name).name: text for name, text in store.load().model.get("texts", {}).items()}
    mine = {Path(name).name: source.text for name, source in sources_of(model).items()}
    if any(mine.get(name) != text for name, text in texts.items()) or model.specification.name + ".tla" not in texts:
        raise store.refuse(MANIFEST, "it is of another specification")
    text = config_text(config)
    if store.load().model.get("config_text") != text:
        raise store.refuse(MANIFEST, "it is of another configuration")
    given = read_config(config).single if config is not None else {}
    if not given.keys().isdisjoint(("VIEW", "SYMMETRY")) and store.load().identity != plain_identity(model, text):
        raise store.refuse(MANIFEST, "the states that VIEW or SYMMETRY identify are one in it")
    return True


def plain_identity(model: Model, config: str) -> str:
    """Of a search without VIEW and SYMMETRY, as `conform` makes it. `config`: the text of the configuration."""
    texts = sorted((Path(name).name, source.text) for name, source in sources_of(model).items())
    return blake2b(repr((texts, config)).encode(), digest_size=16).hexdigest()
