"""A model's layers, one by one, from its header: attention, sliding windows, recurrent states."""

from msgspec import Struct

from app.models.architectures import (
    HYBRID,
    RECURRENT,
    SLIDING,
    RecurrentLayers,
    default_attention_interval,
    recurrent_layers,
)
from app.models.gguf import ElementType, GgufHeader, read_numbers
from app.models.window import damaged

MOST_LAYERS = 512  # llama.cpp aborts on more


class Layer(Struct, frozen=True):
    """One layer. Counts of heads are None where the header does not say."""

    heads: int | None
    heads_kv: int | None
    attention: bool  # keeps keys and values of the tokens it has seen
    sliding: bool  # of the last tokens only
    recurrent: bool  # keeps a state of fixed size
    shares_cache: bool = False  # reads the keys and values of an earlier layer


class Attributes:
    """A header's values under its architecture's name."""

    def __init__(self, header: GgufHeader, architecture: str) -> None:
        self._header = header
        self._architecture = architecture

    def whole(self, key: str) -> int | None:
        """A whole number; None where there is none."""
        return self._header.whole(self._full(key))

    def number(self, key: str) -> float | None:
        """A number of any kind; None where there is none."""
        value = self._header.values.get(self._full(key))
        return float(value) if isinstance(value, (int, float)) else None

    def text(self, key: str) -> str | None:
        """A text; None where there is none."""
        return self._header.text(self._full(key))

    def flag(self, key: str) -> bool | None:
        """A yes or no; None where there is none."""
        return self._header.flag(self._full(key))

    def has(self, key: str) -> bool:
        """True where the header has the key, with whatever value."""
        full = self._full(key)
        return full in self._header.values or full in self._header.arrays

    def listed(self, key: str) -> list[int] | None:
        """A short array of numbers; None where there is none. Raises ModelFileError for a long one."""
        full = self._full(key)
        array = self._header.arrays.get(full)
        if array is None or array.element is ElementType.STRING:
            return None
        if array.count > MOST_LAYERS:
            damaged(self._header.path, f"{full} lists more layers than a model can have")
        return [int(number) for number in read_numbers(self._header, full)]

    def per_layer(self, key: str, layers: int) -> list[int] | None:
        """One number for each layer, None where there are none. A single value counts for all layers.

        Raises ModelFileError for a list of another length.
        """
        if layers == 0:
            return None
        listed = self.listed(key)
        if listed is None:
            value = self.whole(key)
            return None if value is None else [value] * layers
        if len(listed) != layers:
            damaged(self._header.path, f"{self._full(key)} lists {len(listed)} layers of {layers}")
        return listed

    def _full(self, key: str) -> str:
        return f"{self._architecture}.{key}"


def read_layers(attributes: Attributes, architecture: str) -> tuple[Layer, ...]:
    """The layers that generation runs through, in order; empty where the header does not count them.

    Layers that only predict further tokens (MTP) are left out, as llama.cpp leaves them out of a chat's
    context.
    """
    stored = attributes.whole("block_count") or 0
    count = max(stored - (attributes.whole("nextn_predict_layers") or 0), 0)
    heads = attributes.per_layer("attention.head_count", stored)
    heads_kv = attributes.per_layer("attention.head_count_kv", stored) or heads
    recurrent = _recurrent(attributes, architecture, count, heads_kv)
    both = architecture == "falcon-h1"
    sliding = _sliding(attributes, architecture, count) if sliding_window(attributes, architecture) else []
    own_caches = _layers_with_own_cache(attributes, architecture, stored)
    layers = []
    for index in range(count):
        kv = heads_kv[index] if heads_kv else None
        attention = kv != 0 and (both or not recurrent[index])
        layers.append(
            Layer(
                heads=heads[index] if heads else None,
                heads_kv=kv,
                attention=attention,
                sliding=attention and index < len(sliding) and sliding[index],
                recurrent=recurrent[index],
                shares_cache=attention and index >= own_caches,
            )
        )
    return tuple(layers)


def sliding_window(attributes: Attributes, architecture: str) -> int:
    """Tokens that a sliding layer looks back; 0 without such layers."""
    rule = SLIDING.get(architecture)
    if rule is None or rule.only_layers not in (0, attributes.whole("block_count")):
        return 0
    window = attributes.whole("attention.sliding_window")
    if rule.fixed:
        optional = architecture == "smallthinker"  # a file without the key has no window
        return 0 if window == 0 or (optional and window is None) else rule.window
    return rule.window if window is None else max(window, 0)


def _sliding(attributes: Attributes, architecture: str, count: int) -> list[bool]:
    rule = SLIDING[architecture]
    if rule.period == 0:
        return [True] * count
    listed = attributes.listed("attention.sliding_window_pattern")
    if listed is not None:
        return [bool(entry) for entry in listed]
    period = rule.period
    if period > 1:
        stated = attributes.whole("attention.sliding_window_pattern")
        period = period if stated is None else stated
    if period <= 0:
        return [True] * count
    full = 0 if rule.full_first else period - 1
    return [index % period != full for index in range(count)]


def _recurrent(
    attributes: Attributes, architecture: str, count: int, heads_kv: list[int] | None
) -> list[bool]:
    if architecture not in RECURRENT | HYBRID:
        return [False] * count
    match recurrent_layers(architecture):
        case RecurrentLayers.ALL:
            return [True] * count
        case RecurrentLayers.WITHOUT_KV_HEADS if heads_kv:
            return [heads == 0 for heads in heads_kv[:count]]
        case RecurrentLayers.WITHOUT_KV_HEADS_AND_FEED_FORWARD if heads_kv:
            widths = attributes.per_layer("feed_forward_length", len(heads_kv)) or [0] * count
            return [heads == 0 and width == 0 for heads, width in zip(heads_kv[:count], widths, strict=False)]
        case RecurrentLayers.INTERVAL:
            listed = attributes.per_layer("attention.recurrent_layers", attributes.whole("block_count") or 0)
            if listed is not None:
                return [bool(entry) for entry in listed[:count]]
            interval = attributes.whole("full_attention_interval") or default_attention_interval(architecture)
            return [(index + 1) % interval != 0 for index in range(count)]
        case _:
            return [False] * count


def _layers_with_own_cache(attributes: Attributes, architecture: str, stored: int) -> int:
    if architecture == "gemma3n":
        return 20
    if architecture == "gemma4":
        return stored - (attributes.whole("attention.shared_kv_layers") or 0)
    return stored
