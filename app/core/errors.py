"""Failures that a person is told about: a code for the program, figures, and one plain sentence."""

from enum import StrEnum
from pathlib import Path


class SlipstreamError(Exception):
    """The root of every failure with a sentence for the user; `str()` gives that sentence."""


class FileProblem(StrEnum):
    """Why a file cannot be used as a chat model."""

    MISSING = "missing"  # no such file, or not readable
    NOT_GGUF = "not_gguf"  # wrong magic
    VERSION = "version"  # a GGUF version this program does not read
    TRUNCATED = "truncated"  # shorter than its own table says
    DAMAGED = "damaged"  # counts, lengths or types that cannot be true
    INCOMPLETE_SET = "incomplete_set"  # a part of a split set is missing
    NO_WEIGHTS = "no_weights"  # a vocabulary-only file
    EMBEDDING = "embedding"  # makes vectors, not text
    PROJECTOR = "projector"  # the image or audio half of a model
    UNKNOWN_ARCHITECTURE = "unknown_architecture"
    UNSUPPORTED = "unsupported"  # known, but not a model that continues text


class ModelFileError(SlipstreamError):
    """A model file that cannot be used. Carries the file, the kind of problem, and a sentence."""

    def __init__(self, path: Path, problem: FileProblem, sentence: str) -> None:
        super().__init__(sentence)
        self.path = path
        self.problem = problem


class LoadError(SlipstreamError):
    """llama.cpp could not load a file or make a context, though the header looked right.

    `log` holds the library's last lines, for "Details".
    """

    def __init__(self, sentence: str, log: tuple[str, ...] = ()) -> None:
        super().__init__(sentence)
        self.log = log


class LoadCancelledError(SlipstreamError):
    """The user stopped a load."""


class OptionsError(SlipstreamError):
    """Settings that do not hold together."""


class TemplateError(SlipstreamError):
    """A chat template that cannot be used. `line` and `column` count from 1, None where unknown."""

    def __init__(self, sentence: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(sentence)
        self.line = line
        self.column = column


class GrammarError(SlipstreamError):
    """A grammar or JSON schema that llama.cpp does not accept, or that allows no further token."""


class PromptTooLongError(SlipstreamError):
    """The prompt does not fit into the context; carries both lengths in tokens."""

    def __init__(self, prompt_tokens: int, context_length: int) -> None:
        super().__init__(
            f"The prompt has {prompt_tokens:,} tokens and the context holds {context_length:,}. "
            "Shorten the conversation or load the model with a longer context."
        )
        self.prompt_tokens = prompt_tokens
        self.context_length = context_length


class EngineError(SlipstreamError):
    """A native call failed while text was being generated."""
