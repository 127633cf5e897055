"""Questions to a store of states: what `rmqproof states` answers with Spark SQL."""
