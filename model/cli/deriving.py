"""The kernel that a store was explored with, made again from what the store holds; and the edges by it."""

from __future__ import annotations

from rmqproof.model.checking.spark_kernel import CompiledRecipe, PythonRecipe
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.native.errors import NoCompiler, NotCompilable
from rmqproof.model.native.kernel import kernel_of
from rmqproof.model.native.native_model import NativeModel, permutations_of
from rmqproof.model.search.spark.deriving import derive_edges
from rmqproof.model.search.spark.runner import Runner
from rmqproof.model.search.spark.store import MANIFEST
from rmqproof.model.states.reading import Opened, model_of


def recipe_of(opened: Opened, travels: bool) -> CompiledRecipe | PythonRecipe:
    """Raise `StoreError` where this kernel cannot be made here, `TlaError`."""
    manifest, model = opened.manifest, model_of(opened.reading)
    if manifest.engine != "native":
        return PythonRecipe.of(model, manifest.identity, travels)
    system = system_of(model)
    native = NativeModel(model, model.check_deadlock, group=permutations_of(system), travels=True, arguments=True)
    try:
        native.widen(manifest.model.get("growths", []))
        recipe = CompiledRecipe.of(kernel_of(native), travels)
    except (NoCompiler, NotCompilable) as error:
        raise opened.store.refuse(MANIFEST, f"its kernel cannot be compiled here ({error})") from None
    if recipe.key != manifest.kernel:
        raise opened.store.refuse(MANIFEST, f"another version of rmqproof packed its states ({manifest.tool})")
    return recipe


def derive(opened: Opened, runner: Runner, travels: bool) -> int:
    """Write the edges, and return how many there are. Raise `StoreError`, `TlaError`."""
    recipe = recipe_of(opened, travels)
    return derive_edges(opened.store, opened.manifest, recipe, recipe.kernel().argument_words, runner)
