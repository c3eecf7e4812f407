"""Focused retrieval, evaluated: files, text, rules, measures and statistics as plain Python on arrays."""

__version__ = "0.1.0"
