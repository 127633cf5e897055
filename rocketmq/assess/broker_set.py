"""What is assessed: a broker set under Controller mode, or one whose master is named in its files."""

from __future__ import annotations

from rmqproof.rocketmq.assess.acting import MasterSlave
from rmqproof.rocketmq.assess.deployment import Deployment

BrokerSet = Deployment | MasterSlave
