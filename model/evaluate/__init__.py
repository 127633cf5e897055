"""The interpreter: the meaning of every construct; the oracle for the other engines."""
