"""``python -m judge`` is the same as ``judge``."""

import os
import sys

if __name__ == "__main__":
    # Python puts the current folder first on the module path, unless it is run with -P. That folder may be a workspace
    # under judgment, whose modules must never be imported in place of libraries.
    try:
        here = os.getcwd()
    except FileNotFoundError:  # it was removed, with everything in it
        here = ""
    if not sys.flags.safe_path and here != os.path.dirname(os.path.dirname(os.path.abspath(__file__))):
        sys.path[:] = [item for item in sys.path if item not in ("", here)]

    from judge.cli import main

    main()
