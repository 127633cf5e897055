"""Behaviours and state graphs as text, ITF JSON, DOT and pictures."""
