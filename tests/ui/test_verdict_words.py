"""What a comparison came to, in words."""

import pytest
from msgspec.structs import replace

from app.core.experiment import Experiment
from app.core.options import AcceptanceRule
from app.core.verdict import Verdict, verdict_of
from app.ui.sentence_parts import Emphasis, plain
from app.ui.verdict_words import advice_text, headline, note, sentence_parts, whole_sentence
from tests.fakes.experiments import DRAFTED, LOOKUP, OFF, draft_variant, prompt_experiment

LEFT = (8.2, 8.0, 8.3, 8.2, 8.1)
RIGHT = (16.6, 15.2, 17.4, 16.7, 15.9)
SLOW = (7.5, 7.4, 7.6, 7.5, 7.3)
BOTH = (DRAFTED, LOOKUP)
ALIKE = (8.3, 8.0, 8.4, 8.1, 8.2)


def sentence(verdict: Verdict) -> str:
    return plain(sentence_parts(verdict))


def judged(experiment: Experiment) -> Verdict:
    verdict = verdict_of(experiment)
    assert verdict is not None
    return verdict


FAST = prompt_experiment(LEFT, RIGHT)
FASTER = judged(FAST)
SLOWER = judged(prompt_experiment(LEFT, SLOW))
NOISE = judged(prompt_experiment(LEFT, ALIKE))
SCATTER = judged(prompt_experiment(LEFT, (8.2, 16.0, 6.1, 15.0, 5.0)))
SINGLE = judged(prompt_experiment((8.2,), (16.6,)))
FEW_TOKENS = judged(prompt_experiment(LEFT, RIGHT, tokens=15))
SHORT = judged(prompt_experiment((8.2,), (8.2,), tokens=1))
STOPPED = judged(prompt_experiment(LEFT, RIGHT, ended_runs=7))
NEAR_TIE = judged(prompt_experiment(LEFT, RIGHT, identical=False))
OTHER_TEXT = judged(prompt_experiment(LEFT, RIGHT, identical=False, near_tie=False))


@pytest.mark.parametrize(
    ("verdict", "first", "second", "third"),
    [
        (
            FASTER,
            "2.0× as fast",
            "1.9 to 2.1, median of 5",
            "16.6 against 8.2 tok/s. Output identical, 96 of 96 tokens. 0.5 GB more memory.",
        ),
        (
            SLOWER,
            "Slower: 0.91×",
            "0.89 to 0.94, median of 5",
            "7.5 against 8.2 tok/s. Output identical, 96 of 96 tokens. 0.5 GB more memory.",
        ),
        (
            NOISE,
            "No clear difference",
            "0.98 to 1.04, median of 5",
            "8.2 against 8.2 tok/s. Output identical, 96 of 96 tokens. 0.5 GB more memory.",
        ),
        (
            SINGLE,
            "2.0× as fast",
            "one run each: repeat to be sure",
            "16.6 against 8.2 tok/s. Output identical, 96 of 96 tokens. 0.5 GB more memory.",
        ),
        (
            SHORT,
            "Too short to compare",
            "a speed takes two tokens",
            "No speed: fewer than two tokens. Output identical, 1 of 1 token. 0.5 GB more memory.",
        ),
        (
            NEAR_TIE,
            "2.0× as fast",
            "1.9 to 2.1, median of 5",
            "16.6 against 8.2 tok/s. Output differs from token 10 on, at a near-tie. 0.5 GB more memory.",
        ),
        (
            OTHER_TEXT,
            "2.0× as fast",
            "1.9 to 2.1, median of 5",
            "16.6 against 8.2 tok/s. Output differs from token 10 on, and not at a near-tie. "
            "0.5 GB more memory.",
        ),
    ],
    ids=["faster", "slower", "noise", "single", "short", "near tie", "other text"],
)
def test_the_card_says(verdict: Verdict, first: str, second: str, third: str) -> None:
    assert (headline(verdict), note(verdict), sentence(verdict)) == (first, second, third)


@pytest.mark.parametrize(
    ("right", "words"), [(8.4, "No clear difference"), (7.0, "Slower: 0.85×"), (9.0, "1.10× as fast")]
)
def test_single_runs_are_judged_alike_with_less_certainty(right: float, words: str) -> None:
    found = judged(prompt_experiment((8.2,), (right,)))
    assert (headline(found), note(found)) == (words, "one run each: repeat to be sure")


def test_runs_that_scatter_are_too_noisy_on_the_card_and_in_the_sentence() -> None:
    assert headline(SCATTER) == "Too noisy to tell"
    assert whole_sentence(SCATTER).startswith("Too noisy to tell on this prompt: 8.2 against 8.2 tok/s, ")


def test_an_answer_of_few_tokens_tells_nothing_whatever_its_speed() -> None:
    assert (headline(FEW_TOKENS), note(FEW_TOKENS)) == ("Too short to tell", "a speed over only 15 tokens")
    assert whole_sentence(FEW_TOKENS).startswith(
        "Too short to tell: 16.6 against 8.2 tok/s, over only 15 tokens, median of 5; "
    )
    assert advice_text(FEW_TOKENS) == ("Compare a longer answer: so few tokens tell nothing of the speed.")
    both = judged(prompt_experiment((9.0,), (12.0,), variants=BOTH, tokens=12))
    assert headline(both) == "Too short to tell"


def test_what_measuring_memory_cannot_tell_is_left_out() -> None:
    hardly = verdict_of(replace(FAST, memory=replace(FAST.memory, draft_bytes={"draft": 8_710_000})))
    assert hardly is not None
    assert "memory" not in sentence(hardly) + whole_sentence(hardly)


@pytest.mark.parametrize("runs", [LEFT, (8.2,)])
@pytest.mark.parametrize("right", [LEFT, SLOW, RIGHT, (8.2, 16.0, 6.1, 15.0, 5.0)])
def test_no_part_says_another_thing_than_the_headline(
    runs: tuple[float, ...], right: tuple[float, ...]
) -> None:
    found = judged(prompt_experiment(runs, right[: len(runs)], variants=(OFF, LOOKUP)))
    said = {
        "Slower": ("slower", "not pay", "not seem to pay"),
        "No clear": ("no clear difference",),
        "Too noisy": ("too noisy", "differ too much to tell"),
    }
    whole = f"{whole_sentence(found)} {advice_text(found)}".lower()
    for beginning, words in said.items():
        assert headline(found).startswith(beginning) is any(each in whole for each in words)


def test_all_in_one_sentence() -> None:
    assert whole_sentence(FASTER) == (
        "Drafting makes this prompt 2.02 times as fast: 16.6 against 8.2 tok/s, median of 5; "
        "output identical, 96 of 96 tokens; 0.5 GB more memory."
    )
    assert whole_sentence(SLOWER) == (
        "Drafting makes this prompt slower, 0.91 times as fast: 7.5 against 8.2 tok/s, median of 5; "
        "output identical, 96 of 96 tokens; 0.5 GB more memory."
    )
    assert whole_sentence(NOISE).startswith(
        "Drafting makes no clear difference on this prompt: 8.2 against 8.2 tok/s, median of 5; "
    )
    assert whole_sentence(SINGLE).startswith(
        "Drafting makes this prompt 2.02 times as fast: 16.6 against 8.2 tok/s, one run each; "
    )
    assert whole_sentence(NEAR_TIE) == (
        "Drafting makes this prompt 2.02 times as fast: 16.6 against 8.2 tok/s, median of 5; "
        "output differs from token 10 on, at a near-tie; 0.5 GB more memory."
    )


def test_what_was_stopped_early_says_so_and_how_many_runs_there_were() -> None:
    assert note(STOPPED).endswith(", medians of 4 and 3 runs")
    assert sentence(STOPPED).endswith(" 0.5 GB more memory. Stopped early.")
    assert whole_sentence(STOPPED).endswith("; 0.5 GB more memory; stopped early.")


@pytest.mark.parametrize("runs", [3, 4, 5])
def test_two_runs_on_a_side_are_too_few(runs: int) -> None:
    found = judged(prompt_experiment(LEFT, RIGHT, ended_runs=runs))
    assert note(found) == "too few runs: repeat to be sure"


def test_of_two_that_draft_the_right_one_is_judged_and_both_are_named() -> None:
    variants = (DRAFTED, LOOKUP)
    faster = judged(prompt_experiment((9.9, 10.0, 10.1), (11.9, 12.0, 12.1), variants=variants))
    assert headline(faster) == "Right: 1.2× as fast"
    assert whole_sentence(faster) == (
        "“Prompt Lookup · max 3” is 1.20 times as fast as “Draft Model · max 5” on this prompt: "
        "12.0 against 10.0 tok/s, median of 3; "
        "output identical, 96 of 96 tokens; 0.5 GB less memory."
    )
    slower = judged(prompt_experiment((11.9, 12.0, 12.1), (9.9, 10.0, 10.1), variants=variants))
    assert headline(slower) == "Right slower: 0.83×"
    alike = judged(prompt_experiment(LEFT, ALIKE, variants=variants))
    assert whole_sentence(alike).startswith(
        "“Prompt Lookup · max 3” and “Draft Model · max 5” show no clear difference on this prompt: "
    )


def test_a_rule_that_may_change_the_text_is_told_beside_the_figures() -> None:
    lossy = judged(prompt_experiment(variants=(OFF, draft_variant(rule=AcceptanceRule.TOP_K))))
    warned = [part.text for part in sentence_parts(lossy) if part.emphasis is Emphasis.WARNING]
    assert warned == ["The acceptance rule (Top-k) may change the text."]
    assert advice_text(lossy) == "The same text here, but this rule may change others."
    assert "; the acceptance rule (Top-k) may change the text; " in whole_sentence(lossy)


def test_rejection_sampling_is_told_apart() -> None:
    drafted = draft_variant(rule=AcceptanceRule.REJECTION)
    verdict = judged(prompt_experiment(variants=(OFF, drafted), identical=False, near_tie=False))
    assert "Output differs from token 10 on, as it may with rejection sampling." in sentence(verdict)
    assert advice_text(verdict) == ""


def test_repeats_that_differ_are_told() -> None:
    verdict = replace(FASTER, repeats_differ=True)
    assert "Repeated runs of one side gave different texts." in sentence(verdict)


def test_only_what_is_not_the_same_is_a_warning() -> None:
    looks = {
        verdict.sameness: {part.emphasis for part in sentence_parts(verdict)}
        for verdict in (FASTER, NEAR_TIE, OTHER_TEXT)
    }
    assert list(looks.values()) == [
        {Emphasis.NONE, Emphasis.STRONG},
        {Emphasis.NONE, Emphasis.STRONG},
        {Emphasis.NONE, Emphasis.WARNING},
    ]


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (FASTER, ""),
        (SLOWER, "Drafting does not pay on this prompt."),
        (NOISE, "Drafting gains nothing here for the memory that it takes."),
        (SCATTER, "The runs differ too much to tell. Repeat when the computer is less busy."),
        (SINGLE, "Drafting seems to pay here."),
        (judged(prompt_experiment((8.2,), (7.0,))), "Drafting does not seem to pay here."),
        (
            judged(prompt_experiment((12.0,), (9.0,), variants=(DRAFTED, LOOKUP))),
            "The left side seems faster.",
        ),
        (
            judged(prompt_experiment((9.0,), (12.0,), variants=(DRAFTED, LOOKUP))),
            "The right side seems faster.",
        ),
        (
            judged(prompt_experiment(LEFT, ALIKE, variants=(OFF, LOOKUP))),
            "Drafting makes no clear difference here, and costs no memory to speak of.",
        ),
        (SHORT, ""),
        (OTHER_TEXT, "Faster, but not the same text: your choice."),
    ],
)
def test_advice_in_words(verdict: Verdict, words: str) -> None:
    assert advice_text(verdict) == words
