"""An agent of a few lines of Java that brokers and controllers of a release write their steps with."""
