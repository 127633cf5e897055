"""`python -m rmqproof` is the command `rmqproof`."""

from rmqproof.model.cli import main

main()
