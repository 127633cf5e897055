"""`python -m rmqproof` is the command `rmqproof`."""

from rmqproof.model.cli.process import run

run()
