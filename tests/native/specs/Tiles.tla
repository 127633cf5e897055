-------------------------------- MODULE Tiles --------------------------------
(* Ten tiles on a board of twelve cells: a set of sets of pairs, more than is assumed at first, of which an invariant
   says where they lie. A step computes all boards that there may be next. *)
EXTENDS Integers
VARIABLE tiles

Cells == (0..3) \X (0..2)
Directions == {<<1, 0>>, <<0, 1>>, <<-1, 0>>, <<0, -1>>}
TypeOK == tiles \in SUBSET SUBSET Cells

Moved(tile, d) == {<<cell[1] + d[1], cell[2] + d[2]>> : cell \in tile}
Boards ==
  LET pairs == {<<tile, Moved(tile, d)>> : tile \in tiles, d \in Directions}
      free == {<<old, new>> \in pairs : new \subseteq Cells /\ new \cap UNION (tiles \ {old}) = {}}
  IN {(tiles \ {old}) \cup {new} : <<old, new>> \in free}

Init == tiles = {{<<0, 0>>}, {<<0, 1>>}, {<<0, 2>>}, {<<1, 0>>}, {<<1, 1>>}, {<<1, 2>>}, {<<2, 0>>}, {<<2, 1>>}, {<<2, 2>>},
                 {<<3, 0>>, <<3, 1>>}}
Next == tiles' \in Boards
==============================================================================
