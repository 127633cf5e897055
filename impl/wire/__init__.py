"""Bytes on the network: the HA stream between brokers, and RocketMQ's remoting frames. Decoders take any bytes."""
