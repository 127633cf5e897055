"""Whether an implementation, or a recorded run, follows the specification. The only package that knows both sides."""
