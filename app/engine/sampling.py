"""Choosing the next token: penalties, grammar, llama.cpp's filters, and the draw.

The order is llama.cpp's: penalties, top-k, top-p, min-p, temperature. The draw is the largest of
log-probability plus noise (the Gumbel-max trick), with noise that belongs to the position; see noise.py.
Everything here works on one row of logits at a time and knows nothing of drafts being verified.
"""

import ctypes
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from copy import copy
from io import StringIO
from typing import Any

import llama_cpp.llama_cpp as native
import numpy as np
import numpy.typing as npt
from llama_cpp.llama_grammar import json_schema_to_gbnf

from app.core.errors import EngineError, GrammarError, OptionsError
from app.core.options import SamplingOptions
from app.engine.distribution import BLOCK, Distribution, draw, likeliest
from app.engine.draft_chooser import DraftChooser
from app.engine.llama import Vocabulary
from app.engine.margin import margin_between
from app.engine.noise import Noise, Purpose
from app.engine.penalties import Penalties
from app.engine.tokens import Logits, Tokens, TokenTable

_CANDIDATE = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)])  # llama_token_data


class Filters:
    """llama.cpp's top-k, top-p, min-p and temperature, for temperatures above 0."""

    def __init__(self, options: SamplingOptions, vocabulary_size: int) -> None:
        self._top_k = options.top_k
        self._everything = np.zeros(vocabulary_size, _CANDIDATE)
        self._everything["id"] = np.arange(vocabulary_size)
        self._chain = native.llama_sampler_chain_init(native.llama_sampler_chain_default_params())
        stages = []
        if options.top_k > 0:
            stages.append(native.llama_sampler_init_top_k(options.top_k))
        if options.top_p < 1.0:
            stages.append(native.llama_sampler_init_top_p(options.top_p, 1))
        if options.min_p > 0.0:
            stages.append(native.llama_sampler_init_min_p(options.min_p, 1))
        stages.append(native.llama_sampler_init_temp(options.temperature))
        for stage in stages:
            native.llama_sampler_chain_add(self._chain, stage)

    def apply(self, row: Logits) -> Distribution:
        """The tokens that pass, with their probabilities."""
        candidates = self._candidates(row)
        passed = _apply(self._chain, candidates)
        logits = passed["logit"].astype(np.float64)
        weights = np.exp(logits - logits.max())
        return Distribution(passed["id"].copy(), weights / weights.sum())

    def close(self) -> None:
        """Frees the native chain."""
        native.llama_sampler_free(self._chain)

    def _candidates(self, row: Logits) -> npt.NDArray[np.void]:
        if 0 < self._top_k < len(row) // (2 * BLOCK):
            ids = likeliest(row, self._top_k)
            candidates = np.zeros(len(ids), _CANDIDATE)
            candidates["id"] = ids
            candidates["logit"] = row[ids]
            return candidates
        candidates = self._everything[: len(row)].copy()
        candidates["logit"] = row
        return candidates


class Grammar:
    """A GBNF grammar in force: which tokens may come next."""

    def __init__(self, vocabulary: Vocabulary, text: str) -> None:
        """Raises GrammarError for a text llama.cpp does not accept."""
        encoded = text.encode()
        sampler = native.llama_sampler_init_grammar(vocabulary.native, encoded, b"root") if text else None
        if not sampler:
            raise GrammarError("The grammar is not valid GBNF, or has no rule called root.")
        self._sampler = sampler
        self._everything = np.zeros(vocabulary.size, _CANDIDATE)
        self._everything["id"] = np.arange(vocabulary.size)

    def allows(self, token: int) -> bool:
        """True where the token may come next."""
        candidate = np.zeros(1, _CANDIDATE)
        candidate["id"] = token
        return bool(np.isfinite(_apply(self._sampler, candidate)["logit"][0]))

    def applied(self, row: Logits) -> Logits:
        """The logits with every forbidden token at minus infinity. Raises GrammarError if all are."""
        candidates = self._everything.copy()
        candidates["logit"] = row
        allowed = _apply(self._sampler, candidates)["logit"].copy()
        if not np.isfinite(allowed.max()):
            raise GrammarError("The grammar allows no further token here.")
        return allowed

    def accept(self, token: int) -> None:
        """The token is part of the text from now on. It must be allowed and must not end generation."""
        native.llama_sampler_accept(self._sampler, token)

    def copy(self) -> "Grammar":
        """The same state, for looking ahead; to be closed too."""
        twin = copy(self)
        twin._sampler = native.llama_sampler_clone(self._sampler)
        return twin

    def close(self) -> None:
        """Frees the native grammar."""
        native.llama_sampler_free(self._sampler)


class Sampler:
    """Draws the target's tokens. Advances only with `accept`, so nothing is ever rewound."""

    def __init__(self, vocabulary: TokenTable, options: SamplingOptions, prompt: Tokens) -> None:
        """`prompt` counts for the penalties. Raises OptionsError and GrammarError."""
        if problems := options.problems():
            raise OptionsError("; ".join(problems))
        self._vocabulary = vocabulary
        self._options = options
        self._greedy = options.temperature == 0.0
        self._noise = Noise(options.seed)
        self._step = 0
        self._penalties = Penalties(options, prompt)
        self._grammar = _grammar(vocabulary, options)
        self._filters = None if self._greedy else Filters(options, vocabulary.size)

    @property
    def step(self) -> int:
        """How many tokens of the answer were accepted."""
        return self._step

    @property
    def noise(self) -> Noise:
        """The random numbers of this answer."""
        return self._noise

    @property
    def is_greedy(self) -> bool:
        """True where the likeliest token is taken."""
        return self._greedy

    def choose(self, row: Logits) -> int:
        """The token drawn after these logits. Raises GrammarError where none is allowed."""
        token, _ = self._drawn(row)
        if not np.isfinite(row[token]):
            raise EngineError("The model gave no usable logits; its file may be damaged.")
        return token

    def margin(self, row: Logits, one: int, other: int) -> float | None:
        """How near the draw after these logits is between two tokens, in logits; see margin.py.

        None where one of them cannot be drawn at all.
        """
        _, logits = self._drawn(row)
        scores = self._scores(logits, [one, other])
        margin = margin_between(logits, (one, other), (float(scores[0]), float(scores[1])), self._options)
        return margin if np.isfinite(margin) else None

    def foremost(self, row: Logits, tokens: Sequence[int]) -> int:
        """Which of some tokens would be drawn if there were no others."""
        return tokens[int(self._scores(self._penalties.applied(row), tokens).argmax())]

    def distribution(self, row: Logits) -> Distribution:
        """What `choose` draws from; for a greedy sampler all on one token."""
        logits = self._penalties.applied(row)
        if self._grammar is not None:
            logits = self._grammar.applied(logits)
        return self._distribution(logits)

    def likelihood(self, row: Logits) -> Distribution:
        """`distribution`, but for a greedy sampler the softmax over all that is allowed."""
        if self._filters is not None:
            return self.distribution(row)
        logits = self._penalties.applied(row)
        if self._grammar is not None:
            logits = self._grammar.applied(logits)
        weights = np.exp((logits - logits.max()).astype(np.float64))
        return Distribution(np.arange(len(row), dtype=np.int32), weights / weights.sum())

    def accept(self, token: int) -> None:
        """The token is part of the answer from now on."""
        self._step += 1
        self._penalties.accept(token)
        if self._grammar is not None and not self._vocabulary.ends_generation(token):
            self._grammar.accept(token)

    def allows(self, token: int) -> bool:
        """False where a grammar forbids the token here."""
        return self._grammar is None or self._grammar.allows(token)

    @contextmanager
    def ahead(self) -> Iterator["Sampler"]:
        """A copy, for as long as the block lasts, that may accept tokens which are not certain yet."""
        twin = copy(self)
        twin._penalties = self._penalties.copy()
        if self._grammar is None:
            yield twin
            return
        grammar = twin._grammar = self._grammar.copy()
        try:
            yield twin
        finally:
            grammar.close()

    def draft_chooser(self, *, shares_noise: bool) -> DraftChooser:
        """Draws for a draft that continues from here, with the same penalties and filters.

        `shares_noise` draws with the target's own noise, which is right where drafted tokens are kept
        if they equal the target's draw; the other acceptance rules need independent draws.
        """
        purpose = Purpose.CHOICE if shares_noise else Purpose.DRAFT
        filtered = None if self._filters is None else self._filters.apply
        return DraftChooser(
            self._penalties.copy(), filtered, self._options.temperature, self._noise, purpose, self._step
        )

    def close(self) -> None:
        """Frees the native parts."""
        if self._filters is not None:
            self._filters.close()
        if self._grammar is not None:
            self._grammar.close()

    def _drawn(self, row: Logits) -> tuple[int, Logits]:
        """The token that is drawn, and the logits that it is drawn by."""
        logits = self._penalties.applied(row)
        token = self._draw(logits)
        if self._grammar is not None and not self._grammar.allows(token):
            logits = self._grammar.applied(logits)
            token = self._draw(logits)
        return token, logits

    def _scores(self, logits: Logits, tokens: Sequence[int]) -> npt.NDArray[np.float64]:
        """What the draw compares, times the temperature: logits with their noise."""
        ids = np.array(tokens, np.int32)
        if self._greedy:
            return logits[ids].astype(np.float64)
        noise = self._noise.gumbel(Purpose.CHOICE, self._step, ids)
        return logits[ids] + self._options.temperature * noise

    def _draw(self, logits: Logits) -> int:
        if self._filters is None:
            return int(logits.argmax())
        return draw(self._distribution(logits), self._noise, Purpose.CHOICE, self._step)

    def _distribution(self, logits: Logits) -> Distribution:
        if self._filters is None:
            return Distribution(np.array([logits.argmax()], np.int32), np.ones(1))
        return self._filters.apply(logits)


def _apply(sampler: Any, candidates: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
    """Runs a native sampler over candidates; those that are left, in its order (a view)."""
    array = native.llama_token_data_array(
        data=candidates.ctypes.data_as(ctypes.POINTER(native.llama_token_data)),
        size=len(candidates),
        selected=-1,
        sorted=False,
    )
    native.llama_sampler_apply(sampler, ctypes.byref(array))
    address = ctypes.cast(array.data, ctypes.c_void_p).value or 0
    first = (address - candidates.ctypes.data) // _CANDIDATE.itemsize
    return candidates[first : first + array.size]


def _grammar(vocabulary: TokenTable, options: SamplingOptions) -> Grammar | None:
    if options.grammar is None and options.json_schema is None:
        return None
    if not isinstance(vocabulary, Vocabulary):
        raise GrammarError("Only a model loaded by llama.cpp can follow a grammar.")
    text = options.grammar if options.json_schema is None else _grammar_of_schema(options.json_schema)
    return Grammar(vocabulary, text or "")


def _grammar_of_schema(schema: str) -> str:
    """A JSON schema as GBNF, by llama-cpp-python's converter."""
    try:
        with redirect_stderr(StringIO()):
            return str(json_schema_to_gbnf(schema))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, AssertionError) as error:
        reason = "it is not JSON" if isinstance(error, json.JSONDecodeError) else str(error)
        raise GrammarError(f"The JSON schema cannot be turned into a grammar: {reason}.") from error
