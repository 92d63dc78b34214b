"""llama.cpp: a model file, its vocabulary, and a context with the tokens in its cache.

This module and sampling.py are the only ones that import llama_cpp. They use its low-level functions:
the high-level class has no draft *model*, keeps logits for the whole context, and ignores failed
truncations. Every return value of a native call is checked here.
"""

import ctypes
import os
import sys
from collections import deque
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import llama_cpp
import llama_cpp.llama_cpp as native
import numpy as np

from app.core.errors import EngineError, LoadCancelledError, LoadError
from app.core.machine import usable_cores
from app.core.options import CacheType, LoadOptions, Switch
from app.engine.cache import CachedModel, Checkpoint
from app.engine.load_failure import load_failure
from app.engine.stopping import InterruptedPassError, StopSignal
from app.engine.tokens import Logits, Tokens

LoadProgress = Callable[[float], bool]  # share loaded, 0 to 1; False cancels

_LOG_LINES_KEPT = 200
_DEBUG_LINE, _CONTINUED_LINE = 1, 5  # GGML_LOG_LEVEL_*
_PARTIAL_STATE = 1  # LLAMA_STATE_SEQ_FLAGS_PARTIAL_ONLY: recurrent states and sliding windows

_CACHE_TYPES = {
    CacheType.F32: native.GGML_TYPE_F32,
    CacheType.F16: native.GGML_TYPE_F16,
    CacheType.BF16: 30,  # GGML_TYPE_BF16; the binding lacks the name
    CacheType.Q8_0: native.GGML_TYPE_Q8_0,
    CacheType.Q5_1: native.GGML_TYPE_Q5_1,
    CacheType.Q5_0: native.GGML_TYPE_Q5_0,
    CacheType.Q4_1: native.GGML_TYPE_Q4_1,
    CacheType.Q4_0: native.GGML_TYPE_Q4_0,
    CacheType.IQ4_NL: native.GGML_TYPE_IQ4_NL,
}
_FLASH_ATTENTION = {Switch.AUTOMATIC: -1, Switch.OFF: 0, Switch.ON: 1}


class NativeLog:
    """The last lines that llama.cpp printed; `echo`, where set, hears of all of them as they come."""

    def __init__(self) -> None:
        self.lines: deque[str] = deque(maxlen=_LOG_LINES_KEPT)
        self.echo: Callable[[bytes], None] | None = None
        self._callback = native.llama_log_callback(self._keep_line)
        native.llama_log_set(self._callback, ctypes.c_void_p(0))

    def _keep_line(self, level: int, text: bytes, _data: ctypes.c_void_p) -> None:
        if level == _DEBUG_LINE:
            return  # hundreds for every context; they would push out what matters
        if self.echo is not None:
            self.echo(text)
        line = text.decode("utf-8", errors="replace").rstrip("\n")
        if level == _CONTINUED_LINE and self.lines:
            self.lines[-1] += line
        elif line:
            self.lines.append(line)


@cache
def _native_log() -> NativeLog:
    """The one log that llama.cpp has in a process.

    Kept for ever, since llama.cpp may write to it at any time: freeing its callback would be a crash.
    """
    return NativeLog()


class Library:
    """The loaded llama.cpp library: made first, and handed to whatever loads models."""

    def __init__(self, echo: Callable[[bytes], None] | None = None) -> None:
        """`echo` hears of everything that llama.cpp prints from now on, as it comes."""
        self._log = _native_log()
        self._log.echo = echo
        native.llama_backend_init()

    @property
    def version(self) -> str:
        """The engine's name and version, as shown to people."""
        return f"llama-cpp-python {llama_cpp.__version__}"

    @property
    def supports_gpu(self) -> bool:
        """True where this build can put layers on a GPU."""
        return bool(native.llama_supports_gpu_offload())

    def recent_log(self) -> tuple[str, ...]:
        """The last lines that llama.cpp printed."""
        return tuple(self._log.lines)

    def clear_log(self) -> None:
        """Forgets those lines, so that the next ones are all about what comes next."""
        self._log.lines.clear()

    def make_full_precision_copy(self, source: Path, destination: Path) -> None:
        """Writes an F32 copy of a GGUF file with `llama_model_quantize`. Raises LoadError."""
        options = native.llama_model_quantize_default_params()
        options.ftype = native.LLAMA_FTYPE_ALL_F32
        options.allow_requantize = True
        options.nthread = usable_cores()
        if native.llama_model_quantize(_encoded(source), _encoded(destination), ctypes.byref(options)) != 0:
            raise LoadError(f"llama.cpp could not copy {source.name} to F32.", self.recent_log())


class Vocabulary:
    """A model's tokens: text to tokens and back. Alive as long as its model."""

    def __init__(self, model: "LlamaModel") -> None:
        self._model = model
        self.native = native.llama_model_get_vocab(model.native)  # for samplers
        self.size = int(native.llama_vocab_n_tokens(self.native))
        self._pieces: dict[int, bytes] = {}
        self._ends: dict[int, bool] = {}

    def tokenize(self, text: str, *, add_special: bool = False, parse_special: bool = True) -> Tokens:
        """The tokens of `text`. `add_special` adds BOS where the model wants one.

        `parse_special` reads control tokens written out in the text; templates need it.
        """
        encoded = text.encode("utf-8", errors="replace")
        room = len(encoded) + 8
        while True:
            tokens = np.empty(room, np.int32)
            pointer = tokens.ctypes.data_as(ctypes.POINTER(native.llama_token))
            count = native.llama_tokenize(
                self.native, encoded, len(encoded), pointer, room, add_special, parse_special
            )
            if count >= 0:
                return tokens[:count]
            if count == -(2**31):
                raise EngineError("The text is too long to be read.")
            room = -count

    def piece(self, token: int) -> bytes:
        """The bytes that a token stands for; empty for control tokens."""
        found = self._pieces.get(token)
        if found is None:
            found = self._pieces[token] = self._render(token, special=False)
        return found

    def special_text(self, token: int) -> str:
        """A token as templates write it, control tokens included; empty for no token (-1)."""
        return self._render(token, special=True).decode("utf-8", errors="replace") if token >= 0 else ""

    def ends_generation(self, token: int) -> bool:
        """True for end-of-sequence, end-of-turn and their kin."""
        found = self._ends.get(token)
        if found is None:
            found = self._ends[token] = bool(native.llama_vocab_is_eog(self.native, token))
        return found

    @property
    def end_tokens(self) -> tuple[int, ...]:
        """Those for which `ends_generation` is true; looks at every token, which takes a while."""
        return tuple(token for token in range(self.size) if native.llama_vocab_is_eog(self.native, token))

    def has_token(self, text: str) -> bool:
        """True where `text` is one control token of this vocabulary."""
        return len(self.tokenize(text)) == 1

    @property
    def bos_text(self) -> str:
        """The beginning-of-sequence token as templates write it."""
        return self.special_text(int(native.llama_vocab_bos(self.native)))

    @property
    def eos_text(self) -> str:
        """The end-of-sequence token as templates write it."""
        return self.special_text(int(native.llama_vocab_eos(self.native)))

    @property
    def adds_bos(self) -> bool:
        """True where the model wants its prompts to begin with BOS."""
        return bool(native.llama_vocab_get_add_bos(self.native))

    def _render(self, token: int, *, special: bool) -> bytes:
        room = 64
        while True:
            buffer = ctypes.create_string_buffer(room)
            length = native.llama_token_to_piece(self.native, token, buffer, room, 0, special)
            if length >= 0:
                return buffer.raw[:length]
            room = -length


class LlamaModel:
    """The weights of one file in memory."""

    def __init__(
        self,
        library: Library,
        path: Path,
        options: LoadOptions,
        *,
        memory_map: bool,
        on_progress: LoadProgress | None = None,
    ) -> None:
        """Loads `path` (the first part of a split set).

        Raises LoadCancelledError when `on_progress` returned False, ModelFileError for an architecture
        llama.cpp does not know, LoadError with the library's own words for everything else, and whatever
        `on_progress` raises.
        """
        self.library = library
        self.path = path
        cancelled = False
        failure: BaseException | None = None

        def report(share: float, _data: ctypes.c_void_p) -> bool:
            nonlocal cancelled, failure
            try:
                cancelled = on_progress is not None and not on_progress(share)
            except BaseException as error:  # noqa: BLE001 - native code cannot pass it on; raised below
                failure, cancelled = error, True
            return not cancelled

        parameters = native.llama_model_default_params()
        parameters.load_mode = _load_mode(memory_map, options.keep_in_memory)
        parameters.n_gpu_layers = options.gpu_layers if library.supports_gpu else 0
        callback = native.llama_progress_callback(report)
        parameters.progress_callback = callback
        library.clear_log()
        model = native.llama_model_load_from_file(_encoded(path), parameters)
        if cancelled:
            if model:
                native.llama_model_free(model)
            raise failure or LoadCancelledError(f"Loading {path.name} was cancelled.")
        if not model:
            raise load_failure(path, library.recent_log())
        self.native = model
        self.vocabulary = Vocabulary(self)

    @property
    def is_recurrent(self) -> bool:
        """True where some or all layers keep a running state in place of a KV cache."""
        return bool(native.llama_model_is_recurrent(self.native) or native.llama_model_is_hybrid(self.native))

    @property
    def sliding_window(self) -> int:
        """Tokens that sliding-window layers look back on; 0 without such layers."""
        return int(native.llama_model_n_swa(self.native))

    @property
    def chat_template(self) -> str | None:
        """The chat template of the file, or None."""
        template = native.llama_model_chat_template(self.native, None)
        return template.decode("utf-8", errors="replace") if template else None

    def close(self) -> None:
        """Frees the weights. Contexts must be closed before."""
        if self.native:
            native.llama_model_free(self.native)
            self.native = None


class LlamaCache(CachedModel):
    """A context of a model: its KV cache, the tokens in it, and passes over more of them."""

    def __init__(self, model: LlamaModel, options: LoadOptions, most_outputs: int | None = None) -> None:
        """Makes the context and reads two tokens to warm up. Raises LoadError.

        `most_outputs`: rows of logits that one pass may give; by default the longest draft plus one.
        """
        self.model = model
        self.vocabulary = model.vocabulary
        parameters = _context_parameters(model, options, most_outputs or options.longest_draft + 1)
        self._context = native.llama_init_from_model(model.native, parameters)
        if not self._context:
            raise LoadError(
                f"llama.cpp could not make a context of {parameters.n_ctx:,} tokens. "
                "Most often there is not enough memory for it: choose a shorter context.",
                model.library.recent_log(),
            )
        self._memory = native.llama_get_memory(self._context)
        available = int(native.llama_n_ctx_seq(self._context))
        length = min(options.context_length or available, available)
        snapshots = int(native.llama_n_rs_seq(self._context))
        super().__init__(
            vocabulary_size=model.vocabulary.size,
            context_length=length,
            batch_size=min(options.batch_size, available),
            rollback_limit=snapshots if model.is_recurrent else length,
            keeps_checkpoints=model.is_recurrent or model.sliding_window > 0,
        )
        self._batch = _Batch(max(self.batch_size, options.longest_draft + 1))
        self._abort_function = _strlen_as_abort_callback()
        self._stop: StopSignal | None = None
        self._rows: tuple[int, int, Logits] | None = None
        self._warm_up()

    def attach(self, stop: StopSignal) -> None:
        """Passes from now on end early once `stop` is set."""
        self._stop = stop
        native.llama_set_abort_callback(self._context, self._abort_function, ctypes.c_void_p(stop.address))

    def close(self) -> None:
        """Frees the context."""
        if self._context:
            native.llama_free(self._context)
            self._context = None

    def _warm_up(self) -> None:
        """Reads two tokens and takes one back: pages in the weights and shows that both work."""
        self._decode(np.zeros(2, np.int32), 0, 1)
        if self.rollback_limit > 0 and not native.llama_memory_seq_rm(self._memory, 0, 1, -1):
            self.rollback_limit = 0
        self._remove_all()

    def _decode(self, tokens: Tokens, start: int, outputs: int) -> Logits:
        status = native.llama_decode(self._context, self._batch.fill(tokens, start, outputs))
        if status == 0:
            return self._logits(outputs)
        if status == 2 and self._stop is not None and self._stop.is_set:
            raise InterruptedPassError
        if status == 1:
            raise EngineError("The context has no room for more tokens.")
        raise EngineError(f"llama.cpp failed to read {len(tokens)} tokens (code {status}).")

    def _logits(self, outputs: int) -> Logits:
        pointer = native.llama_get_logits(self._context)
        address = ctypes.cast(pointer, ctypes.c_void_p).value
        if not address:
            raise EngineError("llama.cpp gave no logits.")
        if self._rows is None or self._rows[:2] != (address, outputs):
            rows = np.ctypeslib.as_array(pointer, (outputs, self.vocabulary_size))
            self._rows = (address, outputs, rows)
        return self._rows[2]

    def _can_keep(self, length: int) -> bool:
        reaches = self.model.sliding_window == 0 or length >= self._length or self._window_reaches(length)
        return reaches and super()._can_keep(length)

    def _remove_from(self, length: int) -> bool:
        if self.model.sliding_window > 0 and not self._window_reaches(length):
            return False
        return bool(native.llama_memory_seq_rm(self._memory, 0, length, -1))

    def _window_reaches(self, length: int) -> bool:
        """Whether sliding-window layers still hold what the token at `length` will look back on."""
        oldest = int(native.llama_memory_seq_pos_min(self._memory, 0))
        return oldest <= max(0, length - self.model.sliding_window)

    def _remove_all(self) -> None:
        native.llama_memory_clear(self._memory, False)

    def _valid_length(self) -> int:
        if self.model.is_recurrent:
            self._remove_all()  # a pass that broke off leaves the running state half-way
            return 0
        return int(native.llama_memory_seq_pos_max(self._memory, 0)) + 1

    def _save_state(self) -> bytes:
        size = native.llama_state_seq_get_size_ext(self._context, 0, _PARTIAL_STATE)
        buffer = (ctypes.c_uint8 * size)()
        written = native.llama_state_seq_get_data_ext(self._context, buffer, size, 0, _PARTIAL_STATE)
        return bytes(memoryview(buffer)[:written])

    def _restore_state(self, checkpoint: Checkpoint) -> bool:
        size = len(checkpoint.state)
        buffer = (ctypes.c_uint8 * size).from_buffer_copy(checkpoint.state)
        read = native.llama_state_seq_set_data_ext(self._context, buffer, size, 0, _PARTIAL_STATE)
        return read > 0 and bool(native.llama_memory_seq_rm(self._memory, 0, checkpoint.length, -1))


class _Batch:
    """Arrays for the tokens of one pass, made once and filled for each."""

    def __init__(self, capacity: int) -> None:
        self._tokens = np.zeros(capacity, np.int32)
        self._positions = np.zeros(capacity, np.int32)
        self._offsets = np.arange(capacity, dtype=np.int32)
        self._outputs = np.zeros(capacity, np.int8)
        self._sequence_counts = np.ones(capacity, np.int32)
        self._sequence = native.llama_seq_id(0)
        self._sequences = (ctypes.POINTER(native.llama_seq_id) * capacity)(
            *[ctypes.pointer(self._sequence)] * capacity
        )
        self._batch = native.llama_batch(
            token=self._tokens.ctypes.data_as(ctypes.POINTER(native.llama_token)),
            pos=self._positions.ctypes.data_as(ctypes.POINTER(native.llama_pos)),
            n_seq_id=self._sequence_counts.ctypes.data_as(ctypes.POINTER(ctypes.c_int32)),
            seq_id=ctypes.cast(self._sequences, ctypes.POINTER(ctypes.POINTER(native.llama_seq_id))),
            logits=self._outputs.ctypes.data_as(ctypes.POINTER(ctypes.c_int8)),
        )

    def fill(self, tokens: Tokens, start: int, outputs: int) -> native.llama_batch:
        """The native batch for `tokens` at positions from `start`, logits wanted for the last `outputs`."""
        count = len(tokens)
        self._tokens[:count] = tokens
        np.add(self._offsets[:count], start, out=self._positions[:count])
        self._outputs[:count] = 0
        self._outputs[count - outputs : count] = 1
        self._batch.n_tokens = count
        return self._batch


def _context_parameters(model: LlamaModel, options: LoadOptions, most_outputs: int) -> Any:
    threads = options.threads or usable_cores()
    parameters = native.llama_context_default_params()
    parameters.n_ctx = options.context_length
    parameters.n_batch = parameters.n_ubatch = max(options.batch_size, options.longest_draft + 1)
    parameters.n_threads = parameters.n_threads_batch = threads
    parameters.n_outputs_max = most_outputs
    parameters.n_rs_seq = options.longest_draft if model.is_recurrent else 0
    parameters.flash_attn_type = _FLASH_ATTENTION[options.flash_attention]
    parameters.type_k = _CACHE_TYPES[options.k_cache_type]
    parameters.type_v = _CACHE_TYPES[options.v_cache_type]
    parameters.rope_freq_base = options.rope_frequency_base or 0.0
    parameters.rope_freq_scale = options.rope_frequency_scale or 0.0
    parameters.swa_full = False
    parameters.no_perf = True
    return parameters


def _load_mode(memory_map: bool, keep_in_memory: bool) -> int:
    return (1 if memory_map else 0) + (2 if keep_in_memory else 0)  # LLAMA_LOAD_MODE_*


def _strlen_as_abort_callback() -> Any:
    """The C library's strlen, typed as llama.cpp's abort callback; see StopSignal."""
    c_library = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)
    return ctypes.cast(c_library.strlen, native.ggml_abort_callback)


def _encoded(path: Path) -> bytes:
    return os.fsencode(path)
