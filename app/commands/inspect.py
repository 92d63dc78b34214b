"""`slipstream check`, `info` and `estimate`: what files say before anything is loaded."""

from argparse import Namespace

import msgspec
import psutil
from msgspec import Struct

from app.bootstrap import vocabulary_cache
from app.commands.arguments import load_options
from app.core.compatibility import Compatible, Incompatible
from app.core.estimate import MemoryEstimate, ModelMemory, PartName
from app.engine.memory import detect_features
from app.engine.memory import estimate as estimate_memory
from app.engine.vocab import check_compatibility
from app.figures import bytes_text
from app.models.info import ModelInfo, read_info
from app.tables import Column, Table, printable

INCOMPATIBLE = 3
UNKNOWN = "unknown"

_PART_NAMES = {
    PartName.WEIGHTS: "weights",
    PartName.REPACKED_WEIGHTS: "weights, repacked copy",
    PartName.KV_CACHE: "KV cache",
    PartName.RECURRENT_STATE: "running state",
    PartName.COMPUTE: "compute buffer",
    PartName.OUTPUTS: "logits",
    PartName.VOCABULARY: "vocabulary",
    PartName.LIBRARY: "library",
}


class CheckResult(Struct, frozen=True):
    """What `check --json` prints."""

    compatible: bool
    reason: str | None
    details: Compatible | Incompatible


class EstimateResult(Struct, frozen=True):
    """What `estimate --json` prints. Sizes in bytes."""

    estimate: MemoryEstimate
    total_bytes: int  # of what is known
    complete: bool
    free_bytes: int
    fits: bool | None


def check(arguments: Namespace) -> int:
    """Says whether a draft model fits a target; exit code 0 or 3."""
    target, draft = read_info(arguments.target), read_info(arguments.draft)
    cache = vocabulary_cache()
    verdict = check_compatibility(target.path, draft.path, cache)
    reason = verdict.sentence() if isinstance(verdict, Incompatible) else None
    if arguments.json:
        print(_json(CheckResult(reason is None, reason, verdict)))
    elif reason is None:
        print(f"compatible: {draft.path.name} can draft for {target.path.name}")
    else:
        print(f"not compatible: {printable(reason)}")
    return 0 if reason is None else INCOMPATIBLE


def info(arguments: Namespace) -> int:
    """Prints what a model file says of itself."""
    found = read_info(arguments.file)
    if arguments.json:
        print(_json(found))
        return 0
    rows = (
        ("name", found.name or UNKNOWN),
        ("file", str(found.path) + (f" and {len(found.parts) - 1} more" if len(found.parts) > 1 else "")),
        ("size", bytes_text(found.total_bytes)),
        ("architecture", found.architecture),
        ("parameters", _count_text(found.parameters)),
        ("quantisation", found.quantisation),
        ("context length", _tokens_text(found.context_length)),
        ("vocabulary", _tokens_text(found.vocabulary_size)),
        ("layers", str(len(found.layers)) if found.layers else UNKNOWN),
        ("embedding width", str(found.embedding_width or UNKNOWN)),
        ("sliding window", _tokens_text(found.sliding_window) if found.sliding_window else "none"),
        ("experts", f"{found.experts_used} of {found.experts}" if found.experts else "none"),
        ("chat template", "yes" if found.has_chat_template else "none"),
        ("can be drafted for", _drafting_text(found)),
        ("licence", found.licence or UNKNOWN),
    )
    widest = max(len(name) for name, _ in rows)
    for name, value in rows:
        print(f"{name:<{widest}}  {printable(value)}")
    return 0


def estimate(arguments: Namespace) -> int:
    """Prints the memory that a target and its draft will need, part by part."""
    target = read_info(arguments.target)
    draft = None if arguments.draft is None else read_info(arguments.draft)
    options = load_options(arguments)
    found = estimate_memory(target, draft, options, options, detect_features())
    free = psutil.virtual_memory().available
    if arguments.json:
        print(_json(EstimateResult(found, found.known_bytes, found.is_complete, free, found.fits(free))))
        return 0
    print(_estimate_table(found))
    sentence = {
        True: f"It fits: {bytes_text(free)} are free.",
        False: f"It does not fit into the {bytes_text(free)} that are free now; loading may still be tried.",
        None: f"Some of it is not known. {bytes_text(free)} are free.",
    }[found.fits(free)]
    doubt = "" if found.certain else " This processor's features were assumed."
    print(f"\n{sentence}{doubt}")
    return 0


def _estimate_table(found: MemoryEstimate) -> str:
    models = [found.target] if found.draft is None else [found.target, found.draft]
    headings = ["target", "draft"][: len(models)]
    columns = (Column(""), *(Column(heading, right=True) for heading in headings))
    rows = [
        (_PART_NAMES[name], *(_part_text(model, name) for model in models))
        for name in PartName
        if any(model.bytes_of(name) != 0 for model in models)
    ]
    rows.append(("together", *(bytes_text(model.known_bytes) for model in models)))
    table = Table(columns, tuple(rows)).text()
    return table if found.draft is None else f"{table}\n\nBoth: {bytes_text(found.known_bytes)}"


def _part_text(model: ModelMemory, name: PartName) -> str:
    size = model.bytes_of(name)
    return UNKNOWN if size is None else bytes_text(size)


def _drafting_text(found: ModelInfo) -> str:
    if not (found.is_recurrent or found.is_hybrid):
        return "yes"
    if found.rolls_back:
        return "yes, with snapshots of its running state"
    return "no: its running state cannot take back rejected tokens"


def _tokens_text(count: int | None) -> str:
    return UNKNOWN if count is None else f"{count:,} tokens"


def _count_text(count: int) -> str:
    for unit, name in ((1e9, "billion"), (1e6, "million")):
        if count >= unit:
            return f"{count / unit:.3g} {name}"
    return f"{count:,}"


def _json(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value, enc_hook=str), indent=1).decode()  # paths as text
