----------------------------------- MODULE CSV -----------------------------------
(* Rows of text files. *)
LOCAL INSTANCE Naturals

(* Append a row: the template's %1$s, %2$s, … are replaced by the elements of values. *)
CSVWrite(template, values, path) == TRUE

(* Append the fields of a record, before them their names when headers is TRUE. *)
CSVWriteRecord(record, delimiter, headers, path) == TRUE

(* The rows as a sequence of records of strings, with these columns. *)
CSVRead(columns, delimiter, path) == CHOOSE rows : TRUE

(* How many lines the file has; 0 when there is none. *)
CSVRecords(path) == CHOOSE n : n \in Nat
==================================================================================
