"""What is said of the gain that a draft promises."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from app.core.advice import DraftSize
from app.core.pair_expectation import ExpectedGain, Grounds, NoGain, PairExpectation, RuleOfThumb
from app.ui.draft_candidates import Candidate, Identifying, SameFile, Suitable
from app.ui.outlook_words import OutlookTag, outlook_sentence, range_text, tag_of

DRAFT = Candidate(Path("/m/0.5b.gguf"), None, Suitable(DraftSize.SUITS))
LARGE = Candidate(Path("/m/3b.gguf"), None, Suitable(DraftSize.LARGE))
MEASURED = ExpectedGain(1.27, 2.12, Grounds.ANSWERS, 12)
NO_GAIN = NoGain(3, 2.6, 1.5, Grounds.COSTS)


@pytest.mark.parametrize(
    ("outlook", "tag"),
    [
        (MEASURED, OutlookTag("1.3–2.1× measured", "accent")),
        (ExpectedGain(1.1, 1.44, Grounds.COSTS), OutlookTag("1.1–1.4× estimated")),
        (ExpectedGain(1.0, 1.44, Grounds.SIZES), OutlookTag("up to 1.4× estimated")),
        (ExpectedGain(0.8, 1.44, Grounds.COSTS), OutlookTag("0.8–1.4× estimated")),
        (ExpectedGain(1.0, 1.02, Grounds.FORMAT), OutlookTag("little to gain")),
        (ExpectedGain(0.7, 0.9, Grounds.FORMAT), OutlookTag("likely slower", "warning")),
        (NO_GAIN, OutlookTag("will not help here", "warning")),
        (RuleOfThumb(), OutlookTag("good size", "accent")),
        (None, OutlookTag("good size", "accent")),
    ],
)
def test_a_row_says_it_in_a_few_words(outlook: PairExpectation | None, tag: OutlookTag) -> None:
    assert tag_of(DRAFT, outlook) == tag


def test_what_is_known_of_the_machine_outweighs_a_rule_of_thumb() -> None:
    assert tag_of(LARGE, RuleOfThumb()) == OutlookTag("large: may be slower", "warning")
    assert tag_of(LARGE, MEASURED).text == "1.3–2.1× measured"


@pytest.mark.parametrize("verdict", [Identifying(), SameFile()])
def test_a_model_that_cannot_draft_promises_nothing(verdict: Identifying | SameFile) -> None:
    assert tag_of(Candidate(Path("/m/x.gguf"), None, verdict), MEASURED) == OutlookTag()


@pytest.mark.parametrize(
    ("low", "high", "grounds", "text"),
    [
        (1.27, 2.12, Grounds.SIZES, "1.3–2.1×"),
        (1.52, 1.54, Grounds.ANSWERS, "about 1.5×"),
        (1.04, 1.5, Grounds.COSTS, "up to 1.5×"),
        (0.97, 1.5, Grounds.ANSWERS, "1.0–1.5×"),
        (0.9, 0.93, Grounds.ANSWERS, "about 0.9×"),
    ],
)
def test_a_range_is_as_exact_as_it_is_known(low: float, high: float, grounds: Grounds, text: str) -> None:
    assert range_text(ExpectedGain(low, high, grounds)) == text


@pytest.mark.parametrize(
    ("outlook", "sentence"),
    [
        (MEASURED, "Expected here: 1.3–2.1× plain speed, measured over the last 12 answers."),
        (
            ExpectedGain(1.0, 1.4, Grounds.COSTS),
            "Expected here: up to 1.4× plain speed, estimated from times measured here.",
        ),
        (
            ExpectedGain(1.1, 1.4, Grounds.FORMAT),
            "Expected here: 1.1–1.4× plain speed, estimated from times measured here with similar models.",
        ),
        (
            ExpectedGain(1.0, 1.01, Grounds.SIZES),
            "Little to gain here, estimated from file sizes and the speed of this machine.",
        ),
        (
            ExpectedGain(0.7, 0.9, Grounds.COSTS),
            "Likely slower here: 0.7–0.9× plain speed, estimated from times measured here.",
        ),
        (
            NO_GAIN,
            "Will not help on this machine, even if every guess is right: checking 4 tokens costs 2.6 plain "
            "steps, and drafting 3 of them 1.5 more.",
        ),
        (
            NoGain(1, 2.31, 0.0, Grounds.FORMAT),
            "Will not help on this machine, even if every guess is right: checking 2 tokens costs 2.3 plain "
            "steps, estimated from times measured here with similar models.",
        ),
        (RuleOfThumb(), ""),
        (None, ""),
    ],
)
def test_the_line_adds_the_grounds(outlook: PairExpectation | None, sentence: str) -> None:
    assert outlook_sentence(outlook) == sentence


def test_that_a_fixed_length_cannot_pay_says_nothing_of_others() -> None:
    assert outlook_sentence(replace(NO_GAIN, is_fixed=True)) == (
        "Drafts of this length will not help on this machine, even if every guess is right: checking 4 "
        "tokens costs 2.6 plain steps, and drafting 3 of them 1.5 more."
    )
