"""Which models can draft, in which order, and what is said about the others."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from app.core.advice import DraftSize
from app.core.compatibility import Compatible, Incompatible, Rule
from app.core.errors import FileProblem
from app.models.library import LocalModel, UnusableFile
from app.ui.draft_candidates import (
    Candidate,
    CannotRollBack,
    Gone,
    Identifying,
    OtherVocabulary,
    SameFile,
    Suitable,
    Unreadable,
    Verdict,
    arrange,
    at_a_glance,
    size_of,
    takes_back_tokens,
    verdict_on,
)
from app.ui.draft_words import details_text, facts_text, name_text, reason_text, tag_text
from app.ui.model_words import parameters_text
from tests.fakes.local_models import local_model

FOLDER = Path("/models")
GB = 1_000_000_000


def model(name: str, parameters: float, size_gb: float) -> LocalModel:
    return local_model(
        name, path=FOLDER / f"{name}.gguf", parameters=int(parameters), size_bytes=int(size_gb * GB)
    )


TARGET = model("7b", 7.6e9, 4.7)
TINY = model("0.5b", 0.5e9, 0.47)
SMALL = model("1.5b", 1.5e9, 1.1)
MIDDLE = model("3b", 3.1e9, 1.9)
ALIEN = model("alien", 0.4e9, 0.4)
UNFIT = OtherVocabulary(Incompatible(Rule.TEXT, 151_936, 151_936, "a", "b", 139))


def recurrent(name: str, *, rolls_back: bool) -> LocalModel:
    plain = model(name, 1e9, 1)
    return replace(plain, info=replace(plain.info, is_recurrent=True, rolls_back=rolls_back))


def names(candidates: tuple[Candidate, ...]) -> list[str]:
    return [name_text(candidate) for candidate in candidates]


def test_those_that_can_draft_come_first_the_best_size_before_others() -> None:
    verdicts: dict[Path, Verdict] = {
        draft.path: Suitable(size_of(TARGET.info, draft.info)) for draft in (TINY, SMALL, MIDDLE)
    }
    verdicts[ALIEN.path] = UNFIT

    rows = arrange(TARGET, (ALIEN, MIDDLE, TARGET, SMALL, TINY), (), verdicts, None)

    assert names(rows) == ["0.5b", "1.5b", "3b", "alien", "7b"]
    assert [row.can_draft for row in rows] == [True, True, True, False, False]


def test_what_is_being_identified_stands_where_it_would_if_it_fitted() -> None:
    rows = arrange(TARGET, (MIDDLE, SMALL, TINY), (), {SMALL.path: UNFIT}, None)

    assert names(rows) == ["0.5b", "3b", "1.5b"]
    assert isinstance(rows[0].verdict, Identifying)


def test_a_chosen_model_that_turns_out_not_to_fit_is_shown_first() -> None:
    verdicts: dict[Path, Verdict] = {ALIEN.path: UNFIT, TINY.path: Suitable(DraftSize.SUITS)}

    assert names(arrange(TARGET, (TINY, ALIEN), (), verdicts, ALIEN.path)) == ["alien", "0.5b"]


def test_a_chosen_file_that_is_gone_is_shown_first_with_the_reason() -> None:
    rows = arrange(TARGET, (TINY,), (), {}, FOLDER / "lost.gguf")

    assert names(rows) == ["lost.gguf", "0.5b"]
    assert rows[0].verdict == Gone()
    assert reason_text(rows[0]) == "it is no longer among your models"


def test_a_chosen_file_that_has_become_unusable_keeps_its_own_reason() -> None:
    broken = UnusableFile(FOLDER / "cut.gguf", FileProblem.TRUNCATED, "cut.gguf ends early.", 5, True)

    rows = arrange(TARGET, (), (broken,), {}, broken.path)

    assert rows[0].verdict == Unreadable("cut.gguf ends early.")


@pytest.mark.parametrize(
    ("target", "draft", "size"),
    [
        (TARGET, TINY, DraftSize.SUITS),
        (TARGET, MIDDLE, DraftSize.LARGE),  # 7B: up to 1B
        (model("14b", 14.8e9, 9), MIDDLE, DraftSize.SUITS),  # 14B: up to 3B
        (model("14b", 14.8e9, 9), TARGET, DraftSize.LARGE),
        (model("32b", 32.8e9, 20), TARGET, DraftSize.SUITS),  # 32B: up to 7B
        (MIDDLE, TINY, DraftSize.TARGET_SMALL),  # 3B: none
        (MIDDLE, SMALL, DraftSize.LARGE),  # more than half of the bytes
        (model("7b-q2", 7.6e9, 0.8), TINY, DraftSize.LARGE),
    ],
)
def test_sizes_by_the_guide_and_by_bytes(target: LocalModel, draft: LocalModel, size: DraftSize) -> None:
    assert size_of(target.info, draft.info) is size


def test_headers_alone_rule_out_the_target_itself_and_what_cannot_take_tokens_back() -> None:
    assert at_a_glance(TARGET, TARGET) == SameFile()
    assert at_a_glance(TARGET, recurrent("mamba", rolls_back=False)) == CannotRollBack()
    assert at_a_glance(TARGET, recurrent("lfm2", rolls_back=True)) == Identifying()
    assert at_a_glance(TARGET, TINY) == Identifying()
    assert not takes_back_tokens(recurrent("mamba", rolls_back=False).info)


def test_the_comparison_of_vocabularies_decides() -> None:
    assert verdict_on(TARGET, TINY, Compatible(10, 10)) == Suitable(DraftSize.SUITS)
    assert verdict_on(TARGET, TINY, UNFIT.reason) == UNFIT


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (UNFIT.reason, "differs at token 139: 'a' and 'b'"),
        (
            Incompatible(Rule.SIZE, 151_936, 153_984, "151936", "153984"),
            "sizes differ by 2,048, at most 128 are allowed",
        ),
        (
            Incompatible(Rule.SIZE, 151_936, 49_152, "151936", "49152"),
            "other vocabulary: 49,152 tokens, not 151,936",
        ),
        (
            Incompatible(Rule.BEGIN, 151_936, 128_256, "none", "128000"),
            "other vocabulary: 128,256 tokens, not 151,936",
        ),
        (
            Incompatible(Rule.BEGIN, 32_000, 32_000, "1", "none"),
            "begins texts with another token: none, not 1",
        ),
        (Incompatible(Rule.END, 32_000, 32_000, "none", "2"), "ends texts with another token: 2, not none"),
        (
            Incompatible(Rule.TYPE, 151_936, 262_144, "BPE", "SentencePiece"),
            "other kind of vocabulary: SentencePiece, not BPE",
        ),
        (Incompatible(Rule.NO_TOKENS, 0, 0, "none", "none"), "one of the two files has no tokens"),
    ],
)
def test_the_failing_rule_in_words(reason: Incompatible, words: str) -> None:
    assert reason_text(Candidate(ALIEN.path, ALIEN, OtherVocabulary(reason))) == words


def test_every_other_verdict_in_words() -> None:
    def told(verdict: Verdict) -> tuple[str, str]:
        candidate = Candidate(TINY.path, TINY, verdict)
        return reason_text(candidate), tag_text(candidate)

    assert told(Identifying()) == ("identifying…", "")
    assert told(SameFile()) == ("this is the model itself", "")
    assert told(CannotRollBack()) == ("keeps a running state and cannot take back rejected tokens", "")
    assert told(Unreadable("It is cut.")) == ("It is cut.", "")
    assert told(Suitable(DraftSize.SUITS)) == ("", "good size")
    assert told(Suitable(DraftSize.LARGE)) == ("", "large: may be slower")
    assert told(Suitable(DraftSize.TARGET_SMALL)) == ("", "")


def test_parameters_and_size_in_figures() -> None:
    assert details_text(Candidate(TINY.path, TINY, Identifying())) == "500M · 470 MB"
    assert details_text(Candidate(FOLDER / "lost.gguf", None, Gone())) == ""
    assert facts_text(Candidate(TINY.path, TINY, Identifying())) == "500M · Q4_K_M · 470 MB"
    assert facts_text(Candidate(FOLDER / "lost.gguf", None, Gone())) == ""


def test_parameters_are_those_of_the_list_of_models() -> None:
    labelled = replace(TINY, info=replace(TINY.info, parameters=630_000_000, size_label="0.5B"))
    assert details_text(Candidate(TINY.path, labelled, Identifying())) == "0.5B · 470 MB"
    assert parameters_text(labelled.info) == "0.5B"
