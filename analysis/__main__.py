"""``python -m analysis`` is the command line ``meeplecarlo``."""

import sys

from analysis.cli import main

if __name__ == "__main__":
    sys.exit(main())
