--------------------------------- MODULE IOUtils ---------------------------------
(* The world outside: environment and files. Running other programs is refused. *)
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences
LOCAL INSTANCE TLC

LOCAL Outcome == [exitValue : Int, stdout : STRING, stderr : STRING]

(* The environment variables, a record. *)
IOEnv == CHOOSE env : TRUE

(* The number that a string of digits spells. *)
atoi(text) == CHOOSE n \in Int : ToString(n) = text

(* A number with zeros before it, at least `width` characters. *)
zeroPadN(n, width) ==
    LET RECURSIVE pad(_)
        pad(text) == IF Len(text) < width THEN pad("0" \o text) ELSE text
    IN  pad(ToString(n))

(* Text files: options are [format |-> "TXT", charset, openOptions]. *)
Serialize(value, path, options) == CHOOSE outcome \in Outcome : TRUE
Deserialize(path, options) == CHOOSE outcome \in Outcome : TRUE

(* TLC's own binary format: refused. *)
IOSerialize(value, path, compress) == TRUE
IODeserialize(path, compressed) == CHOOSE value : TRUE

(* Other programs: refused. *)
IOExec(command) == CHOOSE outcome \in Outcome : TRUE
IOEnvExec(env, command) == CHOOSE outcome \in Outcome : TRUE
IOExecTemplate(command, parameters) == CHOOSE outcome \in Outcome : TRUE
IOEnvExecTemplate(env, command, parameters) == CHOOSE outcome \in Outcome : TRUE
==================================================================================
