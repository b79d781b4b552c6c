"""`pressmark` and `python -m pressmark`: run one command, turn every failure into one sentence."""

from __future__ import annotations

import sys


def main() -> None:
    """The console script."""
    from pressmark.commands.run import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
