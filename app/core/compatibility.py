"""Whether a draft model's vocabulary fits a target's: the answer, with the rule that failed and where."""

from enum import StrEnum

from msgspec import Struct

LARGEST_DIFFERENCE = 128  # tokens by which the sizes of two vocabularies may differ


class Rule(StrEnum):
    """What a draft's vocabulary can fail at."""

    NO_TOKENS = "no_tokens"
    TYPE = "type"
    BEGIN = "begin"  # the token added at the beginning of a text
    END = "end"
    SIZE = "size"
    TEXT = "text"


class Compatible(Struct, frozen=True):
    """The draft can draft for the target. Sizes in tokens."""

    target_size: int
    draft_size: int


class Incompatible(Struct, frozen=True):
    """The draft cannot draft for the target. Sizes in tokens; `token` is set if texts differ."""

    rule: Rule
    target_size: int
    draft_size: int
    target: str  # what the target has in place of the draft's: a type, a token's id, or a text, printable
    draft: str
    token: int | None = None

    def sentence(self) -> str:
        """The reason in a few words, without a full stop."""
        match self.rule:
            case Rule.NO_TOKENS:
                return "one of the files has no tokens"
            case Rule.TYPE:
                return f"the types differ: {self.target} and {self.draft}"
            case Rule.BEGIN:
                return f"the tokens added at the beginning of a text differ: {self.target} and {self.draft}"
            case Rule.END:
                return f"the tokens added at the end of a text differ: {self.target} and {self.draft}"
            case Rule.SIZE:
                apart = abs(self.target_size - self.draft_size)
                return f"sizes differ by {apart}, at most {LARGEST_DIFFERENCE} are allowed"
            case Rule.TEXT:
                return f"differs at token {self.token}: '{self.target}' and '{self.draft}'"


Compatibility = Compatible | Incompatible
