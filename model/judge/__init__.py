"""The reference evaluator as the judge of the engines: of what they found, and of what they did not find."""
