"""A reference implementation of the Controller-mode protocol. It imports nothing of `rmqproof.model`."""
