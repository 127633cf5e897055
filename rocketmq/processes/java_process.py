"""A process of a release: its folder, its configuration as an ordinary file, its start and its end."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rmqproof.rocketmq.java import Java
from rmqproof.rocketmq.releases import Release

HOST = "127.0.0.1"
_OPEN = ("java.lang", "java.nio", "java.util", "java.util.concurrent", "sun.nio.ch")
_SECONDS = 20


@dataclass(slots=True)
class JavaProcess:
    """`main`: its class; `settings`: of its file, by their names; `folder` has the file, the store and the logs."""

    release: Release
    java: Java
    folder: Path
    main: str
    settings: Mapping[str, str]
    heap: str = "256m"
    _process: subprocess.Popen[bytes] | None = field(default=None)

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    @property
    def logs(self) -> Path:
        return self.folder / "logs" / "rocketmqlogs"

    def start(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / "rocketmq.conf"
        file.write_text("".join(f"{name}={value}\n" for name, value in self.settings.items()), encoding="utf-8")
        with (self.folder / "output.txt").open("ab") as output:
            self._process = subprocess.Popen(
                [*self.command(), "-c", str(file)],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env={**os.environ, "ROCKETMQ_HOME": str(self.folder)},
                start_new_session=True,
            )

    def command(self) -> list[str]:
        opened = [f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in _OPEN] if self.java.version > 8 else []
        exported = ["--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED"] if self.java.version > 8 else []
        return [
            str(self.java.home / "bin" / "java"),
            f"-Xmx{self.heap}",
            *("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djava.net.preferIPv4Stack=true"),
            f"-Duser.home={self.folder}",
            f"-Drocketmq.home.dir={self.folder}",
            *opened,
            *exported,
            *("-cp", os.pathsep.join(self.release.class_path), self.main),
        ]

    def wait(self) -> int:
        """Its exit status; Ctrl-C stops it."""
        assert self._process is not None
        try:
            return self._process.wait()
        except KeyboardInterrupt:
            self.stop()
            return 0

    def kill(self) -> None:
        """kill -9."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def pause(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGCONT)

    def _end(self, number: int) -> None:
        if self._process is None:
            return
        self._process.send_signal(number)
        try:
            self._process.wait(_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def free_port(following: bool = False) -> int:
    """A port that nobody has; `following`: with the next two. Somebody may take it before it is used."""
    while True:
        with socket.create_server((HOST, 0)) as found:
            port = int(found.getsockname()[1])
            if not following:
                return port
            try:
                for beside in (port + 1, port - 2):
                    socket.create_server((HOST, beside)).close()
            except OSError:
                continue
            return port
