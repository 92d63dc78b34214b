"""What is known about model architectures by name, as far as it has to be known before a model is loaded.

The names and rules are llama.cpp's (src/llama-arch.cpp, llama-model.cpp and src/models). An architecture that
is not mentioned is taken for an ordinary transformer; whether it can be loaded, llama.cpp says.
"""

from collections.abc import Mapping
from enum import Enum, auto
from types import MappingProxyType

from msgspec import Struct

# Encoders: they turn a text into a vector.
EMBEDDING = frozenset(
    (
        "bert",
        "eurobert",
        "gemma-embedding",
        "jina-bert-v2",
        "jina-bert-v3",
        "llama-embed",
        "modern-bert",
        "neo-bert",
        "nomic-bert",
        "nomic-bert-moe",
        "t5encoder",
    )
)

# Known, but not models that continue a text, with the reason.
UNSUPPORTED: Mapping[str, str] = MappingProxyType(
    {
        "t5": "an encoder-decoder model",
        "dream": "a diffusion model, which does not write from left to right",
        "llada": "a diffusion model, which does not write from left to right",
        "llada-moe": "a diffusion model, which does not write from left to right",
        "rnd1": "a diffusion model, which does not write from left to right",
        "wavtokenizer-dec": "one half of a speech model",
        "pockettts": "a speech model",
        "qwen3tts": "a speech model",
        "eagle3": "a drafting head, which only works inside the model that it was made for",
        "dflash": "a drafting head, which only works inside the model that it was made for",
        "gemma4-assistant": "a drafting head, which only works inside the model that it was made for",
    }
)

# All layers keep a state of fixed size instead of a cache of all tokens.
RECURRENT = frozenset(("arwkv7", "mamba", "mamba2", "rwkv6", "rwkv6qwen2", "rwkv7"))

# Some layers do, or all of them besides attention.
HYBRID = frozenset(
    (
        "bailingmoe3",
        "deepseek4",
        "falcon-h1",
        "glm5-next",
        "granitehybrid",
        "jamba",
        "kimi-k3",
        "kimi-linear",
        "lfm2",
        "lfm2moe",
        "minimax-01",
        "nemotron_h",
        "nemotron_h_moe",
        "plamo2",
        "qwen35",
        "qwen35moe",
        "qwen3next",
        "qwen4exp",
    )
)

# The state can be rolled back by a few tokens (llama.cpp keeps snapshots of it).
ROLLS_BACK = frozenset(
    (
        "bailingmoe3",
        "deepseek4",
        "glm5-next",
        "kimi-k3",
        "lfm2",
        "lfm2moe",
        "nemotron_h",
        "nemotron_h_moe",
        "qwen35",
        "qwen35moe",
        "qwen4exp",
    )
)

# Positions are not rotated into keys and queries, or not in every model of the kind.
NO_ROTATION = (
    RECURRENT | HYBRID | {"baichuan", "bloom", "gpt2", "jais", "jais2", "mpt", "refact", "starcoder"}
) - {
    "lfm2",
    "lfm2moe",
}


class RecurrentLayers(Enum):
    """How a hybrid tells its recurrent layers from the others."""

    ALL = auto()  # each layer has both halves
    WITHOUT_KV_HEADS = auto()
    WITHOUT_KV_HEADS_AND_FEED_FORWARD = auto()
    INTERVAL = auto()  # every n-th layer is attention
    UNKNOWN = auto()


_BY_INTERVAL = frozenset(("minimax-01", "qwen3next", "qwen35", "qwen35moe", "qwen4exp"))


def recurrent_layers(architecture: str) -> RecurrentLayers:
    """The rule for a recurrent or hybrid architecture."""
    if architecture in RECURRENT or architecture == "falcon-h1":
        return RecurrentLayers.ALL
    if architecture in ("nemotron_h", "nemotron_h_moe"):
        return RecurrentLayers.WITHOUT_KV_HEADS_AND_FEED_FORWARD
    if architecture in _BY_INTERVAL:
        return RecurrentLayers.INTERVAL
    return RecurrentLayers.UNKNOWN if architecture == "deepseek4" else RecurrentLayers.WITHOUT_KV_HEADS


def default_attention_interval(architecture: str) -> int:
    """Every how many layers there is attention, where the file does not say."""
    return 8 if architecture == "minimax-01" else 4


class SlidingRule(Struct, frozen=True):
    """Which layers look back only so far, where the file does not list them.

    Of every `period` layers one sees everything: the first if `full_first`, else the last. 0: none does.
    """

    period: int
    full_first: bool = False
    window: int = 0  # tokens, where the file does not say
    fixed: bool = False  # the window is this one, whatever the file says (unless that is 0)
    only_layers: int = 0  # the rule holds only for models of so many layers


# llama.cpp ignores a sliding window in the files of all other architectures.
SLIDING: Mapping[str, SlidingRule] = MappingProxyType(
    {
        "afmoe": SlidingRule(4),
        "cohere2": SlidingRule(4),
        "cohere2moe": SlidingRule(4, full_first=True),
        "deepseek4": SlidingRule(0),
        "dots3note": SlidingRule(1),
        "exaone-moe": SlidingRule(4, window=128),
        "exaone4": SlidingRule(4, window=4096, only_layers=64),
        "gemma2": SlidingRule(2, window=4096),
        "gemma3": SlidingRule(6),
        "gemma3n": SlidingRule(5),
        "gemma4": SlidingRule(1),
        "gpt-oss": SlidingRule(2),
        "granite_swa": SlidingRule(1),
        "laguna": SlidingRule(4, full_first=True),
        "lfm2": SlidingRule(0),
        "llama4": SlidingRule(4, window=8192, fixed=True),
        "maple": SlidingRule(1),
        "mellum": SlidingRule(4),
        "mimo2": SlidingRule(1),
        "muse-glimmer": SlidingRule(4),
        "olmo2": SlidingRule(4),
        "plamo3": SlidingRule(8),
        "smallthinker": SlidingRule(4, full_first=True, window=4096, fixed=True),
        "spark2_5": SlidingRule(1),
        "step35": SlidingRule(1),
    }
)

# llama.cpp's llama_ftype, by the names that people know from file names.
FILE_TYPES: Mapping[int, str] = MappingProxyType(
    {
        0: "F32",
        1: "F16",
        2: "Q4_0",
        3: "Q4_1",
        7: "Q8_0",
        8: "Q5_0",
        9: "Q5_1",
        10: "Q2_K",
        11: "Q3_K_S",
        12: "Q3_K_M",
        13: "Q3_K_L",
        14: "Q4_K_S",
        15: "Q4_K_M",
        16: "Q5_K_S",
        17: "Q5_K_M",
        18: "Q6_K",
        19: "IQ2_XXS",
        20: "IQ2_XS",
        21: "Q2_K_S",
        22: "IQ3_XS",
        23: "IQ3_XXS",
        24: "IQ1_S",
        25: "IQ4_NL",
        26: "IQ3_S",
        27: "IQ3_M",
        28: "IQ2_S",
        29: "IQ2_M",
        30: "IQ4_XS",
        31: "IQ1_M",
        32: "BF16",
        36: "TQ1_0",
        37: "TQ2_0",
        38: "MXFP4",
        39: "NVFP4",
        40: "Q1_0",
        41: "Q2_0",
    }
)
