---------------------------- MODULE OrderNotStatic -----------------------------
(* A topic without an order configuration: while a broker set has no master, clients leave its queues out, the selector maps the
   key to another one, and the message there is handled before those that wait at home. With the configuration the message
   is refused until a master is elected, and the application tries again. *)
(* CODE MQClientInstance.topicRouteData2TopicPublishInfo leaves out queues of sets without brokerId 0, unless the route has
   orderTopicConf; DefaultMQProducerImpl.sendSelectImpl gives the selector what is left. *)
(* REPORT by the design: a topic's attribute, order *)
(* RELEASES all *)
EXTENDS OrderedMessages

WithMaster == serving
==============================================================================
