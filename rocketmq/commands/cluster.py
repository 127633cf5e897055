"""`rmqproof cluster`: a controller group and a broker set as processes on this machine."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click

from rmqproof.model.checking import exit_status
from rmqproof.model.cli.writable import Output
from rmqproof.rocketmq.commands.rocketmq import standing

Result = TypeVar("Result")


_CONF = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group(
    "cluster",
    short_help="Run controllers and brokers on this machine, and disturb them.",
    invoke_without_command=True,
    no_args_is_help=True,
)
@click.option("--rocketmq", "version", metavar="VERSION", help="Start a cluster of this release's own processes.")
@click.option("--brokers", default=3, show_default=True, type=click.IntRange(1, 9), help="With --rocketmq.")
@click.option(
    "--controllers",
    default=1,
    show_default=True,
    type=click.IntRange(0, 9),
    help="With --rocketmq; 0: in the name server.",
)
@click.option(
    "--dir", "folder", type=click.Path(file_okay=False, path_type=Path), default=Path("cluster"), help="Its own."
)
@click.option("--broker-conf", type=_CONF, metavar="FILE", help="Settings of every broker, with --rocketmq.")
@click.option(
    "--hosts", is_flag=True, help="With --rocketmq: each node in a network namespace, at an address (Linux, root)."
)
@click.option("--jraft", is_flag=True, help="With --rocketmq: the controllers on JRaft instead of DLedger (5.2.0).")
@click.option("--controller-conf", type=_CONF, metavar="FILE", help="Settings of every controller, with --rocketmq.")
@click.option("--trace", is_flag=True, help="With --rocketmq: record every step as NDJSON in DIR/traces (needs a JDK).")
@click.pass_context
def command(
    context: click.Context,
    version: str | None,
    brokers: int,
    controllers: int,
    folder: Path,
    broker_conf: Path | None,
    controller_conf: Path | None,
    hosts: bool,
    jraft: bool,
    trace: bool,
) -> None:
    """Run a cluster of the reference implementation on this machine: one process a node, TCP between them.

    A cluster lives in a directory; every command names it with --dir. Nodes are c1, c2, … (controllers, which
    replicate their log with Raft) and b1, b2, … (the brokers of one broker set).

    With --rocketmq VERSION and no command it is one of Apache RocketMQ's own processes: a name server n1, controllers
    and brokers in Controller mode. `status`, `kill`, `start`, `pause`, `resume` and `down` know such a directory, with
    --hosts `partition` and `heal`, too.
    Your broker.conf and controller.conf are taken as they are, but for addresses, names and folders.
    """
    if context.invoked_subcommand is None:
        if version is None:
            raise click.UsageError("Name a command, or --rocketmq VERSION.")
        if jraft and not controllers:
            raise click.UsageError("--jraft needs controllers that are processes of their own: --controllers N.")
        standing.up(version, folder, brokers, controllers, broker_conf, controller_conf, hosts, jraft, trace)
    elif version is not None:
        raise click.UsageError("--rocketmq is for starting one; the commands see what their --dir holds.")


def _is_real(folder: Path) -> bool:
    """Does it hold a cluster of RocketMQ's own processes?"""
    return (folder / standing.FILE).is_file()


_DIR = click.option(
    "--dir",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("cluster"),
    show_default=True,
    help="The cluster's directory.",
)
_NODE = click.argument("node")


def run(work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
    """Run it; errors are told with cause and remedy."""
    try:
        from rmqproof.impl.runtime.errors import ClusterError
        from rmqproof.impl.storage.errors import DamagedFile
    except ModuleNotFoundError as problem:
        fail(f"The library {problem.name} is missing.\nInstall it with: pip install 'rmqproof[cluster]'")
    try:
        return asyncio.run(work())
    except (ClusterError, DamagedFile) as problem:
        fail(str(problem))
    except KeyboardInterrupt:
        fail("Interrupted.", 130)
    except ModuleNotFoundError as problem:
        fail(f"The library {problem.name} is missing.\nInstall it with: pip install 'rmqproof[cluster]'")
    except OSError as problem:
        fail(str(problem))


def fail(text: str, status: int = exit_status.SYSTEM) -> NoReturn:
    """Say what is wrong, and end."""
    click.secho(text, fg="red", bold=True, err=True)
    sys.exit(status)


def note(text: str) -> None:
    """Progress, on stderr."""
    click.echo(text, err=True)


def _loaded(folder: Path) -> Any:
    from rmqproof.impl.runtime.cluster import Cluster
    from rmqproof.impl.runtime.layout import load_layout

    return Cluster(load_layout(folder.resolve()), tell=note)


@command.command()
@_DIR
@click.option("--controllers", default=3, show_default=True, type=click.IntRange(1, 9))
@click.option("--brokers", default=3, show_default=True, type=click.IntRange(1, 9))
@click.option("--all-ack/--no-all-ack", default=True, show_default=True, help="allAckInSyncStateSet")
@click.option("--in-sync-replicas", default=1, show_default=True, type=click.IntRange(1), help="inSyncReplicas")
@click.option("--min-in-sync-replicas", default=1, show_default=True, type=click.IntRange(1), help="minInSyncReplicas")
@click.option("--unclean", is_flag=True, help="enableElectUncleanMaster=true")
@click.option("--sync-flush", is_flag=True, help="flushDiskType=SYNC_FLUSH")
@click.option(
    "--flush-interval",
    default=0.005,
    show_default=True,
    type=click.FloatRange(0.0, 60.0),
    help="Seconds that bytes wait to be flushed (flushIntervalCommitLog).",
)
@click.option(
    "--rule",
    "rules",
    multiple=True,
    metavar="RULE=READING",
    help="Replace a rule of spec/core/Rules.tla, as DurableEnd=DurableEndAsShipped. May be given several times.",
)
@click.option("--shipped", is_flag=True, help="All rules as in the Java, not as repaired; --rule changes single ones.")
@click.option(
    "--rocketmq-wire", is_flag=True, help="Slaves copy from brokers of RocketMQ, too: the HA stream is theirs alone."
)
@click.option("--trace", is_flag=True, help="Record every step as NDJSON in DIR/traces.")
def up(
    folder: Path,
    controllers: int,
    brokers: int,
    all_ack: bool,
    in_sync_replicas: int,
    min_in_sync_replicas: int,
    unclean: bool,
    sync_flush: bool,
    flush_interval: float,
    rules: tuple[str, ...],
    shipped: bool,
    rocketmq_wire: bool,
    trace: bool,
) -> None:
    """Start a new cluster, or one that was stopped, and wait until a master serves."""

    async def work() -> None:
        from rmqproof.impl.runtime.cluster import Cluster
        from rmqproof.impl.runtime.errors import ClusterError
        from rmqproof.impl.runtime.layout import FILE, Settings, load_layout, new_layout
        from rmqproof.impl.runtime.readings import rules_of

        place = folder.resolve()
        if (place / FILE).exists():
            cluster = Cluster(load_layout(place), tell=note)
            if any(cluster.running(node.name) for node in cluster.layout.nodes):
                raise ClusterError(
                    f"The cluster in {folder} is running.", f"Stop it: rmqproof cluster down --dir {folder}"
                )
            note(f"{folder} holds a cluster; it starts again, with the settings that it was made with.")
        else:
            settings = Settings(
                all_ack=all_ack,
                in_sync_replicas=in_sync_replicas,
                min_in_sync_replicas=min_in_sync_replicas,
                unclean_election=unclean,
                sync_flush=sync_flush,
                flush_period=flush_interval,
                trace=trace,
                rocketmq_wire=rocketmq_wire,
                rules=rules_of(rules, shipped),
            )
            cluster = Cluster(new_layout(place, controllers, brokers, settings), tell=note)
        await cluster.up()
        await _print_status(cluster)

    run(work)


@command.command()
@_DIR
def down(folder: Path) -> None:
    """Stop every node. The stores stay; `up` starts them again."""
    if _is_real(folder):
        standing.down(folder)
        return

    async def work() -> None:
        cluster = _loaded(folder)
        await cluster.down()
        note("All nodes have stopped.")

    run(work)


@command.command()
@_DIR
@click.option("--json", "as_json", is_flag=True, help="Everything that the nodes say, as JSON.")
def status(folder: Path, as_json: bool) -> None:
    """Show every node: role, epoch, SyncStateSet, log."""
    if _is_real(folder):
        standing.status(folder, as_json)
        return

    async def work() -> None:
        if as_json:
            import json

            states = await _loaded(folder).status()
            told = {one.node.name: one.status or {"running": one.running, "paused": one.paused} for one in states}
            click.echo(json.dumps(told, indent=2))
        else:
            await _print_status(_loaded(folder))

    run(work)


async def _print_status(cluster: Any) -> None:
    from rmqproof.impl.runtime.status_text import status_text

    click.echo(status_text(await cluster.status()))


@command.command()
@_DIR
@click.argument("messages", nargs=-1, required=True)
@click.option("--key", help="The id of the (single) message; by default one is made.")
@click.option("--timeout", default=10.0, show_default=True, help="Seconds to try.")
def put(folder: Path, messages: tuple[str, ...], key: str | None, timeout: float) -> None:
    """Store messages at the master, one after another.

    Exit status 1 if one of them was not acknowledged.
    """

    async def work() -> bool:
        import uuid

        from rmqproof.impl.runtime.client import Client

        client = Client(_loaded(folder).layout.controllers)
        good = True
        try:
            for message in messages:
                identity = key or uuid.uuid4().hex[:12]
                result = await client.put(message.encode(), identity, timeout)
                good &= result.stored
                if result.stored:
                    click.echo(f"{identity}  stored as number {result.ordinal}")
                else:
                    fate = "not stored" if result.known else "not acknowledged; it may be in the log"
                    click.echo(f"{identity}  {fate}: {result.reason}")
        finally:
            await client.close()
        return good

    if not run(work):
        sys.exit(1)


@command.command()
@_DIR
@click.option("--from", "source", help="The broker to read; by default the master.")
@click.option("--first", default=0, show_default=True, type=click.IntRange(0), help="The number of the first message.")
def get(folder: Path, source: str | None, first: int) -> None:
    """Print the messages that consumers may read: number, id, body."""

    async def work() -> None:
        from rmqproof.impl.runtime.client import Client
        from rmqproof.impl.runtime.errors import ClusterError

        layout = _loaded(folder).layout
        client = Client(layout.controllers)
        try:
            address = layout.node(source).address if source else await client.master()
            if address is None:
                raise ClusterError(
                    "There is no master.", "Name a broker with --from, or look at: rmqproof cluster status"
                )
            for number, message in enumerate(await client.pull(address, first), first):
                click.echo(f"{number:6}  {message.key:12}  {message.body.decode(errors='replace')}")
        finally:
            await client.close()

    run(work)


@command.command()
@_DIR
@_NODE
@click.option("--lose-unflushed", is_flag=True, help="A broker also loses what it had not flushed, as without power.")
def kill(folder: Path, node: str, lose_unflushed: bool) -> None:
    """End a node at once (SIGKILL)."""
    if _is_real(folder):
        standing.kill(folder, node)
        return
    run(lambda: _loaded(folder).kill(node, 0.0 if lose_unflushed else None))


@command.command()
@_DIR
@_NODE
def start(folder: Path, node: str) -> None:
    """Start a node that was killed."""
    if _is_real(folder):
        standing.start(folder, node)
        return
    run(lambda: _loaded(folder).restart(node))


@command.command()
@_DIR
@_NODE
def pause(folder: Path, node: str) -> None:
    """Stop a node without ending it (SIGSTOP), as a long garbage collection does."""
    if _is_real(folder):
        standing.pause(folder, node)
        return

    async def work() -> None:
        _loaded(folder).pause(node)

    run(work)


@command.command()
@_DIR
@_NODE
def resume(folder: Path, node: str) -> None:
    """Let a paused node go on."""
    if _is_real(folder):
        standing.resume(folder, node)
        return
    run(lambda: _loaded(folder).resume(node))


@command.command()
@_DIR
@click.argument("nodes", nargs=-1, required=True)
@click.option(
    "--from", "others", multiple=True, metavar="NODE", help="Cut only from these; by default from all others."
)
def partition(folder: Path, nodes: tuple[str, ...], others: tuple[str, ...]) -> None:
    """Cut NODES off: what they and the others send to each other is held back. Replaces an earlier partition.

    Hosts of a cluster of RocketMQ's own processes lose what is sent meanwhile, as in a broken switch.
    """
    if _is_real(folder):
        standing.partition(folder, nodes, others)
        return
    run(lambda: _loaded(folder).partition(nodes, others or None))


@command.command()
@_DIR
def heal(folder: Path) -> None:
    """End the partition."""
    if _is_real(folder):
        standing.heal(folder)
        return
    run(lambda: _loaded(folder).heal())


@command.command("lose-disk")
@_DIR
@_NODE
def lose_disk(folder: Path, node: str) -> None:
    """End a broker and remove its store; a new broker with an empty disk joins instead."""

    async def work() -> None:
        new = await _loaded(folder).lose_disk(node)
        note(f"{node} is gone, {new} joins.")

    run(work)


@command.command("trace")
@_DIR
@click.option("-o", "--out", required=True, type=Output(), metavar="RUN.ndjson")
def trace(folder: Path, out: Path) -> None:
    """Put the traces of all nodes into one run, for `rmqproof validate`."""

    if _is_real(folder):
        raise click.UsageError(
            f"The steps of a real cluster are a file for each node: "
            f"rmqproof validate --mapping rocketmq-trace {folder / 'traces'}/*.ndjson"
        )

    async def work() -> None:
        from rmqproof.impl.runtime.errors import ClusterError
        from rmqproof.impl.runtime.merging import merge_traces

        layout = _loaded(folder).layout
        if not layout.settings.trace:
            raise ClusterError("This cluster records nothing.", "Make one with: rmqproof cluster up --trace")
        click.echo(f"{out}: {merge_traces(layout.trace_folder, out)} events")

    run(work)
