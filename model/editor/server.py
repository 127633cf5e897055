"""The language server: what `analysis` knows, in the protocol that editors speak."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from rmqproof.model.editor.analysis import Module, Problem
from rmqproof.model.tla.source import Location
from rmqproof.version import VERSION


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
        }.items():
            self.server.feature(name)(_plain(answer))

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
        module, name = self._named(parameters)
        at = module.definition(name) if name else None
        if at is None or not Path(at.source.name).is_file():
            return None
        return types.Location(from_fs_path(str(Path(at.source.name).resolve())) or "", _range(at))

    def _named(self, parameters: Any) -> tuple[Module, str]:
        module = self._module(parameters.text_document.uri)
        return module, module.word(parameters.position.line + 1, parameters.position.character + 1)

    def _module(self, uri: str) -> Module:
        path = Path(to_fs_path(uri) or uri)
        if path not in self._modules:
            documents = self.server.workspace.text_documents
            texts = {Path(to_fs_path(one) or one): document.source for one, document in documents.items()}
            self._modules[path] = Module(path, texts)
        return self._modules[path]

    def _publish(self, uri: str, problems: Sequence[Problem]) -> None:
        files: dict[str, list[Any]] = {uri: []}
        for problem in problems:
            path = Path(problem.at.source.name)
            where = from_fs_path(str(path.resolve())) if path.is_file() else uri
            files.setdefault(where or uri, []).append(_diagnostic(problem))
        for gone in self._marked.get(uri, set()) - files.keys():
            files[gone] = []
        self._marked[uri] = {where for where, found in files.items() if found}
        for where, found in files.items():
            self.server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(where, found))


def _plain(answer: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """As a function: the server writes names onto what it registers."""

    def answered(parameters: Any) -> Any:
        return answer(parameters)

    return answered


def _diagnostic(problem: Problem) -> Any:
    return types.Diagnostic(
        range=_range(problem.at),
        message="\n".join(part for part in (problem.message, problem.remedy) if part),
        severity=types.DiagnosticSeverity.Warning if problem.warning else types.DiagnosticSeverity.Error,
        source="rmqproof",
    )


def _range(at: Location) -> Any:
    line, column, end_line, end_column = at.in_file
    return types.Range(types.Position(line - 1, column - 1), types.Position(end_line - 1, end_column - 1))
