"""What a person can choose: how a model is loaded, how tokens are drafted, how they are sampled.

Each group is a frozen struct whose defaults are the application's defaults. `problems()` names what
does not hold together; nothing here corrects a value behind the user's back.
"""

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

LONGEST_DRAFT = 16  # tokens; the ceiling for max draft tokens, and what a context is prepared for
LONGEST_CONTEXT = 2**24  # tokens; above what any model is made for
_FURTHEST_STRETCH = 4  # times the length that a model was made for, with RoPE frequencies that are set


class CacheType(StrEnum):
    """The number format of the K or V half of the KV cache."""

    F32 = "f32"
    F16 = "f16"
    BF16 = "bf16"
    Q8_0 = "q8_0"
    Q5_1 = "q5_1"
    Q5_0 = "q5_0"
    Q4_1 = "q4_1"
    Q4_0 = "q4_0"
    IQ4_NL = "iq4_nl"


class Switch(StrEnum):
    """A setting that may be left to the program."""

    AUTOMATIC = "automatic"
    ON = "on"
    OFF = "off"


class LoadOptions(Struct, frozen=True):
    """How one model is put into memory. A change takes effect at the next load."""

    context_length: int = 4096  # tokens; 0 takes the model's own
    threads: int = 0  # 0 takes the physical cores
    batch_size: int = 512  # tokens read at once from a prompt
    gpu_layers: int = 0  # -1 takes all of them; counts only in a build with GPU support
    flash_attention: Switch = Switch.AUTOMATIC
    k_cache_type: CacheType = CacheType.F16
    v_cache_type: CacheType = CacheType.F16
    mmap: Switch = Switch.AUTOMATIC
    keep_in_memory: bool = False  # lock the weights so that they are never swapped out
    rope_frequency_base: float | None = None  # None: the model's own
    rope_frequency_scale: float | None = None
    longest_draft: int = LONGEST_DRAFT  # tokens; sizes the output buffer and the rollback snapshots

    def for_draft(self, target_context: int, draft_context: int | None) -> "LoadOptions":
        """How a draft model is loaded beside its target: alike, with no more context than either has.

        `target_context` is in force in the target (0: not known), `draft_context` what the draft model
        was made for.
        """
        lengths = (self.context_length, target_context, draft_context)
        shortest = min((length for length in lengths if length), default=0)
        return replace(self, context_length=shortest, rope_frequency_base=None, rope_frequency_scale=None)

    def longest_context(self, made_for: int | None) -> int:
        """The most tokens of context for a model that was made for so many; None: its file does not tell.

        RoPE frequencies of the person's own stretch a model, though not without end.
        """
        if made_for is None:
            return LONGEST_CONTEXT
        stretched = self.rope_frequency_base is not None or self.rope_frequency_scale is not None
        return min(made_for * _FURTHEST_STRETCH if stretched else made_for, LONGEST_CONTEXT)

    def fitted_to(self, made_for: int | None) -> "LoadOptions":
        """The same with no more context than the model can have."""
        return replace(self, context_length=min(self.context_length, self.longest_context(made_for)))

    def context_problem(self, made_for: int | None) -> str | None:
        """Why a model that was made for so many tokens cannot have this context; None if it can."""
        most = self.longest_context(made_for)
        if self.context_length <= most:
            return None
        if made_for is None or most == LONGEST_CONTEXT:
            return f"the context length can be at most {LONGEST_CONTEXT:,} tokens"
        if most > made_for:
            return (
                f"the context length can be at most {most:,} tokens, "
                f"{_FURTHEST_STRETCH} times what the model was made for"
            )
        return f"the context length can be at most {most:,} tokens: the model was made for no more"

    def problems(self) -> list[str]:
        """Sentences for every value that cannot be used; empty when all is well."""
        found = []
        if self.context_length != 0 and self.context_length < 8:
            found.append("the context length must be at least 8 tokens")
        too_long = self.context_problem(None)
        if too_long is not None:
            found.append(too_long)
        if self.threads < 0:
            found.append("the number of threads cannot be negative")
        if self.batch_size < 1:
            found.append("the evaluation batch size must be at least 1")
        if self.gpu_layers < -1:
            found.append("GPU layers must be -1 (all), 0 or more")
        if not 0 <= self.longest_draft <= 64:
            found.append("the longest draft must be between 0 and 64 tokens")
        quantised_v = self.v_cache_type not in (CacheType.F32, CacheType.F16, CacheType.BF16)
        if quantised_v and self.flash_attention is Switch.OFF:
            found.append("a quantised V cache needs flash attention")
        return found


class SpeculationMode(StrEnum):
    """Where drafts come from."""

    OFF = "off"
    DRAFT_MODEL = "draft"
    PROMPT_LOOKUP = "lookup"


class AcceptanceRule(StrEnum):
    """Which drafted tokens are kept. The last three trade fidelity for speed."""

    MATCH = "match"
    REJECTION = "rejection"
    DIFFERENCE = "difference"
    RATIO = "ratio"
    TOP_K = "top-k"

    @property
    def changes_output(self) -> bool:
        """True where the text may differ, even in distribution, from generation without a draft."""
        return self in (AcceptanceRule.DIFFERENCE, AcceptanceRule.RATIO, AcceptanceRule.TOP_K)


class DraftLength(StrEnum):
    """Who decides how many tokens are drafted."""

    AUTOMATIC = "auto"  # the program, round by round, from what this machine measures
    FIXED = "fixed"  # the person's three numbers


class SpeculationOptions(Struct, frozen=True):
    """Where drafts come from, how long they are, and which of their tokens are kept."""

    mode: SpeculationMode = SpeculationMode.OFF
    draft_length: DraftLength = DraftLength.AUTOMATIC
    draft_ceiling: int = LONGEST_DRAFT  # tokens that an automatic draft has at most
    max_draft_tokens: int = 3  # this and the next two are those of a fixed length
    min_draft_tokens: int = 0  # a shorter draft is dropped before it is verified
    draft_probability: float = 0.0  # drafting ends at the first token less likely than this
    acceptance: AcceptanceRule = AcceptanceRule.MATCH
    difference_limit: float = 0.3  # e in |p - q| < e
    ratio_limit: float = 0.3  # r in p / q > r
    top_k_limit: int = 3  # k in "among the target's k likeliest"
    lookup_longest: int = 4  # tokens in the longest n-gram that prompt lookup matches
    lookup_shortest: int = 2

    @property
    def is_automatic(self) -> bool:
        """True where something drafts and the program decides how much."""
        return self.mode is not SpeculationMode.OFF and self.draft_length is DraftLength.AUTOMATIC

    @property
    def longest(self) -> int:
        """The most tokens that a draft can have."""
        return self.draft_ceiling if self.draft_length is DraftLength.AUTOMATIC else self.max_draft_tokens

    def problems(self) -> list[str]:
        """Sentences for every value that cannot be used; empty when all is well."""
        found = []
        if self.draft_length is DraftLength.AUTOMATIC and not 1 <= self.draft_ceiling <= LONGEST_DRAFT:
            found.append(f"the most tokens of an automatic draft must be between 1 and {LONGEST_DRAFT}")
        elif not 1 <= self.max_draft_tokens <= LONGEST_DRAFT:
            found.append(f"max draft tokens must be between 1 and {LONGEST_DRAFT}")
        if self.min_draft_tokens < 0:
            found.append("min draft tokens cannot be negative")
        if self.min_draft_tokens > self.max_draft_tokens:
            found.append("min draft tokens cannot be more than max draft tokens")
        if not 0.0 <= self.draft_probability <= 1.0:
            found.append("the draft probability must be between 0 and 1")
        if not 0.0 < self.difference_limit <= 1.0:
            found.append("the difference limit must be above 0 and at most 1")
        if self.ratio_limit <= 0.0:
            found.append("the ratio limit must be above 0")
        if self.top_k_limit < 1:
            found.append("the top-k limit must be at least 1")
        if not 1 <= self.lookup_shortest <= self.lookup_longest <= 16:
            found.append("the lookup sizes must be between 1 and 16, shortest first")
        return found


class SamplingOptions(Struct, frozen=True):
    """How the target chooses among its candidates. Temperature 0 is greedy."""

    temperature: float = 0.8
    top_k: int = 40  # 0 keeps all
    top_p: float = 0.95
    min_p: float = 0.05
    repeat_penalty: float = 1.0  # 1 is none
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    penalty_window: int = 64  # tokens looked back on; 0 switches the penalties off
    seed: int = 0
    grammar: str | None = None  # GBNF
    json_schema: str | None = None  # JSON text; only one of the two

    def problems(self) -> list[str]:
        """Sentences for every value that cannot be used; empty when all is well."""
        found = []
        if not 0.0 <= self.temperature <= 100.0:
            found.append("the temperature must be between 0 and 100")
        if self.top_k < 0:
            found.append("top-k cannot be negative")
        if not 0.0 < self.top_p <= 1.0:
            found.append("top-p must be above 0 and at most 1")
        if not 0.0 <= self.min_p <= 1.0:
            found.append("min-p must be between 0 and 1")
        if not 0.0 < self.repeat_penalty <= 100.0:
            found.append("the repeat penalty must be above 0")
        if self.penalty_window < 0:
            found.append("the penalty window cannot be negative")
        if not 0 <= self.seed < 2**32:
            found.append("the seed must be between 0 and 4294967295")
        if self.grammar is not None and self.json_schema is not None:
            found.append("give a grammar or a JSON schema, not both")
        return found


class GenerationLimits(Struct, frozen=True):
    """When an answer ends, besides the model's own end-of-generation token."""

    max_tokens: int = 0  # 0: until the context is full
    stop_strings: tuple[str, ...] = ()

    def problems(self) -> list[str]:
        """Sentences for every value that cannot be used; empty when all is well."""
        found = []
        if self.max_tokens < 0:
            found.append("max tokens cannot be negative")
        if any(not text for text in self.stop_strings):
            found.append("a stop string cannot be empty")
        return found
