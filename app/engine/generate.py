"""The loop: one generator of rounds.

A round is: decide how many tokens to draft, let the drafter propose them, read the last token and the
draft in one pass of the target, judge the draft, forget what was rejected, emit. The first token comes
straight from reading the prompt, so that generation speed is counted from there.
"""

from collections.abc import Callable, Iterator
from time import perf_counter

import numpy as np

from app.core.drafting_state import DraftingState
from app.core.errors import PromptTooLongError
from app.core.machine import peak_rss_bytes
from app.core.options import GenerationLimits, SpeculationOptions
from app.core.protocol import Done, Round, TextPiece
from app.core.stats import RoundStats, StatsRecorder, StopReason
from app.engine.acceptance import Draft, TargetSampler, Verdict, verify
from app.engine.cache import CachedModel, Progress
from app.engine.speculating import NO_DRAFT, CheckedRound, Proposal, Room, Speculation
from app.engine.stopping import InterruptedPassError, StopSignal
from app.engine.text import TextStream
from app.engine.tokens import TokenBuffer, Tokens, TokenTable
from app.engine.tracing import Traced, traced_round, traced_tokens

Clock = Callable[[], float]

_NOTHING = Proposal(NO_DRAFT, NO_DRAFT)


class Generation:
    """One answer. `rounds` yields Round after Round, then Done; giving up in between is safe."""

    def __init__(
        self,
        target: CachedModel,
        table: TokenTable,
        sampler: TargetSampler,
        speculation: Speculation | None,
        limits: GenerationLimits,
        stop: StopSignal,
        clock: Clock = perf_counter,
        *,
        trace: bool = False,
    ) -> None:
        """`speculation` is None for plain generation; `trace` records what drafted tokens were worth."""
        self._target = target
        self._table = table
        self._sampler = sampler
        self._speculation = speculation
        self._limits = limits
        self._stop = stop
        self._clock = clock
        self._traces = trace
        self._text = TextStream(limits.stop_strings)
        self._context = TokenBuffer(target.context_length + 1)
        self._generated = 0

    @property
    def text(self) -> str:
        """The answer so far."""
        return self._text.text

    def rounds(self, prompt: Tokens, on_prefill: Progress | None = None) -> Iterator[Round | Done]:
        """Reads the prompt and generates. Raises PromptTooLongError before anything is read."""
        if len(prompt) >= self._target.context_length:
            raise PromptTooLongError(len(prompt), self._target.context_length)
        self._context.extend(prompt)
        recorder = StatsRecorder(self._clock(), len(prompt))
        reason = StopReason.STOPPED
        try:
            round_, ended = self._first_round(prompt, recorder, on_prefill)
            while True:
                recorder.add(round_.stats, self._clock())
                yield round_
                if ended is not None:
                    reason = ended
                    break
                round_, ended = self._round()
        except InterruptedPassError:
            pass  # the caches know what they hold; the answer so far stands
        plain_s = None if self._speculation is None else self._speculation.plain_s
        yield Done(self._text.finish(), recorder.finish(reason, peak_rss_bytes(), plain_s))

    def _first_round(
        self, prompt: Tokens, recorder: StatsRecorder, on_prefill: Progress | None
    ) -> tuple[Round, StopReason | None]:
        """Reads the prompt, with the target and then the drafter, and draws the first token."""
        row = self._target.sync(prompt, on_prefill, checkpoint=True)
        token = self._sampler.choose(row)
        self._sampler.accept(token)
        if self._speculation is not None:
            self._speculation.begin(prompt, self._room())
        recorder.prompt_read(self._clock(), self._target.kept)
        return self._emit(_NOTHING, (), Verdict(0, token), (0.0, 0.0, 0.0), None)

    def _round(self) -> tuple[Round, StopReason | None]:
        if self._stop.is_set:
            raise InterruptedPassError
        started = self._clock()
        speculation = self._speculation
        proposal = _NOTHING
        if speculation is not None:
            proposal = speculation.propose(self._context.array, self._room())
        tested = proposal.tested
        drafted = self._clock()

        last = self._context.array[-1:]
        held = self._target.length
        rows = self._target.forward(np.concatenate((last, np.array(tested.tokens, np.int32))))
        read = begun = self._clock()

        traced: Traced = ()
        if self._traces:
            traced = traced_tokens(self._sampler, self._table, rows, tested)
            begun = self._clock()  # recording is no part of sampling
        options = speculation.options if speculation is not None else SpeculationOptions()
        verdict = verify(self._sampler, rows, tested, options)
        judged = self._clock()

        self._target.truncate(held + 1 + verdict.accepted)
        draft_s, check_s = drafted - started, read - drafted + self._clock() - judged
        drafting = None
        if speculation is not None:
            emitted = verdict.accepted + (not self._table.ends_generation(verdict.next_token))
            drafting = speculation.observe(CheckedRound(proposal, verdict, emitted, held, draft_s, check_s))
        return self._emit(proposal, traced, verdict, (draft_s, check_s, judged - begun), drafting)

    def _room(self) -> Room:
        tokens_left = self._limits.max_tokens - self._generated if self._limits.max_tokens else 2**31
        return Room(tokens_left, self._target.context_length - self._target.length)

    def _emit(
        self,
        proposal: Proposal,
        traced: Traced,
        verdict: Verdict,
        times: tuple[float, float, float],
        drafting: DraftingState | None,
    ) -> tuple[Round, StopReason | None]:
        """Turns a verdict into emitted tokens and text, and says whether the answer has ended."""
        proposed, tested = proposal.drafted, proposal.tested
        kept = list(tested.tokens[: verdict.accepted])
        emitted: list[int] = []
        pieces: list[TextPiece] = []
        ended: StopReason | None = None
        for index, token in enumerate([*kept, verdict.next_token]):
            if self._table.ends_generation(token):
                ended = StopReason.END_OF_GENERATION
                break
            emitted.append(token)
            pieces += self._pushed(tested, index, token, from_draft=index < len(kept))
            if self._text.stopped_by is not None:
                ended = StopReason.STOP_STRING
                break
            if self._generated + len(emitted) == self._limits.max_tokens:
                ended = StopReason.MAX_TOKENS
                break
        self._context.extend(emitted)
        self._generated += len(emitted)
        if ended is None and self._target.length >= self._target.context_length:
            ended = StopReason.CONTEXT_FULL
        draft_s, verify_s, sample_s = times
        stats = RoundStats(
            source=proposed.source,
            drafted=len(proposed.tokens),
            tested=len(tested.tokens),
            accepted=min(len(kept), len(emitted)),
            emitted=len(emitted),
            draft_s=draft_s,
            verify_s=verify_s,
            sample_s=sample_s,
            looked_up=tested.looked_up,
        )
        trace = traced_round(self._table, traced, verdict, stats) if self._traces else None
        return Round(tuple(emitted), tuple(pieces), stats, trace, drafting), ended

    def _pushed(self, draft: Draft, index: int, token: int, *, from_draft: bool) -> tuple[TextPiece, ...]:
        probability = draft.own_probability(index) if from_draft else None
        return self._text.push(
            self._table.piece(token),
            from_draft=from_draft,
            position=index + 1 if from_draft else 0,
            probability=probability,
        )
