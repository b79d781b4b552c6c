"""`pressmark` and `python -m pressmark`: run one command, turn every failure into one sentence."""

from __future__ import annotations

import gc
import os
import sys


def main() -> None:
    """The console script."""
    _open_streams()
    # A command lives too briefly to gain from a collector that looks every 700 objects.
    gc.set_threshold(50_000, 20, 20)
    try:
        from pressmark.commands.run import run

        status = run(sys.argv[1:])
    except KeyboardInterrupt:  # before the first command line was read
        status = 130
    # Nothing is searched for cycles at the end: that would be a tenth of a short command.
    gc.freeze()
    sys.exit(status)


def _open_streams() -> None:
    """Where the caller closed stdin, stdout or stderr, no file of ours may take its number."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            while os.open(os.devnull, os.O_RDWR) < number:
                pass
            setattr(sys, name, os.fdopen(number, "r" if number == 0 else "w", closefd=False))


if __name__ == "__main__":
    main()
