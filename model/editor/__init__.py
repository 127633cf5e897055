"""What an editor asks about a module while it is typed: what is wrong, what a name means, where it is defined."""
