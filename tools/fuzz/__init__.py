"""Random TLA+ specifications, checked by every engine and by TLC. See docs/fuzzing.md."""
