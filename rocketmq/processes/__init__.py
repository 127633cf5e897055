"""Processes of the real RocketMQ on loopback: brokers, and a name server with its controller."""
