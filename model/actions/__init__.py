"""TLC's reading of Init and Next, decided once: what an action's formulas do, what they read, prime and need."""
