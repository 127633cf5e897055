------------------------ MODULE ReadingOrderExtended ------------------------
Extended == {"extended first", "extended second"}
=============================================================================
