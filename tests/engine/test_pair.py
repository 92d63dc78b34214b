"""A target and its draft, loaded together: what fits, what does not, and what is said about it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.core.chat import Message, Role
from app.core.errors import OptionsError, PromptTooLongError
from app.core.options import (
    AcceptanceRule,
    DraftLength,
    GenerationLimits,
    LoadOptions,
    SamplingOptions,
    SpeculationMode,
    SpeculationOptions,
)
from app.core.protocol import Done, Obstacle, Round
from app.core.stats import StopReason
from app.engine.pair import ModelPair
from app.engine.pair_loader import PairLoader
from app.engine.stopping import StopSignal
from app.engine.template import ChatTemplate, TemplateForm
from tests.fakes.tiny_gguf import (
    byte_vocabulary,
    truncate_file,
    write_lfm2,
    write_llama,
    write_mamba,
)

OPTIONS = LoadOptions(context_length=256, longest_draft=8, threads=1)
GREEDY = SamplingOptions(temperature=0.0)
DRAFTED = SpeculationOptions(mode=SpeculationMode.DRAFT_MODEL, draft_length=DraftLength.FIXED)
QUESTION = (Message(Role.USER, "Where does the river end?"),)


@pytest.fixture
def pair(loader: PairLoader, target: Path, draft: Path) -> Iterator[ModelPair]:
    loaded = loader.load(target, draft, OPTIONS)
    yield loaded
    loaded.close()


def answer(
    pair: ModelPair,
    speculation: SpeculationOptions,
    sampling: SamplingOptions = GREEDY,
    messages: tuple[Message, ...] = QUESTION,
) -> tuple[list[int], Done]:
    events = list(
        pair.generate(
            pair.prompt_tokens(messages), sampling, speculation, GenerationLimits(max_tokens=24), StopSignal()
        )
    )
    done = events[-1]
    assert isinstance(done, Done)
    return [token for event in events if isinstance(event, Round) for token in event.tokens], done


class TestLoading:
    def test_a_fitting_draft_is_loaded_and_used(self, pair: ModelPair) -> None:
        assert pair.draft is not None
        assert pair.draft_refusal is None
        assert pair.refusal is None
        plain, _ = answer(pair, SpeculationOptions())
        pair.forget()
        drafted, done = answer(pair, DRAFTED)
        assert drafted == plain
        assert done.stats.accepted > 0


class TestRefusedDrafts:
    """Whatever is wrong with the draft, the target answers without it, and says why."""

    def refusal_of(self, loader: PairLoader, target: Path, draft: Path) -> tuple[Obstacle, str]:
        pair = loader.load(target, draft, OPTIONS)
        try:
            assert pair.draft is None
            assert pair.draft_refusal is not None
            tokens, done = answer(pair, DRAFTED)
            assert tokens
            assert done.stats.drafted == 0
            return pair.draft_refusal.obstacle, pair.draft_refusal.sentence
        finally:
            pair.close()

    def test_another_vocabulary(self, loader: PairLoader, target: Path, tmp_path: Path) -> None:
        other = write_llama(tmp_path / "other.gguf", vocabulary=byte_vocabulary(changes={139: "unlike"}))
        obstacle, sentence = self.refusal_of(loader, target, other)
        assert obstacle is Obstacle.INCOMPATIBLE
        assert "differs at token 139" in sentence
        assert "'unlike'" in sentence

    def test_a_vocabulary_129_tokens_larger(self, loader: PairLoader, target: Path, tmp_path: Path) -> None:
        larger = write_llama(tmp_path / "larger.gguf", vocabulary=byte_vocabulary(size=429))
        obstacle, sentence = self.refusal_of(loader, target, larger)
        assert obstacle is Obstacle.INCOMPATIBLE
        assert "129" in sentence

    def test_a_file_that_breaks_off(self, loader: PairLoader, target: Path, draft: Path) -> None:
        obstacle, sentence = self.refusal_of(loader, target, truncate_file(draft, 0.5))
        assert obstacle is Obstacle.NOT_LOADED
        assert "draft.gguf" in sentence

    def test_a_file_that_is_not_there(self, loader: PairLoader, target: Path, tmp_path: Path) -> None:
        obstacle, _ = self.refusal_of(loader, target, tmp_path / "gone.gguf")
        assert obstacle is Obstacle.NOT_LOADED

    def test_a_draft_that_cannot_take_tokens_back(
        self, loader: PairLoader, target: Path, tmp_path: Path
    ) -> None:
        obstacle, sentence = self.refusal_of(loader, target, write_mamba(tmp_path / "mamba.gguf"))
        assert obstacle is Obstacle.DRAFT_CANNOT_ROLL_BACK
        assert "take back" in sentence

    def test_any_draft_for_a_target_that_cannot_take_tokens_back(
        self, loader: PairLoader, draft: Path, tmp_path: Path
    ) -> None:
        obstacle, sentence = self.refusal_of(loader, write_mamba(tmp_path / "mamba.gguf"), draft)
        assert obstacle is Obstacle.TARGET_CANNOT_ROLL_BACK
        assert "without speculation" in sentence


class TestVocabulariesOfUnequalSize:
    @pytest.mark.parametrize("rule", list(AcceptanceRule))
    @pytest.mark.parametrize("sizes", [(300, 428), (428, 300)])
    def test_up_to_128_tokens_apart_a_draft_serves_under_every_rule(
        self, loader: PairLoader, tmp_path: Path, sizes: tuple[int, int], rule: AcceptanceRule
    ) -> None:
        paths = [
            write_llama(tmp_path / f"{size}.gguf", vocabulary=byte_vocabulary(size=size), noise=noise)
            for size, noise in zip(sizes, (0.0, 0.03), strict=True)
        ]
        pair = loader.load(paths[0], paths[1], OPTIONS)
        wild = SamplingOptions(temperature=1.5, top_k=0, top_p=1.0, min_p=0.0)
        for sampling in (GREEDY, wild):
            plain, _ = answer(pair, SpeculationOptions(), sampling)
            pair.forget()
            options = SpeculationOptions(
                mode=SpeculationMode.DRAFT_MODEL, draft_length=DraftLength.FIXED, acceptance=rule
            )
            tokens, done = answer(pair, options, sampling)
            if sizes[1] > sizes[0]:  # the smaller draft keeps quiet once a token comes that it lacks
                assert done.stats.drafted > 0
            assert max(tokens) < sizes[0]
            if rule is AcceptanceRule.MATCH:
                assert tokens == plain
            pair.forget()
        pair.close()


class TestSpeculationWithoutARewind:
    def test_prompt_lookup_runs_plain_too(self, loader: PairLoader, tmp_path: Path) -> None:
        pair = loader.load(write_mamba(tmp_path / "mamba.gguf"), None, OPTIONS)
        _, done = answer(
            pair, SpeculationOptions(mode=SpeculationMode.PROMPT_LOOKUP, draft_length=DraftLength.FIXED)
        )
        assert pair.refusal is not None
        assert done.stats.drafted == 0
        pair.close()

    def test_a_hybrid_target_is_drafted_for(self, loader: PairLoader, tmp_path: Path) -> None:
        target = write_lfm2(tmp_path / "lfm2.gguf")
        pair = loader.load(target, write_lfm2(tmp_path / "small.gguf", noise=0.03), OPTIONS)
        plain, _ = answer(pair, SpeculationOptions())
        pair.forget()
        drafted, done = answer(pair, DRAFTED)
        assert drafted == plain
        assert done.stats.accepted > 0
        pair.close()


class TestPrompts:
    def test_the_files_template_is_used(self, pair: ModelPair) -> None:
        assert pair.template.form is TemplateForm.MODEL
        text = pair.template.render(QUESTION)
        assert text.endswith("<|im_start|>assistant\n")

    def test_a_prompt_begins_with_bos_once(self, pair: ModelPair) -> None:
        vocabulary = pair.target.vocabulary
        bos = vocabulary.bos_text
        assert vocabulary.adds_bos
        for text in ("words", bos + "words"):
            tokens = pair.tokenize(text).tolist()
            first = int(vocabulary.tokenize(bos)[0])
            assert tokens[0] == first
            assert tokens.count(first) == 1

    def test_a_broken_template_is_replaced_by_a_plain_one_and_named(
        self, loader: PairLoader, tmp_path: Path
    ) -> None:
        path = write_llama(tmp_path / "broken-template.gguf", chat_template='{{ a["foo"(')
        pair = loader.load(path, None, OPTIONS)
        assert pair.template_problem is not None
        assert pair.template_problem.line == 1
        assert answer(pair, SpeculationOptions())[0]
        pair.close()

    def test_without_a_template_the_answer_ends_where_the_model_speaks_for_the_user(
        self, loader: PairLoader, tmp_path: Path
    ) -> None:
        pair = loader.load(write_llama(tmp_path / "base.gguf"), None, OPTIONS)
        pair.template = ChatTemplate(None, bos="", eos="")
        talkative = SamplingOptions(temperature=0.0, grammar='root ::= "Well." "\\nUser: And you?"')
        events = list(
            pair.generate(
                pair.prompt_tokens(QUESTION),
                talkative,
                SpeculationOptions(),
                GenerationLimits(max_tokens=60),
                StopSignal(),
            )
        )
        done = events[-1]
        assert isinstance(done, Done)
        assert "".join(piece.text for event in events for piece in event.pieces) == "Well."
        assert done.stats.stop_reason is StopReason.STOP_STRING
        pair.close()

    def test_a_prompt_longer_than_the_context_is_refused_in_words(self, pair: ModelPair) -> None:
        long = (Message(Role.USER, "word " * 600),)
        with pytest.raises(PromptTooLongError, match="256"):
            answer(pair, SpeculationOptions(), messages=long)


def test_options_that_do_not_hold_together_generate_nothing(pair: ModelPair) -> None:
    with pytest.raises(OptionsError, match="min draft tokens"):
        answer(
            pair, SpeculationOptions(draft_length=DraftLength.FIXED, max_draft_tokens=1, min_draft_tokens=2)
        )
