"""Traces of clusters that run RocketMQ's protocol, as events of spec/ControllerMode.tla."""
