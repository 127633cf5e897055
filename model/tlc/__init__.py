"""TLC's command line over our searches: its options, its messages with their codes, its exit statuses.

What drives TLC (an editor, a script that reads `-tool` output) drives this. The numbers of messages and the order in
which they come are those of TLC's classes `tlc2.output.EC`, `tlc2.output.MP`, `tlc2.TLC`, `tlc2.tool.ModelChecker` and
`tlc2.tool.Simulator`; `tests/tlc` holds them to what TLC printed.
"""
