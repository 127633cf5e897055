"""`rmqproof chaos`: a real cluster under faults and load; nothing that was acknowledged may be lost."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rmqproof.model.checking import exit_status
from rmqproof.model.cli.writable import Output
from rmqproof.rocketmq.commands.cluster import note, run

if TYPE_CHECKING:
    from rmqproof.impl.runtime.chaos import Outcome, Step
    from rmqproof.impl.runtime.layout import Settings

RUN_FILE = "run.ndjson"


@click.command("chaos", short_help="Disturb a real cluster under load; nothing acknowledged may be lost.")
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same schedule of faults.")
@click.option("--steps", default=30, show_default=True, type=click.IntRange(1), help="Faults, one after another.")
@click.option("--controllers", default=3, show_default=True, type=click.IntRange(1, 9))
@click.option("--brokers", default=3, show_default=True, type=click.IntRange(2, 9))
@click.option(
    "--fault",
    "faults",
    multiple=True,
    type=click.Choice(
        ("kill", "lose-tail", "pause", "partition", "cut", "lose-disk", "blackout", "kill-controller", "calm")
    ),
    help="Only this kind of fault; may be given several times.",
)
@click.option("--rule", "rules", multiple=True, metavar="RULE=READING", help="As for `cluster up`.")
@click.option("--shipped", is_flag=True, help="All rules as in the Java.")
@click.option("--no-all-ack", is_flag=True, help="allAckInSyncStateSet=false; messages may then be lost.")
@click.option("--flush-interval", default=0.005, show_default=True, type=click.FloatRange(0.0, 60.0), metavar="SECONDS")
@click.option("--show", is_flag=True, help="Print the schedule and do nothing.")
@click.option("--keep", type=Output(folder=True), metavar="DIR", help="Keep everything here.")
@click.option("--json", "json_to", type=Output(), metavar="FILE", help="The outcome.")
@click.option("--validate/--no-validate", default=True, help="Compare the recorded run with the specification.")
def command(
    seed: int,
    steps: int,
    controllers: int,
    brokers: int,
    faults: tuple[str, ...],
    rules: tuple[str, ...],
    shipped: bool,
    no_all_ack: bool,
    flush_interval: float,
    show: bool,
    keep: Path | None,
    json_to: Path | None,
    validate: bool,
) -> None:
    """Run a cluster on this machine, disturb it, and check what is left.

    Producers and a consumer work while nodes are killed, paused and cut off, machines lose what was not flushed, and
    disks are lost. In the end everything is repaired; then every message that was acknowledged, and every one that a
    consumer has read, must be at its place on every broker, and the recorded run must be a behaviour of the
    specification.

    Exit status: 0 nothing is wrong, 1 something is lost or the run is no behaviour, 152 the comparison reached a
    bound, 153 the cluster could not be run.
    """
    folder = keep.resolve() if keep is not None else Path(tempfile.mkdtemp(prefix="rmqproof-chaos-"))

    async def work() -> Any:
        from rmqproof.impl.runtime.chaos import FAULTS, schedule
        from rmqproof.impl.runtime.errors import ClusterError
        from rmqproof.impl.runtime.layout import FILE, Settings
        from rmqproof.impl.runtime.readings import rules_of

        plan = schedule(seed, steps, faults or FAULTS)
        if show:
            return _print(plan)
        if (folder / FILE).exists():
            raise ClusterError(f"{folder} holds a cluster already.", "Name another directory.")
        settings = Settings(
            all_ack=not no_all_ack, trace=True, flush_period=flush_interval, rules=rules_of(rules, shipped)
        )
        note(f"seed {seed}, {steps} steps, {controllers} controllers, {brokers} brokers, in {folder}")
        return await _disturbed(folder, controllers, brokers, settings, plan)

    try:
        outcome = run(work)
    finally:
        if show and keep is None:
            shutil.rmtree(folder, ignore_errors=True)
    if outcome is None:
        return
    _report(outcome, json_to, seed)
    status = 1 if outcome.problems else 0
    if status == 0 and validate:
        status = _validate(folder / RUN_FILE, not no_all_ack, shipped or bool(rules))
    if status == 0 and keep is None:
        shutil.rmtree(folder)
    else:
        note(f"Logs, stores and traces are in {folder}")
    sys.exit(status)


def _print(plan: list[Step]) -> None:
    for number, step in enumerate(plan, 1):
        click.echo(f"{number:4} {step}")


async def _disturbed(folder: Path, controllers: int, brokers: int, settings: Settings, plan: list[Step]) -> Outcome:
    """What is left after the plan; the recorded run is then in the folder."""
    from rmqproof.impl.runtime.chaos import Chaos
    from rmqproof.impl.runtime.cluster import Cluster
    from rmqproof.impl.runtime.layout import new_layout
    from rmqproof.impl.runtime.merging import merge_traces

    cluster = Cluster(new_layout(folder, controllers, brokers, settings), owned=True)
    await cluster.up()
    try:
        outcome = await Chaos(cluster, note).run(plan)
    finally:
        await cluster.down()
    merge_traces(cluster.layout.trace_folder, folder / RUN_FILE)
    return outcome


def _report(outcome: Any, json_to: Path | None, seed: int) -> None:
    done = ", ".join(f"{count} {fault}" for fault, count in sorted(outcome.done.items()))
    click.echo(f"{sum(outcome.done.values())} faults in {outcome.seconds:.0f} s: {done or 'none'}")
    if outcome.skipped:
        click.echo("skipped: " + ", ".join(f"{count} {fault}" for fault, count in sorted(outcome.skipped.items())))
    click.echo(
        f"{len(outcome.acknowledged)} messages acknowledged, {outcome.unknown} with unknown fate, "
        f"{outcome.refused} refused, {len(outcome.consumed)} consumed; the last master epoch is {outcome.epoch}"
    )
    for problem in outcome.problems[:20]:
        click.secho(problem, fg="red", bold=True)
    if len(outcome.problems) > 20:
        click.secho(f"… and {len(outcome.problems) - 20} more", fg="red", bold=True)
    if not outcome.problems:
        click.echo("Every acknowledged and every consumed message is at its place on every broker.")
    if json_to is not None:
        content = {
            "seed": seed,
            "seconds": round(outcome.seconds, 1),
            "done": dict(outcome.done),
            "skipped": dict(outcome.skipped),
            "acknowledged": len(outcome.acknowledged),
            "unknown": outcome.unknown,
            "refused": outcome.refused,
            "consumed": len(outcome.consumed),
            "epoch": outcome.epoch,
            "problems": outcome.problems,
        }
        json_to.write_text(json.dumps(content, indent=2) + "\n")


def _validate(path: Path, all_ack: bool, shipped: bool) -> int:
    """Ask `rmqproof validate`; its exit status."""
    from rmqproof.model.cli.commands.validate import command as validate

    words = [str(path), "--mapping", "cluster", "--out", str(path.parent / "validation")]
    if not all_ack:
        words += ["--constant", "AllAck=FALSE"]
    if shipped:
        note("The rules are not the repaired ones, so the run need not be a behaviour of the repaired specification.")
    try:
        validate.main(args=words, prog_name="rmqproof validate", standalone_mode=False)
    except click.ClickException as problem:
        problem.show()
        return exit_status.USAGE
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 1
    return 0
