"""How much partial-order reduction could save on a model: measured on its whole graph, outside the product."""
