"""What the window is told when a request fails."""

import sys
import traceback

from app.core.errors import (
    EngineError,
    GrammarError,
    LoadCancelledError,
    LoadError,
    ModelFileError,
    OptionsError,
    PromptTooLongError,
    SlipstreamError,
    TemplateError,
)
from app.core.protocol import Failed, FailureKind

_KINDS: tuple[tuple[type[SlipstreamError], FailureKind], ...] = (
    (LoadCancelledError, FailureKind.CANCELLED),
    (ModelFileError, FailureKind.MODEL_FILE),
    (LoadError, FailureKind.LOAD),
    (OptionsError, FailureKind.OPTIONS),
    (TemplateError, FailureKind.TEMPLATE),
    (GrammarError, FailureKind.GRAMMAR),
    (PromptTooLongError, FailureKind.PROMPT_TOO_LONG),
    (EngineError, FailureKind.ENGINE),
)


def failure(request_id: int, error: Exception) -> Failed:
    """What the window is told of an exception; one that nobody foresaw is printed as well."""
    if isinstance(error, SlipstreamError):
        kind = next((kind for known, kind in _KINDS if isinstance(error, known)), FailureKind.ENGINE)
        log = error.log if isinstance(error, LoadError) else ()
        return Failed(request_id, kind, str(error), log)
    lines = traceback.format_exception(error)
    if sys.stderr is not None:
        sys.stderr.write("".join(lines))
    log = tuple("".join(lines).splitlines())
    if isinstance(error, MemoryError):
        sentence = "The memory does not suffice. Choose a shorter context or a smaller model."
        return Failed(request_id, FailureKind.OUT_OF_MEMORY, sentence, log)
    sentence = "Something went wrong inside the engine that should not have; the details say what."
    return Failed(request_id, FailureKind.INTERNAL, sentence, log)
