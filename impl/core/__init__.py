"""What the deterministic cores and their surroundings tell each other: codes, requests, packets, commands, writes."""
