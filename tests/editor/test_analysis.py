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


def test_what_is_wrong_in_a_configuration(tmp_path: Path) -> None:
    """Whatever it is called, and also where that is seen in the module only."""
    (tmp_path / "Typed.tla").write_text(
        "---- MODULE Typed ----\nCONSTANT C\nVARIABLE x\nInit == x = C\nNext == x' = x\n====\n"
    )
    config = tmp_path / "Other.cfg"
    config.write_text("\\* SPEC Typed.tla\nINIT Init\n")
    given = config.read_text() + "NEXT Next\nCONSTANT C = 1\n"
    for text, line, said in (
        (given, 0, ""),
        (given.replace("INIT Init", "INIT Inti"), 2, "Did you mean Init?"),
        (given.replace("C = 1", "C 1"), 4, "Expected ="),
        (given.replace("CONSTANT C = 1", ""), 2, "constant C has no value"),
    ):
        found = Module(config, {config: text}).problems
        assert len(found) == bool(line), text
        for each in found:
            assert each.at.line == line and said in each.message + each.remedy


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


def test_a_module_is_defined_in_the_file_beside(tmp_path: Path) -> None:
    (tmp_path / "Low.tla").write_text("(* Below. *)\n---- MODULE Low ----\nBottom == 1\n====\n")
    upper = tmp_path / "Up.tla"
    upper.write_text("---- MODULE Up ----\nEXTENDS Naturals, Low\nTwo == Bottom + 1\nThree == Bottom +\n====\n")
    for text in (upper.read_text(), upper.read_text().replace("Three == Bottom +\n", "")):  # also while one types
        at = Module(upper, {upper: text}).definition("Low")
        assert at is not None and (Path(at.source.name), at.line, at.column) == (tmp_path / "Low.tla", 2, 13)
    assert Module(upper).definition("Naturals") is None, "it is no file of the user's"


def test_a_variable_of_an_algorithm_is_defined_where_it_is_declared(tmp_path: Path) -> None:
    (tmp_path / "Up.tla").write_text(
        "---- MODULE Up ----\nEXTENDS Naturals\n(* --algorithm Up\nvariables\n  x = 0;\nbegin\n  A: x := 1;\n"
        "end algorithm *)\nLow == x < 2\n====\n"
    )
    at = Module(tmp_path / "Up.tla").definition("x")
    assert at is not None and at.in_file[:2] == (5, 3)


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


def test_a_real_client_renames_and_checks(tmp_path: Path) -> None:
    """It asks where a name is used, gives it another one, and checks a configuration."""
    client_of = pytest.importorskip("pygls.lsp.client").LanguageClient
    types = pytest.importorskip("lsprotocol.types")
    for name in ("Lock.tla", "Lock.cfg", "LockFixed.cfg"):
        (tmp_path / name).write_text((LOCK.parent / name).read_text())
    smiling = "(* \N{GRINNING FACE} *) "  # which editors count as two
    text = LOCK.read_text().replace("MayTakeIfFree(w)", f"{smiling}MayTakeIfFree(w)")
    (tmp_path / "Lock.tla").write_text(text, encoding="utf-8")
    uri = (tmp_path / "Lock.tla").as_uri()
    identifier = types.TextDocumentIdentifier(uri)
    place = types.Position(10, len(smiling) + 1)

    async def talk() -> dict[str, Any]:
        client = client_of("test", "1")
        told: asyncio.Queue[Any] = asyncio.Queue()
        shown: list[str] = []
        client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda said: told.put_nowait(said))
        client.feature(types.WINDOW_SHOW_MESSAGE)(lambda said: shown.append(said.message))
        client.feature(types.WINDOW_LOG_MESSAGE)(lambda said: None)
        await client.start_io(sys.executable, "-m", "rmqproof", "lsp")
        await client.initialize_async(types.InitializeParams(capabilities=types.ClientCapabilities(), root_uri=None))
        client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "tla", 1, text)))
        await told.get()
        context = types.ReferenceContext(include_declaration=True)
        found: dict[str, Any] = {"shown": shown}
        found["used"] = await client.text_document_references_async(
            types.ReferenceParams(context=context, text_document=identifier, position=place)
        )
        found["edits"] = await client.text_document_rename_async(
            types.RenameParams(text_document=identifier, position=place, new_name="Free")
        )
        try:
            await client.text_document_rename_async(types.RenameParams(identifier, place, "Take"))
        except Exception as refused:
            found["refused"] = str(refused)
        lenses = await client.text_document_code_lens_async(types.CodeLensParams(identifier))
        found["lenses"] = [lens.command.title for lens in lenses]
        found["result"] = await client.workspace_execute_command_async(
            types.ExecuteCommandParams(lenses[0].command.command, lenses[0].command.arguments)
        )
        found["marked"] = await told.get()
        await client.shutdown_async(None)
        client.exit(None)
        await client.stop()
        return found

    found = asyncio.run(asyncio.wait_for(talk(), 120))
    used = [(Path(one.uri).name, one.range.start.line) for one in found["used"]]
    assert used == [("Lock.tla", 10), ("LockFixed.cfg", 8)]
    texts = {Path(file).name: [edit.new_text for edit in edits] for file, edits in found["edits"].changes.items()}
    assert texts == {"Lock.tla": ["Free"], "LockFixed.cfg": ["Free"]}
    ((at, *_),) = (edits for file, edits in found["edits"].changes.items() if file == uri)
    assert (at.range.start.character, at.range.end.character) == (len(smiling) + 1, len(smiling) + 14)
    assert "Take has a meaning already" in found["refused"]
    assert found["lenses"] == ["Check Lock.cfg", "Check LockFixed.cfg"]
    assert found["shown"][0].startswith("Lock.cfg: safety failure, ") and "OneInside is violated" in found["shown"][0]
    (wrong,) = [one for one in found["marked"].diagnostics if one.severity == types.DiagnosticSeverity.Error]
    assert wrong.range.start.line == 43
