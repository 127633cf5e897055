"""Check a collection of published models and compare with what is published about them."""
