"""The door by which `python -m evaluation` is known: the command line is the library's."""

import sys

from limelight.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
