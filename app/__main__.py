"""The switch: which face of Slipstream starts. Imports nothing heavy itself."""

import sys


def main() -> int:
    """Starts the command line; returns the exit code."""
    from app.cli import main as command_line

    return command_line(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
