"""An object store in memory: no folders, no rename; an object is there when its stream is closed, or not at all."""

from __future__ import annotations

import io

from rmqproof.model.search.spark.arrow import fs, pa


class Objects(fs.FileSystemHandler):
    """`replaces`: whether a move takes the place of what is there, as it does not on HDFS.

    `fail`: what raises for (request, path), as a network would.
    """

    def __init__(self, replaces=True, fail=lambda request, path: None):
        self.replaces, self.fail = replaces, fail
        self.content: dict[str, bytes] = {}
        self.times: dict[str, int] = {}
        self.folders: set[str] = set()
        self.requests: list[tuple[str, str]] = []

    def _ask(self, request, path):
        self.requests.append((request, path))
        self.fail(request, path)

    def put(self, path, content):
        self.content[path] = content
        self.times[path] = len(self.requests)

    def get_type_name(self):
        return "objects"

    def normalize_path(self, path):
        return path

    def _info(self, path):
        if path in self.content:
            kind, size = fs.FileType.File, len(self.content[path])
        elif path in self.folders or any(name.startswith(path + "/") for name in self.content):
            kind, size = fs.FileType.Directory, None
        else:
            kind, size = fs.FileType.NotFound, None
        return fs.FileInfo(path, kind, size=size, mtime_ns=self.times.get(path, 0))

    def get_file_info(self, paths):
        return [self._info(path) for path in paths]

    def get_file_info_selector(self, selector):
        names = {*self.content, *self.folders}
        below = {name[len(selector.base_dir) + 1 :] for name in names if name.startswith(selector.base_dir + "/")}
        if not below and not selector.allow_not_found:
            raise FileNotFoundError(selector.base_dir)
        found = below if selector.recursive else {name.partition("/")[0] for name in below}
        return [self._info(f"{selector.base_dir}/{name}") for name in sorted(found)]

    def create_dir(self, path, recursive):
        self._ask("create_dir", path)
        self.folders.add(path)

    def delete_dir(self, path):
        self._ask("delete_dir", path)
        self.content = {name: data for name, data in self.content.items() if not name.startswith(path + "/")}
        self.folders = {name for name in self.folders if name != path and not name.startswith(path + "/")}

    def delete_dir_contents(self, path, missing_dir_ok=False):
        raise NotImplementedError

    def delete_root_dir_contents(self):
        raise NotImplementedError

    def delete_file(self, path):
        self._ask("delete_file", path)
        if path not in self.content:
            raise FileNotFoundError(path)
        del self.content[path]

    def move(self, src, dest):
        self._ask("move", dest)
        if dest in self.content and not self.replaces:
            raise FileExistsError(dest)
        self.put(dest, self.content[src])
        del self.content[src]

    def copy_file(self, src, dest):
        raise NotImplementedError

    def open_input_stream(self, path):
        return pa.PythonFile(self._reading(path), mode="r")

    open_input_file = open_input_stream

    def _reading(self, path):
        self._ask("read", path)
        if path not in self.content:
            raise FileNotFoundError(path)
        return io.BytesIO(self.content[path])

    def open_output_stream(self, path, metadata):
        self._ask("write", path)
        return pa.PythonFile(_Written(self, path), mode="w")

    def open_append_stream(self, path, metadata):
        raise NotImplementedError


class _Written(io.BytesIO):
    def __init__(self, objects, path):
        super().__init__()
        self.objects, self.path = objects, path

    def close(self):
        if not self.closed:
            self.objects.put(self.path, self.getvalue())
        super().close()
