"""A process of a release: its folder, its configuration as an ordinary file, its start and its end."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
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
    environment: Mapping[str, str] = field(default_factory=dict)
    prefix: Sequence[str] = ()
    """What its command begins with."""
    options: Sequence[str] = ()
    """More of the command java."""
    _process: subprocess.Popen[bytes] | None = field(default=None)

    @property
    def running(self) -> bool:
        if self._process is not None:
            return self._process.poll() is None
        return self.pid is not None

    @property
    def pid(self) -> int | None:
        """Of the process that was started here, or of the one that another program has started in this folder and that
        still runs."""
        if self._process is not None:
            return self._process.pid
        try:
            found, began = map(int, self._pid_file.read_text(encoding="ascii").split())
        except (OSError, ValueError):
            return None
        return found if _began(found) == began else None

    @property
    def file(self) -> Path:
        """Its settings."""
        return self.folder / "rocketmq.conf"

    @property
    def _pid_file(self) -> Path:
        return self.folder / "pid"

    @property
    def logs(self) -> Path:
        return self.folder / "logs" / "rocketmqlogs"

    def set_logs_aside(self, name: str) -> None:
        """What it logs from its next start on is another's."""
        if self.logs.is_dir():
            self.logs.rename(self.logs.parent / f"was-{name}")

    def logs_aside(self) -> dict[str, Path]:
        """Those of earlier lives, by the names that they were given."""
        return {each.name.removeprefix("was-"): each for each in sorted(self.logs.parent.glob("was-*"))}

    def start(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.file.write_text("".join(f"{name}={value}\n" for name, value in self.settings.items()), encoding="utf-8")
        with (self.folder / "output.txt").open("ab") as output:
            self._process = subprocess.Popen(
                [*self.prefix, *self.command(), "-c", str(self.file)],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env={**os.environ, "ROCKETMQ_HOME": str(self.folder), **self.environment},
                start_new_session=True,
            )
        self._pid_file.write_text(f"{self._process.pid} {_began(self._process.pid)}", encoding="ascii")

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
            *self.options,
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

    def ask_to_stop(self) -> None:
        """`stop` without waiting for it."""
        self._signal(signal.SIGTERM)

    def pause(self) -> None:
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        pid = self.pid
        if pid is not None and self.running:
            os.kill(pid, number)

    def _end(self, number: int) -> None:
        self._signal(number)
        if self._process is None:
            self._wait_for_another()
            return
        try:
            self._process.wait(_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _wait_for_another(self) -> None:
        """It is no child of this process, so its end is looked for."""
        end = time.monotonic() + _SECONDS
        while self.running:
            if time.monotonic() > end:
                self._signal(signal.SIGKILL)
            time.sleep(0.05)


def _began(pid: int) -> int:
    """When a process began, in ticks since the machine did; 0 where it has ended, or no /proc tells."""
    try:
        state, *rest = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(") ", 1)[1].split()
    except (OSError, IndexError):
        return 0
    return int(rest[18]) if state not in "ZX" else 0


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
