"""The command line: the same services without a window.

Exit codes: 0 done, 1 failed or nothing found, 2 wrong usage, 3 not compatible, 130 stopped with Ctrl+C.
"""

import argparse
import importlib
import io
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from app import __version__
from app.commands.search import SORTS
from app.core.errors import LoadCancelledError, SlipstreamError
from app.core.options import AcceptanceRule, CacheType, DraftLength, Switch
from app.models.hub_problems import HubError
from app.tables import printable

Command = Callable[[argparse.Namespace], int]

FAILED = 1
STOPPED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit code. Failures are one line on standard error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal may lack characters; never fail over that
    parser = _parser()
    given = sys.argv[1:] if arguments is None else list(arguments)
    if not given:
        parser.print_help()
        return 0
    options = parser.parse_args(given)
    command: Command = options.command
    try:
        return command(options)
    except LoadCancelledError as error:
        print(f"slipstream: {printable(str(error))}", file=sys.stderr)
        return STOPPED
    except SlipstreamError as error:
        print(f"slipstream: {printable(_sentence(error))}", file=sys.stderr)
        return FAILED
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        print(f"slipstream: {printable(place + (error.strerror or str(error)))}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("slipstream: stopped", file=sys.stderr)
        return STOPPED


def _sentence(error: SlipstreamError) -> str:
    """What happened, with what the window has buttons for."""
    told = [str(error)]
    if isinstance(error, HubError):
        if error.address is not None and error.address not in told[0]:
            told.append(f"The page for it: {error.address}")
        if error.problem.needs_token:
            told.append("To give a token, set HF_TOKEN or run `hf auth login`.")
    return " ".join(told)


def _command(module: str, function: str = "run") -> Command:
    """A command that is imported when it runs: some load llama.cpp, others the hub's library."""

    def run(options: argparse.Namespace) -> int:
        command: Command = getattr(importlib.import_module(f"app.commands.{module}"), function)
        return command(options)

    return run


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="slipstream", description="Chat with local models, faster through speculative decoding."
    )
    parser.add_argument("--version", action="version", version=f"slipstream {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    entry = commands.add_parser("bench", help="the same prompts with and without drafting, compared")
    entry.set_defaults(command=_command("bench"))
    _add_pair(entry)
    _add_load(entry)
    _add_speculation(entry, DraftLength.FIXED, "of the modes draft and lookup")
    _add_sampling(entry, temperature=0.0)
    entry.add_argument("--modes", metavar="M,M", help="off, draft, lookup, auto, by commas (all)")
    prompts = entry.add_mutually_exclusive_group()
    prompts.add_argument("--prompt-file", type=Path, metavar="FILE", help="a text, or a suite in TOML")
    prompts.add_argument(
        "--suite", metavar="NAME", help="a built-in suite, 'all', or 'short' (one of each; the default)"
    )
    entry.add_argument("--max-tokens", type=int, default=128, metavar="N", help="tokens per answer (128)")
    entry.add_argument("--repeat", type=int, default=1, metavar="N", help="runs of each mode and prompt (1)")
    entry.add_argument("--json", type=Path, metavar="OUT", help="write everything to this file")
    entry.add_argument("--markdown", action="store_true", help="print the table as Markdown")

    entry = commands.add_parser("demo", help="the comparison on a small built-in model")
    entry.set_defaults(command=_command("demo"))
    entry.add_argument("--draft", type=Path, required=True, metavar="FILE", help="SmolLM2-135M, Q4_1")
    entry.add_argument("--max-tokens", type=int, default=96, metavar="N", help="tokens per answer (96)")
    entry.add_argument("--markdown", action="store_true", help="print the table as Markdown")

    entry = commands.add_parser("chat", help="chat in the terminal")
    entry.set_defaults(command=_command("chat"))
    _add_pair(entry)
    _add_load(entry)
    _add_speculation(entry, DraftLength.AUTOMATIC, "who decides the draft length")
    _add_sampling(entry, temperature=0.8)
    entry.add_argument("--lookup", action="store_true", help="draft by prompt lookup in place of a model")
    entry.add_argument("--system", metavar="TEXT", help="system prompt")
    entry.add_argument("--max-tokens", type=int, default=0, metavar="N", help="tokens per answer (no limit)")
    entry.add_argument("--stop", action="append", default=[], metavar="TEXT", help="a stop string; repeat")

    entry = commands.add_parser("check", help="whether a draft model fits a target; exit code 0 or 3")
    entry.set_defaults(command=_command("inspect", "check"))
    _add_pair(entry, draft_required=True)
    entry.add_argument("--json", action="store_true", help="print JSON")

    entry = commands.add_parser("info", help="what a model file says of itself")
    entry.set_defaults(command=_command("inspect", "info"))
    entry.add_argument("file", type=Path, metavar="FILE")
    entry.add_argument("--json", action="store_true", help="print JSON")

    entry = commands.add_parser("estimate", help="the memory a target and its draft will need")
    entry.set_defaults(command=_command("inspect", "estimate"))
    _add_pair(entry)
    _add_load(entry)
    entry.add_argument("--json", action="store_true", help="print JSON")

    entry = commands.add_parser("search", help="find models on Hugging Face")
    entry.set_defaults(command=_command("search"))
    entry.add_argument("words", nargs="+", metavar="WORDS", help="words, publisher/name, or an address")
    entry.add_argument("--sort", choices=list(SORTS), default="best", help="(best)")
    entry.add_argument("--limit", type=_positive, default=20, metavar="N", help="how many are shown (20)")

    entry = commands.add_parser("get", help="download a model from Hugging Face, or go on with a download")
    entry.set_defaults(command=_command("get"))
    entry.add_argument("repo", metavar="REPO", help="publisher/name, or the address of its page")
    entry.add_argument("name", nargs="?", metavar="FILE|QUANT", help="such as Q4_K_M; the recommended one")
    entry.add_argument("--draft", action="store_true", help="with a draft model whose vocabulary fits")
    entry.add_argument("--folder", type=Path, metavar="DIR", help="where to put it (the models folder)")
    return parser


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("must be a whole number from 1 on")
    return int(text)


def _add_pair(parser: argparse.ArgumentParser, *, draft_required: bool = False) -> None:
    parser.add_argument("--target", type=Path, required=True, metavar="FILE", help="the model that answers")
    parser.add_argument(
        "--draft", type=Path, required=draft_required, metavar="FILE", help="the small model that guesses"
    )


def _add_load(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("load")
    group.add_argument("--ctx", type=int, default=4096, metavar="N", help="context length (4096); 0: model's")
    group.add_argument("--threads", type=int, default=0, metavar="N", help="0: the physical cores")
    group.add_argument("--batch", type=int, default=512, metavar="N", help="evaluation batch size (512)")
    group.add_argument("--gpu-layers", type=int, default=0, metavar="N", help="layers on the GPU; -1: all")
    switches = [each.value for each in Switch]
    group.add_argument("--flash-attention", choices=switches, default="automatic")
    group.add_argument("--mmap", choices=switches, default="automatic", help="map the file into memory")
    group.add_argument("--keep-in-memory", action="store_true", help="never let the weights be swapped out")
    types = [each.value for each in CacheType]
    group.add_argument("--k-cache", choices=types, default="f16", help="K cache type (f16)")
    group.add_argument("--v-cache", choices=types, default="f16", help="V cache type (f16)")
    group.add_argument("--rope-base", type=float, metavar="X", help="RoPE frequency base")
    group.add_argument("--rope-scale", type=float, metavar="X", help="RoPE frequency scale")


def _add_speculation(parser: argparse.ArgumentParser, policy: DraftLength, of: str) -> None:
    """`of`: what the policy decides."""
    group = parser.add_argument_group("speculative decoding")
    group.add_argument(
        "--policy",
        choices=[each.value for each in DraftLength],
        default=policy.value,
        help=f"{of} ({policy})",
    )
    group.add_argument("--draft-max", type=int, metavar="N", help="max draft tokens (auto: 16, fixed: 3)")
    group.add_argument("--draft-min", type=int, metavar="N", help="min draft tokens, of 'fixed' (0)")
    group.add_argument("--draft-p-min", type=float, metavar="P", help="draft probability, of 'fixed' (0.00)")
    rules = [each.value for each in AcceptanceRule]
    lossy = ", ".join(each.value for each in AcceptanceRule if each.changes_output)
    group.add_argument("--accept", choices=rules, default="match", help=f"{lossy} change the output")
    group.add_argument("--difference", type=float, default=0.3, metavar="E", help="of 'difference' (0.3)")
    group.add_argument("--ratio", type=float, default=0.3, metavar="R", help="of 'ratio' (0.3)")
    group.add_argument("--among", type=int, default=3, metavar="K", help="of 'top-k' (3)")
    group.add_argument("--lookup-min", type=int, default=2, metavar="N", help="shortest n-gram looked up (2)")
    group.add_argument("--lookup-max", type=int, default=4, metavar="N", help="longest n-gram looked up (4)")


def _add_sampling(parser: argparse.ArgumentParser, *, temperature: float) -> None:
    group = parser.add_argument_group("sampling")
    group.add_argument(
        "--temperature", type=float, default=temperature, metavar="T", help=f"0 is greedy ({temperature})"
    )
    group.add_argument("--seed", type=int, default=0, metavar="N", help="(0)")
    group.add_argument("--top-k", type=int, default=40, metavar="K", help="0: all (40)")
    group.add_argument("--top-p", type=float, default=0.95, metavar="P", help="(0.95)")
    group.add_argument("--min-p", type=float, default=0.05, metavar="P", help="(0.05)")
    group.add_argument("--repeat-penalty", type=float, default=1.0, metavar="X", help="1: none (1)")
    group.add_argument("--presence-penalty", type=float, default=0.0, metavar="X", help="(0)")
    group.add_argument("--frequency-penalty", type=float, default=0.0, metavar="X", help="(0)")
    constraint = group.add_mutually_exclusive_group()
    constraint.add_argument("--grammar", type=Path, metavar="FILE", help="a GBNF grammar to follow")
    constraint.add_argument("--json-schema", type=Path, metavar="FILE", help="a JSON schema to follow")


if __name__ == "__main__":
    sys.exit(main())
