"""rmqproof as a library: what `from rmqproof import …` gives. Described in docs/library.md."""
