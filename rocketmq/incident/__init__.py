"""What happened to a real cluster, from its logs, epoch files and settings."""
