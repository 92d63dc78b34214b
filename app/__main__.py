"""The switch: which face of Slipstream starts. Imports nothing heavy itself."""

import sys

from app.bootstrap import ENGINE_OPTION, open_window, run_engine


def main() -> int:
    """Becomes the engine, the window or the command line; returns the exit code."""
    arguments = sys.argv[1:]
    if arguments == [ENGINE_OPTION]:
        run_engine()
    if not arguments:
        return open_window()
    from app.cli import main as command_line

    return command_line(arguments)


if __name__ == "__main__":
    sys.exit(main())
