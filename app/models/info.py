"""What a model file is: the facts that people and the memory estimate need, or why it cannot chat."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from msgspec import Struct

from app.core.errors import FileProblem, ModelFileError
from app.models.architectures import EMBEDDING, FILE_TYPES, HYBRID, RECURRENT, ROLLS_BACK, UNSUPPORTED
from app.models.gguf import TOKENS, GgufHeader, read_header
from app.models.layers import Attributes, Layer, read_layers, sliding_window
from app.models.parts import parts_of
from app.models.sanity import check_hyperparameters, check_layers


class RecurrentState(Struct, frozen=True):
    """What recurrent layers keep. Each number is None where the header does not have it."""

    conv_kernel: int | None
    inner_size: int | None
    state_size: int | None
    time_step_rank: int | None
    group_count: int | None
    short_conv_length: int | None  # LFM2
    head_size: int | None  # RWKV
    token_shifts: int | None  # RWKV
    delta_head_size: int | None  # Kimi's delta attention
    lightning_head_size: int | None  # MiniMax's lightning attention

    def elements(self, width: int, heads: int) -> int | None:
        """Numbers that one layer keeps for one sequence (llama.cpp stores them as F32); None if unknown.

        `width` is the embedding width, `heads` the model's number of heads. The rules are those of
        llama_hparams::n_embd_r and n_embd_s.
        """
        if self.head_size is not None:
            return (2 if self.token_shifts is None else self.token_shifts) * width + width * self.head_size
        if self.short_conv_length is not None:
            return width * (self.short_conv_length - 1)
        kernel = self.conv_kernel or 0
        if self.delta_head_size is not None:
            conv = 3 * (kernel - 1 if kernel else 3) * heads * self.delta_head_size
            return conv + self.delta_head_size**2 * heads
        if self.lightning_head_size is not None:
            return self.lightning_head_size**2 * heads
        if self.inner_size is None or self.state_size is None:
            return None
        conv = max(kernel - 1, 0) * (self.inner_size + 2 * (self.group_count or 0) * self.state_size)
        return conv + self.state_size * self.inner_size


class ModelInfo(Struct, frozen=True):
    """A model that can chat, as its header describes it. None: the header does not say. Sizes in bytes."""

    path: Path  # the file to load: the first part
    parts: tuple[Path, ...]
    total_bytes: int
    weight_bytes: int
    architecture: str
    parameters: int
    quantisation: str  # such as Q4_K_M

    name: str | None
    organisation: str | None
    basename: str | None
    size_label: str | None  # such as 7B
    finetune: str | None
    licence: str | None

    context_length: int | None  # tokens that it was trained for
    layers: tuple[Layer, ...]
    embedding_width: int | None
    key_size: int | None  # numbers per head and token
    value_size: int | None
    sliding_key_size: int | None  # the same in layers with a sliding window
    sliding_value_size: int | None
    latent_attention: bool  # one compressed key per token, and no values (MLA)
    sliding_window: int  # tokens; 0: no such layers
    vocabulary_size: int | None
    experts: int  # 0: not a mixture of experts
    experts_used: int  # at most, in any layer
    is_recurrent: bool
    is_hybrid: bool
    rolls_back: bool  # a recurrent state can be taken back by some tokens
    recurrent_state: RecurrentState | None
    chat_template: str | None

    @property
    def has_chat_template(self) -> bool:
        """False for base models, which continue text but were not taught to chat."""
        return self.chat_template is not None

    @property
    def recurrent_elements(self) -> int | None:
        """Numbers that each recurrent layer keeps; None if unknown, 0 without such layers."""
        if self.recurrent_state is None:
            return 0
        if self.embedding_width is None:
            return None
        heads = next((layer.heads for layer in self.layers if layer.heads), 0)
        return self.recurrent_state.elements(self.embedding_width, heads)


def read_info(path: Path) -> ModelInfo:
    """Reads the headers of a model's file or, for a split set, files. Loads no weights.

    Raises ModelFileError: what `parts_of` and `read_header` raise; NO_WEIGHTS, EMBEDDING, PROJECTOR or
    UNSUPPORTED for a file that is no chat model; DAMAGED for hyperparameters that would crash llama.cpp;
    UNKNOWN_ARCHITECTURE if none is named. Whether llama.cpp knows the architecture, it says when it loads.
    """
    parts = parts_of(path)
    headers = [read_header(part) for part in parts]
    first = headers[0]
    _check_set(headers)
    architecture = first.text("general.architecture") or ""
    attributes = Attributes(first, architecture)
    _check_kind(first, architecture)
    if not any(header.tensors for header in headers):
        _refuse(first, FileProblem.NO_WEIGHTS, "holds a vocabulary without weights")
    _check_generates(headers, attributes, architecture)
    check_hyperparameters(first.path, attributes, architecture)
    layers = read_layers(attributes, architecture)
    window = sliding_window(attributes, architecture)
    check_layers(first.path, layers, window, architecture)
    width = attributes.whole("embedding_length")
    heads = layers[0].heads if layers else None
    head_size = width // heads if width and heads else None
    key_size = _first(attributes.whole("attention.key_length"), head_size)
    value_size = _first(attributes.whole("attention.value_length"), head_size)
    used = attributes.listed("expert_used_count") or [attributes.whole("expert_used_count") or 0]
    recurrent = architecture in RECURRENT | HYBRID
    return ModelInfo(
        path=parts[0],
        parts=parts,
        total_bytes=sum(header.file_bytes for header in headers),
        weight_bytes=sum(tensor.byte_count for header in headers for tensor in header.tensors),
        architecture=architecture,
        parameters=sum(tensor.elements for header in headers for tensor in header.tensors),
        quantisation=_quantisation(headers),
        name=first.text("general.name"),
        organisation=first.text("general.organization"),
        basename=first.text("general.basename"),
        size_label=first.text("general.size_label"),
        finetune=first.text("general.finetune"),
        licence=first.text("general.license"),
        context_length=attributes.whole("context_length") or None,
        layers=layers,
        embedding_width=width,
        key_size=key_size,
        value_size=value_size,
        sliding_key_size=_first(attributes.whole("attention.key_length_swa"), key_size),
        sliding_value_size=_first(attributes.whole("attention.value_length_swa"), value_size),
        latent_attention=attributes.has("attention.key_length_mla"),
        sliding_window=window,
        vocabulary_size=_vocabulary_size(first, attributes),
        experts=attributes.whole("expert_count") or 0,
        experts_used=max(used),
        is_recurrent=architecture in RECURRENT,
        is_hybrid=architecture in HYBRID,
        rolls_back=architecture in ROLLS_BACK,
        recurrent_state=_recurrent_state(attributes, architecture, key_size) if recurrent else None,
        chat_template=first.text("tokenizer.chat_template"),
    )


def _check_set(headers: Sequence[GgufHeader]) -> None:
    """Compares what the parts say about themselves with their names."""
    for number, header in enumerate(headers):
        count = header.whole("split.count") or 1
        position = header.whole("split.no") or 0
        if len(headers) == 1 and count > 1:
            _refuse(
                header,
                FileProblem.INCOMPLETE_SET,
                f"is part {position + 1} of {count}, and its name no longer says so. "
                "Give all parts their original names (ending in -00001-of-00002.gguf)",
            )
        if (count, position) != (len(headers), number):
            _refuse(
                header,
                FileProblem.INCOMPLETE_SET,
                f"is named part {number + 1} of {len(headers)}, but says that it is part {position + 1} of "
                f"{count}. Download the set again",
            )


def _check_kind(header: GgufHeader, architecture: str) -> None:
    kind = header.text("general.type") or "model"
    if architecture == "clip" or kind in ("mmproj", "projector"):
        _refuse(
            header,
            FileProblem.PROJECTOR,
            "is the image or audio half of a model (mmproj). Choose the file with the language model",
        )
    if kind == "adapter":
        _refuse(header, FileProblem.UNSUPPORTED, "is an adapter (LoRA), not a model. Choose a whole model")
    if kind == "vocab":
        _refuse(header, FileProblem.NO_WEIGHTS, "holds a vocabulary without weights")
    if kind == "imatrix":
        _refuse(header, FileProblem.UNSUPPORTED, "holds data for quantising, not a model")
    if not architecture:
        _refuse(header, FileProblem.UNKNOWN_ARCHITECTURE, "does not say what kind of model it holds")


def _check_generates(headers: Sequence[GgufHeader], attributes: Attributes, architecture: str) -> None:
    reason = UNSUPPORTED.get(architecture)
    if reason is not None:
        _refuse(headers[0], FileProblem.UNSUPPORTED, f"holds {reason}. Choose a model that continues text")
    classifies = any(tensor.name.startswith("cls.") for header in headers for tensor in header.tensors)
    pools = bool(attributes.whole("pooling_type"))
    sees_all = attributes.flag("attention.causal") is False
    if architecture in EMBEDDING or pools or classifies or sees_all:
        _refuse(
            headers[0],
            FileProblem.EMBEDDING,
            "holds an embedding model: it compares texts and cannot write any. Choose a chat model",
        )


def _quantisation(headers: Sequence[GgufHeader]) -> str:
    stated = headers[0].whole("general.file_type")
    if stated is not None and stated in FILE_TYPES:
        return FILE_TYPES[stated]
    sizes: Counter[str] = Counter()
    for header in headers:
        for tensor in header.tensors:
            sizes[tensor.type.name] += tensor.byte_count
    return sizes.most_common(1)[0][0]


def _vocabulary_size(header: GgufHeader, attributes: Attributes) -> int | None:
    tokens = header.arrays.get(TOKENS)
    return attributes.whole("vocab_size") if tokens is None else tokens.count


def _recurrent_state(attributes: Attributes, architecture: str, key_size: int | None) -> RecurrentState:
    return RecurrentState(
        conv_kernel=attributes.whole("ssm.conv_kernel"),
        inner_size=attributes.whole("ssm.inner_size"),
        state_size=attributes.whole("ssm.state_size"),
        time_step_rank=attributes.whole("ssm.time_step_rank"),
        group_count=attributes.whole("ssm.group_count"),
        short_conv_length=attributes.whole("shortconv.l_cache"),
        head_size=attributes.whole("wkv.head_size"),
        token_shifts=attributes.whole("token_shift_count"),
        delta_head_size=attributes.whole("kda.head_dim"),
        lightning_head_size=key_size if architecture == "minimax-01" else None,
    )


def _first(*values: int | None) -> int | None:
    return next((value for value in values if value is not None), None)


def _refuse(header: GgufHeader, problem: FileProblem, what: str) -> NoReturn:
    raise ModelFileError(header.path, problem, f"{header.path.name} {what}.")
