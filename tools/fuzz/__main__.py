"""`python -m tools.fuzz`: random specifications against TLC. `make fuzz` calls it."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import click

from tools.fuzz.campaign import Plan, Tally, campaign, keep
from tools.fuzz.engines import ENGINES, OLD_NAMES
from tools.fuzz.specification import Role
from tools.fuzz.tlc import classpath


@click.command()
@click.option("--count", default=500, show_default=True, type=click.IntRange(min=1), help="Specifications.")
@click.option("--seed", default=0, show_default=True, help="Of the first one; the next has the next number.")
@click.option(
    "--engine",
    "engines",
    multiple=True,
    metavar="NAME[=SHARE]",
    help=f"Of {', '.join(ENGINES)}; SHARE of the specifications, 0 to 1. May be repeated.",
)
@click.option(
    "--tlc", default=classpath, metavar="CLASSPATH", help="TLC's classes; default: $TLC_CLASSPATH. Without: no TLC."
)
@click.option("--workers", default=1, show_default=True, type=click.IntRange(min=1), help="Processes.")
@click.option(
    "--renamed",
    default=0.2,
    show_default=True,
    type=click.FloatRange(0, 1),
    help="Check this share with other names, too.",
)
@click.option(
    "--permuted",
    default=0.2,
    show_default=True,
    type=click.FloatRange(0, 1),
    help="Check this share with definitions and operands in another order, too.",
)
@click.option(
    "--out", default="out/fuzz", show_default=True, type=click.Path(path_type=Path), help="Where what differs is kept."
)
@click.option(
    "--having",
    multiple=True,
    type=click.Choice([role.value for role in Role if role is not Role.HELPER]),
    help="Pass over specifications without it in the configuration. May be repeated.",
)
@click.option("--seconds", default=20, show_default=True, help="For one checker and one specification.")
def main(
    count: int,
    seed: int,
    engines: tuple[str, ...],
    tlc: str | None,
    workers: int,
    renamed: float,
    permuted: float,
    out: Path,
    having: tuple[str, ...],
    seconds: int,
) -> None:
    """Generate specifications, let TLC and the engines check them, and keep those on which they differ."""
    shares = [
        (OLD_NAMES.get(name, name), float(share or 1))
        for name, _, share in (each.partition("=") for each in engines or ("python",))
    ]
    for name, _ in shares:
        if name not in ENGINES:
            raise click.UsageError(f"There is no engine {name}: {', '.join(ENGINES)}.")
    plan = Plan(
        tuple(name for name, _ in shares),
        (*shares, ("renamed", renamed), ("permuted", permuted)),
        tlc or None,
        seconds,
        frozenset(map(Role, having)),
    )
    tally = Tally()
    with suppress(KeyboardInterrupt):  # what was found until then is told
        for outcome in campaign(range(seed, seed + count), plan, workers):
            tally.add(outcome)
            if outcome.different:
                kept = keep(outcome, out)
                print(
                    f"{kept}: " + "; ".join(f"{name}: {report}" for name, report in outcome.reports.items()), flush=True
                )
            if tally.specifications % 500 == 0:
                print(tally.lines()[0], file=sys.stderr, flush=True)
    print("\n".join(tally.lines()))
    sys.exit(bool(tally.different))


if __name__ == "__main__":
    main()
