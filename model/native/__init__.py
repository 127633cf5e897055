"""The native engine: typed specifications compiled to C and searched over bit-packed states."""
