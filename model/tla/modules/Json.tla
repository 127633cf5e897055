---------------------------------- MODULE Json -----------------------------------
(* Values as JSON text and files: records and functions become objects, sequences and
   sets arrays. The definitions stand for what the checker computes.               *)

ToJson(value) == CHOOSE text \in STRING : TRUE
ToJsonArray(value) == CHOOSE text \in STRING : TRUE
ToJsonObject(value) == CHOOSE text \in STRING : TRUE

(* Files: one JSON value, or (nd) one a line. *)
JsonSerialize(path, value) == TRUE
JsonDeserialize(path) == CHOOSE value : TRUE
ndJsonSerialize(path, values) == TRUE
ndJsonDeserialize(path) == CHOOSE values : TRUE
==================================================================================
