"""The language server: what `analysis` knows, in the protocol that editors speak."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from rmqproof.model.editor.analysis import Diagnostic, Module
from rmqproof.model.editor.names import Occurrence, Symbol
from rmqproof.model.editor.renaming import CannotRename, Workspace, configurations
from rmqproof.model.editor.running import Ran, run_check
from rmqproof.model.tla.source import Location
from rmqproof.version import VERSION

CHECK = "rmqproof.check"
"""The command that checks the model of a configuration, whose address it is given."""


class Editor:
    """Answers one editor. `server` speaks with it."""

    def __init__(self) -> None:
        self.server: Any = LanguageServer("rmqproof", VERSION)
        self._modules: dict[Path, Module] = {}
        self._marked: dict[str, set[str]] = {}
        """Of each document the files in which something was marked because of it."""
        for name, answer in {
            types.TEXT_DOCUMENT_DID_OPEN: self.changed,
            types.TEXT_DOCUMENT_DID_CHANGE: self.changed,
            types.TEXT_DOCUMENT_DID_SAVE: self.changed,
            types.TEXT_DOCUMENT_HOVER: self.hover,
            types.TEXT_DOCUMENT_DEFINITION: self.definition,
            types.TEXT_DOCUMENT_REFERENCES: self.references,
            types.TEXT_DOCUMENT_RENAME: self.rename,
            types.TEXT_DOCUMENT_CODE_LENS: self.lenses,
        }.items():
            self.server.feature(name)(_plain(answer))
        self.server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)(_plain(self.renameable))
        self.server.command(CHECK)(_awaited(self.check))

    def changed(self, parameters: Any) -> None:
        """Look at every open module again: one may extend another."""
        self._modules.clear()
        for uri in list(self.server.workspace.text_documents):
            self._publish(uri, self._module(uri).problems)

    def hover(self, parameters: Any) -> Any:
        """What the name under the pointer is."""
        module, name = self._named(parameters)
        about = module.about(name) if name else ""
        if not about:
            return None
        return types.Hover(types.MarkupContent(types.MarkupKind.PlainText, about))

    def definition(self, parameters: Any) -> Any:
        """Where the name under the pointer is defined."""
        workspace, found = self._found(parameters)
        if found is not None:
            symbol = found.symbol
            return next((self._place(at) for at in workspace.uses(symbol) if _declares(at, symbol)), None)
        module, name = self._named(parameters)
        at = module.definition(name) if name else None
        if at is None or not Path(at.source.name).is_file():
            return None
        return self._place(at)

    def references(self, parameters: Any) -> Any:
        """Where what is under the pointer is used."""
        workspace, found = self._found(parameters)
        if found is None:
            return None
        places = workspace.uses(found.symbol)
        if not parameters.context.include_declaration:
            places = [at for at in places if not _declares(at, found.symbol)]
        return [self._place(at) for at in places]

    def renameable(self, parameters: Any) -> Any:
        """The name under the pointer, where it can have another one."""
        _, found = self._found(parameters)
        return self._range(found.at) if found is not None else None

    def rename(self, parameters: Any) -> Any:
        """The changes that give it another name."""
        workspace, found = self._found(parameters)
        try:
            if found is None:
                raise CannotRename("Here is no name that the modules of this folder declare.")
            edits = workspace.renamed(found.symbol, parameters.new_name)
        except CannotRename as wrong:
            raise JsonRpcInvalidParams(str(wrong)) from None
        return types.WorkspaceEdit(
            {
                _uri(path): [types.TextEdit(self._exact(edit.at), edit.text) for edit in each]
                for path, each in edits.items()
            }
        )

    def lenses(self, parameters: Any) -> Any:
        """Above a module the configurations to check it with, above a configuration itself."""
        path = _path(parameters.text_document.uri)
        top = types.Range(types.Position(0, 0), types.Position(0, 0))
        return [
            types.CodeLens(top, types.Command(f"Check {config.name}", CHECK, arguments=[_uri(config)]))
            for config in configurations(path)
        ]

    async def check(self, uri: str) -> Any:
        """Check the model of a configuration; tell the verdict, and mark what is violated."""
        config = _path(uri)
        ran = await run_check(config)
        kind = types.MessageType.Info if ran.status == 0 else types.MessageType.Warning
        self.server.window_log_message(types.LogMessageParams(kind, ran.text))
        self.server.window_show_message(types.ShowMessageParams(kind, ran.headline))
        self._mark_violated(config, ran)
        return ran.result or {"result": "error", "message": ran.text}

    def _mark_violated(self, config: Path, ran: Ran) -> None:
        """Until something is typed."""
        module = Path(ran.result["specification"]) if ran.result else None
        if module is None:
            return
        uri = _uri((config.parent / module).resolve())
        looked = self._module(uri)
        at = looked.definition(ran.result["violated"]) if ran.result["violated"] else None
        if at is not None:
            self._publish(uri, [*looked.problems, Diagnostic(ran.headline, at, warning=False)])

    def _found(self, parameters: Any) -> tuple[Workspace, Occurrence | None]:
        """The name under the pointer as what it stands for."""
        path = _path(parameters.text_document.uri)
        workspace = Workspace.around(path, self._texts())
        return workspace, workspace.symbol(path, *self._pointer(parameters))

    def _pointer(self, parameters: Any) -> tuple[int, int]:
        """Line and column from 1, in characters; an editor may count in other units."""
        document = self.server.workspace.get_text_document(parameters.text_document.uri)
        at = self.server.workspace.position_codec.position_from_client_units(document.lines, parameters.position)
        return at.line + 1, at.character + 1

    def _texts(self) -> dict[Path, str]:
        return {_path(one): document.source for one, document in self.server.workspace.text_documents.items()}

    def _named(self, parameters: Any) -> tuple[Module, str]:
        module = self._module(parameters.text_document.uri)
        return module, module.word(*self._pointer(parameters))

    def _module(self, uri: str) -> Module:
        path = _path(uri)
        if path not in self._modules:
            self._modules[path] = Module(path, self._texts())
        return self._modules[path]

    def _publish(self, uri: str, problems: Sequence[Diagnostic]) -> None:
        files: dict[str, list[Any]] = {uri: []}
        for problem in problems:
            path = Path(problem.at.source.name)
            where = from_fs_path(str(path.resolve())) if path.is_file() else uri
            files.setdefault(where or uri, []).append(self._diagnostic(problem))
        for gone in self._marked.get(uri, set()) - files.keys():
            files[gone] = []
        self._marked[uri] = {where for where, found in files.items() if found}
        for where, found in files.items():
            self.server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(where, found))

    # --- what an editor is told ------------------------------------------------------------------------------------

    def _place(self, at: Location) -> Any:
        return types.Location(_uri(Path(at.source.name).resolve()), self._range(at))

    def _diagnostic(self, problem: Diagnostic) -> Any:
        return types.Diagnostic(
            range=self._range(problem.at),
            message="\n".join(part for part in (problem.message, problem.remedy) if part),
            severity=types.DiagnosticSeverity.Warning if problem.warning else types.DiagnosticSeverity.Error,
            source="rmqproof",
        )

    def _range(self, at: Location) -> Any:
        line, column, end_line, end_column = at.in_file
        start, end = self._units(at, at.line, column), self._units(at, at.end_line, end_column)
        return types.Range(types.Position(line - 1, start), types.Position(end_line - 1, end))

    def _exact(self, at: Location) -> Any:
        """In the text itself; what is made of an algorithm is not changed."""
        line = at.source.file_line(at.line) - 1
        start, end = self._units(at, at.line, at.column), self._units(at, at.line, at.end_column)
        return types.Range(types.Position(line, start), types.Position(line, end))

    def _units(self, at: Location, line: int, column: int) -> int:
        """A column in the units in which the editor counts, from 0."""
        counted: int = self.server.workspace.position_codec.client_num_units(at.source.line(line)[: column - 1])
        return counted


def _plain(answer: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """As a function: the server writes names onto what it registers."""

    def answered(parameters: Any) -> Any:
        return answer(parameters)

    return answered


def _awaited(answer: Callable[[str], Any]) -> Callable[..., Any]:
    async def answered(uri: str) -> Any:
        return await answer(uri)

    return answered


def _path(uri: str) -> Path:
    return Path(to_fs_path(uri) or uri)


def _uri(path: Path) -> str:
    return from_fs_path(str(path)) or ""


def _declares(at: Location, symbol: Symbol) -> bool:
    return (at.source.name, at.line, at.column) == (symbol.file, symbol.line, symbol.column)
