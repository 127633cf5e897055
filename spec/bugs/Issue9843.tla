------------------------------ MODULE Issue9843 ------------------------------
(* apache/rocketmq #9843: the scan for reachable controllers dies. While the network is slow its tasks wait, the pool of
   the scan is full, the next task is refused with an exception, and a timer whose task fails never runs it again. The
   list of reachable controllers stays as it was; who is missing in it never hears a heartbeat of this broker again.
   Fixed (#9845): what is thrown is caught. *)
(* CODE ReplicasManager.scanAvailableControllerAddresses submits a task for each address to scanExecutor (4 to 10 threads,
   a queue of 32, ThreadPoolExecutor.AbortPolicy by ThreadUtils.newThreadPoolExecutor); ReplicasManager.start runs it with
   scheduleAtFixedRate. *)
(* REPORT inferred: #9843 and #9845 report on 5.3.0 a scan thread that dies under network delay, a list without a
   controller, and a broker that never joins the SyncStateSet again; what is thrown is read from the code. *)
(* RELEASES 5.1.0 to 5.3.3; fixed in 5.3.4; before, ReplicasManager does not scan *)
EXTENDS ControllerDiscovery

ScanEndsWithRefusal == FALSE
TargetsOfIssue9843 == broker.available
==============================================================================
