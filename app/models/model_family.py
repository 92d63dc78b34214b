"""What a model's name tells: its family, version, size, and what it was made for.

Made for names of repositories, files and base models as people write them. A name is a claim: what is
concluded from it is checked before anything depends on it. No name is an error.
"""

import re
from collections.abc import Mapping, Sequence, Set
from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct

from app.models.model_names import without_format

_LONGEST = 200  # characters that are looked at
_WORD = re.compile(r"[^\W_]+(?:\.\d[^\W_]*)*")
_SIZE = re.compile(r"e?(\d{1,4}(?:\.\d{1,3})?)([mbt])")  # E2B: "effectively"
_MIXTURE = re.compile(r"(\d{1,3})x(\d{1,3}(?:\.\d{1,3})?)b")
_ACTIVE = re.compile(r"a(\d{1,3}(?:\.\d{1,3})?)b")
_EXPERTS = re.compile(r"\d{1,3}e")  # Llama-4-Scout-17B-16E: the size before it is that of one token's work
_VERSION = re.compile(r"v?(\d{1,2}(?:\.\d{1,2}){0,2}n?)")
_LATE_VERSION = re.compile(r"v\d{1,2}\.\d{1,2}")
_CONTEXT = re.compile(r"\d{1,4}k")
_STEM_VERSION = re.compile(r"([^\W\d]+)v?(\d{1,2}(?:\.\d{1,2}){0,2}n?)?")
# An underscore that stands for a point: qwen1_5-1_8b, internlm2_5-7b, Llama-3_3-Nemotron.
_POINT_IN_SIZE = re.compile(r"(?<![\d.])(?<!\d_)(\d)_(\d{1,2})(?=b(?![a-z0-9]))", re.IGNORECASE)
_POINT_IN_VERSION = re.compile(r"(?<![\d._])(\d)_(\d)(?=[-_ ]|$)")
_UNITS = {"m": 1e6, "b": 1e9, "t": 1e12}
_MOST_WORDS = 3  # of a family that is not known
_EXPERTS_PER_TOKEN = 2  # in models of the kind 8x7B


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Families whose name may stand anywhere: derived models are called after themselves first.
_FAMILIES = _listed(
    "aya baichuan codegemma codellama codestral command deepseek devstral dots ernie exaone falcon gemma "
    "glm granite hunyuan internlm kimi lfm llama magistral mamba minicpm ministral mistral mixtral nemotron "
    "olmo opencoder phi qwen qwq rwkv smollm stablelm starcoder tinyllama vicuna yi"
)
# Members of a family that are models of their own, with another vocabulary more often than not.
_BRANCHES = _listed("large medium mini nano nemo oss small tiny")
_NOISE = _listed(
    "ai allenai apple bnb cohere ggml gguf google hf huggingfacetb ibm imatrix lmstudio main meta microsoft "
    "mistralai mlx model nvidia qat ud unsloth weights"
)


class Trait(StrEnum):
    """What the words of a name say that a model was made for, or how."""

    CHAT = "chat"
    BASE = "base"  # continues texts, and was not taught to chat
    CODE = "code"
    MATH = "math"
    REASONING = "reasoning"
    DISTILLED = "distilled"
    VISION = "vision"
    NOT_TEXT = "not_text"  # embeddings, ranking, speech: it writes no text, or not from text
    PART = "part"  # a drafting head, an adapter, a projector: no model by itself


_TRAITS: Mapping[str, Trait] = MappingProxyType(
    {
        word: trait
        for trait, words in (
            (Trait.CHAT, "assistant chat it instruct instruction sft"),
            (Trait.BASE, "base pretrain pretrained pt"),
            (Trait.CODE, "code coder coding"),
            (Trait.MATH, "math"),
            (Trait.REASONING, "reasoner reasoning thinking"),
            (Trait.DISTILLED, "distill distilled"),
            (Trait.VISION, "image multimodal ocr vision vl vlm"),
            (
                Trait.NOT_TEXT,
                "asr audio clip embed embedding embeddings guard omni rerank reranker reward speech",
            ),
            (Trait.NOT_TEXT, "tts voice whisper"),
            (Trait.PART, "adapter dflash dspark eagle eagle2 eagle3 lora medusa mmproj mtp projector"),
        )
        for word in words.split()
    }
)


class ModelFamily(Struct, frozen=True):
    """A name, taken apart. Sizes are numbers of parameters, None where the name does not tell."""

    family: str  # in small letters, such as "qwen" or "deepseek-r1-distill-qwen"; empty if nothing tells
    version: str  # such as "2.5"; empty if nothing tells
    parameters: int | None
    active_parameters: int | None  # what one token's work takes; set for mixtures of experts alone
    traits: frozenset[Trait]
    extras: tuple[str, ...]  # words that are not understood: whoever tuned it, and how
    stem: str  # family and version as they are written, such as "Llama-3.1"

    @property
    def working_parameters(self) -> int | None:
        """What one token's work takes."""
        return self.active_parameters or self.parameters

    @property
    def writes_text(self) -> bool:
        """False where the name says that it is no language model, or not a whole one."""
        return not self.traits & {Trait.NOT_TEXT, Trait.PART}

    @property
    def is_recognised(self) -> bool:
        """Whether the family is one that is known here, and not just words that a name begins with."""
        return any(self.family.startswith(known) for known in _FAMILIES)

    def is_kin_of(self, other: "ModelFamily") -> bool:
        """Whether both are of one family and version."""
        return bool(self.family) and (self.family, self.version) == (other.family, other.version)


def parse_family(name: str) -> ModelFamily:
    """Takes a name apart: of a repository (with or without its publisher), of a file, or for people."""
    last = name.replace("\\", "/").rstrip("/").rpartition("/")[2][:_LONGEST]
    plain = _POINT_IN_VERSION.sub(r"\1.\2", _POINT_IN_SIZE.sub(r"\1.\2", without_format(last)))
    written = _WORD.findall(plain)
    words = [word.casefold() for word in written]
    parameters, active, known = _sizes(words)
    traits = {place: _TRAITS[word] for place, word in enumerate(words) if word in _TRAITS}
    found = _distilled(words) or _known_family(words, known, traits) or _any_family(words, known, traits)
    made_for = set(traits.values())
    if found.family == "qwq":
        made_for.add(Trait.REASONING)
    return ModelFamily(
        family=found.family,
        version=found.version or _later_version(words),
        parameters=parameters,
        active_parameters=active,
        traits=frozenset(made_for),
        extras=_extras(words, known | traits.keys() | found.places),
        stem="-".join(written[place] for place in sorted(found.places)),
    )


class _Found(Struct, frozen=True):
    family: str = ""
    version: str = ""
    places: frozenset[int] = frozenset()  # of the words that tell


def _sizes(words: Sequence[str]) -> tuple[int | None, int | None, set[int]]:
    """Parameters, those that are active, and the places of the words that tell."""
    parameters = active = None
    places = set()
    for place, word in enumerate(words):
        size, used = _SIZE.fullmatch(word), _ACTIVE.fullmatch(word)
        if size is not None and parameters is None and active is None:
            each = float(size[1]) * _UNITS[size[2]]
            parameters = round(each)
            places.add(place)
        elif (mixture := _MIXTURE.fullmatch(word)) is not None and parameters is None:
            each = float(mixture[2]) * 1e9
            parameters, active = round(each * int(mixture[1])), round(each * _EXPERTS_PER_TOKEN)
            places.add(place)
        elif used is not None:
            active = round(float(used[1]) * 1e9)
            places.add(place)
        elif _EXPERTS.fullmatch(word) and parameters is not None:
            parameters, active = None, parameters
            places.add(place)
    return parameters or None, active or None, places


def _distilled(words: Sequence[str]) -> _Found | None:
    """DeepSeek R1 taught to another model, whose size and vocabulary it has, with tokens of its own."""
    if "r1" not in words or not ("deepseek" in words or "distill" in words):
        return None
    for place, word in enumerate(words):
        stem = _STEM_VERSION.fullmatch(word)
        if stem is not None and stem[1] in ("qwen", "llama"):
            family = f"deepseek-r1-distill-{stem[1]}"
            first = min(words.index(each) for each in ("deepseek", "r1") if each in words)
            return _Found(family, stem[2] or "", frozenset(range(min(first, place), place + 1)))
    return None


def _known_family(words: Sequence[str], sizes: Set[int], traits: Mapping[int, Trait]) -> _Found | None:
    """The first family that is known, of those with a version if there are any."""
    best: _Found | None = None
    for place, word in enumerate(words):
        stem = _STEM_VERSION.fullmatch(word)
        if stem is None or stem[1] not in _FAMILIES or place in sizes:
            continue
        family, version, last = stem[1], stem[2] or "", place
        branch = False
        for after in range(place + 1, len(words)):
            told = _VERSION.fullmatch(words[after])
            if after in sizes:
                break
            if told is not None and not version:
                version, last = told[1], after
            elif words[after] in _BRANCHES and not branch:
                family, branch, last = f"{family}-{words[after]}", True, after
            elif after not in traits:
                break
        if best is None or (version and not best.version):
            best = _Found(family, version, frozenset(range(place, last + 1)))
    return best


def _any_family(words: Sequence[str], sizes: Set[int], traits: Mapping[int, Trait]) -> _Found:
    """What stands before a size, a version or a trait."""
    named: list[int] = []
    version = ""
    for place, word in enumerate(words):
        if place in sizes or place in traits or len(named) == _MOST_WORDS:
            break
        told = _VERSION.fullmatch(word)
        if told is not None and named:
            version = told[1]
            return _Found("-".join(words[each] for each in named), version, frozenset((*named, place)))
        if word not in _NOISE and not word.isdecimal():
            named.append(place)
    return _Found("-".join(words[place] for place in named), version, frozenset(named))


def _later_version(words: Sequence[str]) -> str:
    """A version at the end: Mistral-7B-Instruct-v0.3."""
    return next((word[1:] for word in words if _LATE_VERSION.fullmatch(word)), "")


def _extras(words: Sequence[str], known: Set[int]) -> tuple[str, ...]:
    return tuple(
        word
        for place, word in enumerate(words)
        if place not in known
        and word not in _NOISE
        and not word.isdecimal()
        and not _CONTEXT.fullmatch(word)
        and not _LATE_VERSION.fullmatch(word)
        and not ((stem := _STEM_VERSION.fullmatch(word)) is not None and stem[1] in _FAMILIES)
    )
