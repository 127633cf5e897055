"""Traces of clusters that run RocketMQ's protocol, as events of spec/core/ControllerMode.tla."""
