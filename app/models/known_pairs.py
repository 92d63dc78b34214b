"""Pairs of target and draft that people have run and told of, in public and by name.

Short on purpose: a model of the same family and version is found without it. Not here, though they look
alike: Gemma 2 27B with 2B (token 139 differs), DeepSeek R1 Distill Llama with Llama 3.2 (other special
tokens), Llama 3 with Llama 3.2 (reserved tokens have names since 3.1), and mixtures with few active experts
(a draft's work is not small beside theirs).
"""

from msgspec import Struct

from app.models.model_family import ModelFamily, Trait, parse_family

_NEAR = 0.25  # how far a counted number of parameters may be from the size in a name: a "1B" may have 1.24

# What tells models of one family and version apart for drafting.
_PURPOSES = frozenset((Trait.CODE, Trait.MATH))


class KnownPair(Struct, frozen=True):
    """Targets, by family, versions, purpose and sizes in billions of parameters, and the names of drafts."""

    family: str
    versions: tuple[str, ...]
    sizes: tuple[float, ...]
    drafts: tuple[str, ...]  # the best first; words that find their repositories
    purposes: frozenset[Trait] = frozenset()

    def has(self, target: ModelFamily, parameters: int | None) -> bool:
        """Whether a target is one of these. `parameters` are those counted, where they are known."""
        if target.family != self.family or target.version not in self.versions:
            return False
        if purposes_of(target) != self.purposes or Trait.VISION in target.traits:
            return False
        size = target.parameters or parameters
        if size is None or target.active_parameters is not None:
            return False
        return any(abs(size / (each * 1e9) - 1) <= _NEAR for each in self.sizes)


_PAIRS = (
    # LM Studio's documentation (8B); llama.cpp issue 5877 (8B: 72 % accepted) and 10664; Docker's
    # model-runner, pull request 327 (3.3 70B).
    KnownPair("llama", ("3.1", "3.3"), (8, 70), ("Llama-3.2-1B",)),
    # LM Studio's documentation (14B) and release notes (32B); llama.cpp issue 10664 (72B); mlx-engine,
    # pull request 83 (7B).
    KnownPair("qwen", ("2.5",), (7, 14, 32, 72), ("Qwen2.5-0.5B",)),
    # llama-server's own presets (7B, 14B); llama.cpp pull requests 10290 and 10455 (32B).
    KnownPair("qwen", ("2.5",), (1.5, 3, 7, 14, 32), ("Qwen2.5-Coder-0.5B",), frozenset({Trait.CODE})),
    # llama.cpp pull request 17808 (8B); vLLM pull request 24322 (4B, 32B); measured on a 3090 (14B: 2.2 x).
    KnownPair("qwen", ("3",), (4, 8, 14, 32), ("Qwen3-0.6B",)),
    # LM Studio's documentation (32B).
    KnownPair("deepseek-r1-distill-qwen", ("",), (7, 14, 32), ("DeepSeek-R1-Distill-Qwen-1.5B",)),
    # lmstudio-bug-tracker 481 (27B and 4B with 1B, in llama.cpp); a thread on 12B with 270M: 1.8 x.
    KnownPair("gemma", ("3",), (4, 12), ("gemma-3-270m", "gemma-3-1b")),
    KnownPair("gemma", ("3",), (27,), ("gemma-3-1b", "gemma-3-270m")),
    # mlx-examples pull request 954 (the 1.7B with the 135M of the generation before: 2 x).
    KnownPair("smollm", ("2",), (1.7,), ("SmolLM2-135M", "SmolLM2-360M")),
    # Made as a draft for it: 1.3 to 1.6 x in a thread on its release.
    KnownPair("mistral-small", ("3.1",), (24,), ("Mistral-Small-3.1-DRAFT-0.5B",)),
)


def known_drafts(target: ModelFamily, parameters: int | None) -> tuple[str, ...]:
    """Names of drafts that are known to go with a target, the best first; nothing if none are."""
    return next((pair.drafts for pair in _PAIRS if pair.has(target, parameters)), ())


def purposes_of(model: ModelFamily) -> frozenset[Trait]:
    """What tells it apart from others of its family: that it was made for code, or for mathematics."""
    return model.traits & _PURPOSES


def is_named(model: ModelFamily, name: str) -> bool:
    """Whether a model is the one of that name, tuned for chatting or not, by whoever put it into a file."""
    wanted = parse_family(name)
    return (
        model.is_kin_of(wanted)
        and model.parameters == wanted.parameters
        and purposes_of(model) == purposes_of(wanted)
        and set(wanted.extras) <= set(model.extras)
        and Trait.VISION not in model.traits
        and model.writes_text
    )
