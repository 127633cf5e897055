"""A module while it is typed: what is wrong, what a name is, where it is defined."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from rmqproof.model.editor.analysis import Module

LOCK = Path(__file__).parents[2] / "docs" / "tutorial" / "Lock.tla"


def typed(text: str, **others: str) -> Module:
    folder = Path("typed")
    texts = {folder / f"{name}.tla": other for name, other in others.items()}
    return Module(folder / "Typed.tla", {folder / "Typed.tla": text, **texts})


def test_what_is_wrong_while_it_is_typed() -> None:
    good = "---- MODULE Typed ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\n====\n"
    assert typed(good).problems == ()
    (open_end,) = typed(good.replace("x = 0", "x = (0")).problems
    assert (open_end.at.line, open_end.warning) == (5, False)
    several = typed(good.replace("x = 0", "x = nul\nNext == y' = 1")).problems
    assert [(one.message, one.at.line, one.at.column) for one in several] == [
        ("nul is not known here", 4, 13),
        ("y is not known here", 5, 9),
    ]


def test_what_is_wrong_in_a_module_that_is_extended() -> None:
    other = "---- MODULE Other ----\nA == B\n====\n"
    (found,) = typed("---- MODULE Typed ----\nEXTENDS Other\n====\n", Other=other).problems
    assert (found.message, Path(found.at.source.name).name) == ("B is not known here", "Other.tla")


def test_what_is_suspicious_where_there_is_a_configuration(tmp_path: Path) -> None:
    module = tmp_path / "Typed.tla"
    module.write_text(
        "---- MODULE Typed ----\nVARIABLE x, y\nInit == x = 0 /\\ y = 0\nNext == x' = 1 /\\ y' = 1\n====\n"
    )
    (tmp_path / "Typed.cfg").write_text("INIT Init\nNEXT Next\n")
    found = Module(module).problems
    assert found and all(problem.warning for problem in found)
    (tmp_path / "Typed.cfg").write_text("INIT Init\nNEXT Nex\n")
    (wrong,) = Module(module).problems
    assert wrong.message.startswith("NEXT names Nex") and not wrong.warning


def test_names() -> None:
    lock = Module(LOCK)
    assert lock.about("at") == 'VARIABLE at : [{w1, w2} -> {"idle", "inside", "saw it free"}]'
    assert lock.about("Take") == "Take(w)  (action of Lock)"
    assert lock.about("MayTake").endswith("May a worker take the lock that it saw free?")
    assert lock.about("OneInside").startswith("OneInside : BOOLEAN  (state function of Lock)")
    assert lock.about("w") == ""
    at = lock.definition("Take")
    assert at is not None and at.line == 19
    line = LOCK.read_text().splitlines()[18]
    assert lock.word(19, line.index("Take") + 1) == lock.word(19, 5) == "Take"


def test_a_real_client(tmp_path: Path) -> None:
    """It opens a document, types, hovers and goes to a definition."""
    client_of = pytest.importorskip("pygls.lsp.client").LanguageClient
    types = pytest.importorskip("lsprotocol.types")
    uri = LOCK.as_uri()

    async def talk() -> dict[str, Any]:
        client = client_of("test", "1")
        told: asyncio.Queue[Any] = asyncio.Queue()
        client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda said: told.put_nowait(said))
        await client.start_io(sys.executable, "-m", "rmqproof", "lsp")
        await client.initialize_async(types.InitializeParams(capabilities=types.ClientCapabilities(), root_uri=None))
        text = LOCK.read_text()
        client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "tla", 1, text)))
        found: dict[str, Any] = {"opened": await told.get()}
        change = types.TextDocumentContentChangeWholeDocument(text.replace("holder = Nobody\n", "holder = Nobdy\n", 1))
        document = types.VersionedTextDocumentIdentifier(2, uri)
        client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
        found["typed"] = await told.get()
        back = types.TextDocumentContentChangeWholeDocument(text)
        client.text_document_did_change(types.DidChangeTextDocumentParams(document, [back]))
        await told.get()
        place = types.Position(18, 1)
        identifier = types.TextDocumentIdentifier(uri)
        found["hover"] = await client.text_document_hover_async(types.HoverParams(identifier, place))
        found["defined"] = await client.text_document_definition_async(
            types.DefinitionParams(identifier, types.Position(37, 47))
        )
        await client.shutdown_async(None)
        client.exit(None)
        await client.stop()
        return found

    found = asyncio.run(asyncio.wait_for(talk(), 120))
    assert not found["opened"].diagnostics
    (wrong,) = found["typed"].diagnostics
    assert "Nobdy is not known here" in wrong.message and "Did you mean Nobody?" in wrong.message
    assert found["hover"].contents.value.startswith("Take(w)")
    assert found["defined"].uri == uri
