"""What a comparison came to, as its card shows it."""

from msgspec import Struct

from app.ui.offers import Offer
from app.ui.sentence_parts import Part, plain
from app.ui.widgets import Tone


class Finding(Struct, frozen=True):
    """`note` stands small under the headline, `advice` under the sentence."""

    headline: str
    note: str
    sentence: tuple[Part, ...]
    advice: str = ""
    whole: str = ""  # all of it in one sentence, where there is one
    tone: Tone = "text"
    offers: tuple[Offer, ...] = ()  # two at most
    model: str = ""  # for which they are remembered

    @property
    def all_words(self) -> str:
        """What is read aloud."""
        words = (self.headline, self.note, plain(self.sentence), self.advice)
        return self.whole or " ".join(filter(None, words))
