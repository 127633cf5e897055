"""`rmqproof tlc` held to TLC: what TLC prints is recorded, compared, and recorded again where TLC can be had."""
