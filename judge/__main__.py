"""``python -m judge`` is the same as ``judge``."""

from judge.cli import main

if __name__ == "__main__":
    main()
