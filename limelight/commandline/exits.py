"""The exit codes of the command line."""

DONE = 0
BROKEN_RULES = 1
BAD_INPUT = 2
