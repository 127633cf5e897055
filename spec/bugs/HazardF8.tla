---------------------------- MODULE HazardF8 ----------------------------
(* Hazard F-8: a broker whose epoch file cannot be read takes itself for a new replica: nothing is cut in the handshake
   although its log is not empty, and two different logs are judged equal. *)
EXTENDS DiskFaults
=============================================================================
