"""Choosing the next token: against llama.cpp's filters, and against arithmetic done by hand."""

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.core.errors import EngineError, GrammarError, OptionsError
from app.core.options import SamplingOptions
from app.engine.distribution import probability_of
from app.engine.llama import Library
from app.engine.noise import Purpose
from app.engine.sampling import Filters, Grammar, Sampler
from app.engine.tokens import Logits
from tests.fakes.real_models import opened
from tests.fakes.tiny_gguf import write_llama
from tests.fakes.toy_model import ToyTable

NOTHING = np.zeros(0, np.int32)
TABLE = ToyTable(5)


def logits(*probabilities: float) -> Logits:
    return np.log(np.array(probabilities, np.float32))


def passed(options: SamplingOptions, row: Logits) -> dict[int, float]:
    filters = Filters(options, len(row))
    found = filters.apply(row)
    filters.close()
    return dict(zip(found.ids.tolist(), found.probabilities.tolist(), strict=True))


ROW = logits(0.5, 0.25, 0.15, 0.07, 0.03)
OPEN = SamplingOptions(temperature=1.0, top_k=0, top_p=1.0, min_p=0.0)
WARM = replace(OPEN, temperature=1.5)


class TestFilters:
    def test_temperature_one_without_filters_is_the_softmax(self) -> None:
        assert passed(OPEN, ROW) == pytest.approx({0: 0.5, 1: 0.25, 2: 0.15, 3: 0.07, 4: 0.03})

    def test_temperature_sharpens(self) -> None:
        squares = np.array([0.5, 0.25, 0.15, 0.07, 0.03]) ** 2
        expected = dict(enumerate((squares / squares.sum()).tolist()))
        assert passed(replace(OPEN, temperature=0.5), ROW) == pytest.approx(expected, rel=1e-5)

    def test_top_k_keeps_that_many(self) -> None:
        options = replace(OPEN, top_k=2)
        assert passed(options, ROW) == pytest.approx({0: 2 / 3, 1: 1 / 3})

    def test_top_p_keeps_the_smallest_set_that_reaches_it(self) -> None:
        options = replace(OPEN, top_p=0.7)
        assert set(passed(options, ROW)) == {0, 1}

    def test_min_p_is_relative_to_the_likeliest(self) -> None:
        options = replace(OPEN, min_p=0.2)
        assert set(passed(options, ROW)) == {0, 1, 2}


class TestSampler:
    def test_greedy_takes_the_likeliest(self) -> None:
        assert Sampler(TABLE, SamplingOptions(temperature=0.0), NOTHING).choose(ROW) == 0

    def test_the_same_seed_gives_the_same_tokens(self) -> None:
        def tokens(seed: int) -> list[int]:
            sampler = Sampler(TABLE, SamplingOptions(temperature=1.5, seed=seed), NOTHING)
            drawn = []
            for _ in range(40):
                drawn.append(sampler.choose(ROW))
                sampler.accept(drawn[-1])
            sampler.close()
            return drawn

        assert tokens(1) == tokens(1)
        assert tokens(1) != tokens(2)

    def test_choosing_twice_without_accepting_gives_the_same_token(self) -> None:
        sampler = Sampler(TABLE, SamplingOptions(temperature=1.5, seed=3), NOTHING)
        assert len({sampler.choose(ROW) for _ in range(20)}) == 1
        sampler.close()

    def test_the_prompt_counts_for_the_penalties(self) -> None:
        options = SamplingOptions(temperature=0.0, presence_penalty=9.0)
        assert Sampler(TABLE, options, np.array([0], np.int32)).choose(ROW) == 1

    def test_a_draft_with_the_targets_noise_foresees_the_targets_draws(self) -> None:
        sampler = Sampler(TABLE, SamplingOptions(temperature=1.5, seed=3, presence_penalty=0.3), NOTHING)
        chooser = sampler.draft_chooser(shares_noise=True)
        foreseen = [chooser.choose(ROW).token for _ in range(20)]
        drawn = []
        for _ in range(20):
            drawn.append(sampler.choose(ROW))
            sampler.accept(drawn[-1])
        sampler.close()
        assert drawn == foreseen

    def test_a_greedy_draft_is_as_sure_as_its_token_is_probable(self) -> None:
        chooser = Sampler(TABLE, SamplingOptions(temperature=0.0), NOTHING).draft_chooser(shares_noise=True)
        drawn = chooser.choose(ROW)
        assert drawn.confidence == drawn.probability == probability_of(ROW, drawn.token)

    def test_a_drawn_one_as_it_is_ahead_of_the_others_with_their_noise(self) -> None:
        sampler = Sampler(TABLE, WARM, NOTHING)
        drawn = sampler.draft_chooser(shares_noise=True).choose(ROW)
        noise = sampler.noise.gumbel(Purpose.CHOICE, 0, np.arange(len(ROW), dtype=np.int32))
        scores = ROW + WARM.temperature * noise
        sampler.close()
        assert drawn.token == scores.argmax()
        assert drawn.confidence == pytest.approx(1.0 / np.exp(scores - scores.max()).sum())

    def test_where_one_passes_the_filters_it_is_as_sure_as_it_is_probable(self) -> None:
        sampler = Sampler(TABLE, replace(WARM, top_k=1), NOTHING)
        drawn = sampler.draft_chooser(shares_noise=True).choose(ROW)
        sampler.close()
        assert drawn.token == 0
        assert drawn.confidence == drawn.probability == probability_of(ROW, 0)

    def test_the_surer_a_draft_the_more_the_targets_logits_may_differ(self) -> None:
        """What probability alone does not tell: a token of little probability may be far ahead."""
        sure: list[bool] = []
        unsure: list[bool] = []
        disturbed = ROW + np.random.default_rng(1).normal(0.0, 0.3, (400, len(ROW))).astype(np.float32)
        for seed, row in enumerate(disturbed):
            sampler = Sampler(TABLE, replace(WARM, seed=seed), NOTHING)
            drawn = sampler.draft_chooser(shares_noise=True).choose(ROW)
            (sure if drawn.confidence > 0.7 else unsure).append(sampler.choose(row) == drawn.token)
            sampler.close()
        assert min(len(sure), len(unsure)) > 50
        assert sum(sure) / len(sure) > 0.97
        assert sum(unsure) / len(unsure) < 0.93

    def test_a_draft_with_noise_of_its_own_knows_nothing_of_the_targets(self) -> None:
        sampler = Sampler(TABLE, WARM, NOTHING)
        drawn = sampler.draft_chooser(shares_noise=False).choose(ROW)
        sampler.close()
        assert drawn.confidence == drawn.probability

    def test_logits_that_are_no_numbers_are_an_error(self) -> None:
        sampler = Sampler(TABLE, SamplingOptions(temperature=0.0), NOTHING)
        with pytest.raises(EngineError, match="damaged"):
            sampler.choose(np.full(5, np.nan, np.float32))

    @pytest.mark.parametrize(
        "options",
        [
            SamplingOptions(temperature=-1.0),
            SamplingOptions(top_k=-1),
            SamplingOptions(top_p=0.0),
            SamplingOptions(min_p=1.5),
            SamplingOptions(repeat_penalty=0.0),
            SamplingOptions(seed=2**32),
            SamplingOptions(grammar="root ::= [a]", json_schema="{}"),
        ],
    )
    def test_settings_that_make_no_sense_are_named(self, options: SamplingOptions) -> None:
        with pytest.raises(OptionsError):
            Sampler(TABLE, options, NOTHING)


class TestGrammar:
    def test_only_what_the_grammar_allows_is_chosen(self, library: Library, tmp_path: Path) -> None:
        with opened(library, write_llama(tmp_path / "tiny.gguf")) as cache:
            grammar = Grammar(cache.vocabulary, 'root ::= "a" [0-9]')
            digit, letter = (int(cache.vocabulary.tokenize(text)[-1]) for text in ("7", "a"))
            assert grammar.allows(letter)
            assert not grammar.allows(digit)
            grammar.accept(letter)
            assert grammar.allows(digit)
            assert not grammar.allows(letter)
            grammar.close()

    @pytest.mark.parametrize("text", ["", "root ::= (", "other ::= [a-z]", "root ::= missing"])
    def test_a_text_that_is_no_grammar_is_refused(self, library: Library, tmp_path: Path, text: str) -> None:
        with (
            opened(library, write_llama(tmp_path / "tiny.gguf")) as cache,
            pytest.raises(GrammarError, match="not valid"),
        ):
            Grammar(cache.vocabulary, text)

    @pytest.mark.parametrize("schema", ["{", '{"type": "wonder"}', '{"$ref": "#/nowhere"}', "[1]"])
    def test_a_schema_that_cannot_be_followed_is_refused(
        self, library: Library, tmp_path: Path, schema: str
    ) -> None:
        with (
            opened(library, write_llama(tmp_path / "tiny.gguf")) as cache,
            pytest.raises(GrammarError, match="JSON schema"),
        ):
            Sampler(cache.vocabulary, SamplingOptions(json_schema=schema), NOTHING)

    def test_a_model_without_a_native_vocabulary_says_that_it_cannot(self) -> None:
        with pytest.raises(GrammarError, match="llama"):
            Sampler(TABLE, SamplingOptions(grammar="root ::= [a]"), NOTHING)
