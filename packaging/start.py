"""Sets Slipstream up in `.venv`, in the folder of the checkout, and starts it. Needs Python and nothing else.

    python3 packaging/start.py              open the window
    python3 packaging/start.py demo ARGS... compare plain and speculative generation on a small model
    python3 packaging/start.py test         run every check that a change has to pass
    python3 packaging/start.py cli ARGS...  use the command line, for example: cli bench --help

What is already set up is not done again. Everything that the package tools print is kept in .venv/setup.log.
"""

# Any Python that a machine happens to have reads this file, so it keeps to the grammar of Python 3.6; the
# modules beside it are imported once the version is known to be good.
import shutil
import sys

OLDEST = (3, 11)
NEWEST = (3, 14)


def version_problem(version: "tuple[int, int]") -> str:
    """The sentence for a Python that Slipstream does not run on; empty for one that it does."""
    if OLDEST <= version <= NEWEST:
        return ""
    problem = f"Slipstream needs Python 3.{OLDEST[1]} to 3.{NEWEST[1]}; this is {version[0]}.{version[1]}."
    for minor in range(NEWEST[1], OLDEST[1] - 1, -1):
        name = f"python3.{minor}"
        if shutil.which(name):
            return f"{problem} Start it with: {name} {sys.argv[0]}"
    return problem + " Install one of those and start again with it."


def main(arguments: "list[str]") -> int:
    """Run a command; returns its exit code, 1 if set-up failed, 2 for a wrong command, 130 after Ctrl+C."""
    command, rest = (arguments[0], arguments[1:]) if arguments else ("window", [])
    if command in ("-h", "--help"):
        print(__doc__.strip())
        return 0
    if command not in ("window", "demo", "test", "cli") or (rest and command not in ("cli", "demo")):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    problem = version_problem(sys.version_info[:2])
    if problem:
        print(problem, file=sys.stderr)
        return 1
    import commands

    try:
        return commands.run(command, rest)
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
