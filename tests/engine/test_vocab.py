"""Vocabulary compatibility: the answers and facts are compared with those of llama.cpp itself."""

import os
from collections.abc import Mapping
from pathlib import Path

import llama_cpp.llama_cpp as native
import pytest
from msgspec import Struct

from app.core.compatibility import Compatible, Incompatible, Rule
from app.core.errors import FileProblem, ModelFileError
from app.engine.llama import Library
from app.engine.vocab import VocabularyCache, check_compatibility
from app.models.vocabulary import VocabularyKind, read_profile
from tests.fakes import tiny_gguf
from tests.fakes.tiny_gguf import Value
from tests.fakes.tiny_vocabulary import byte_vocabulary

KINDS_OF_LLAMA_CPP = {
    0: VocabularyKind.NONE,
    1: VocabularyKind.SENTENCE_PIECE,
    2: VocabularyKind.BPE,
    3: VocabularyKind.WORD_PIECE,
    4: VocabularyKind.UNIGRAM,
    5: VocabularyKind.RWKV,
    6: VocabularyKind.PLAMO2,
    7: VocabularyKind.TEST,
}

UNSTATED: dict[str, Value | None] = {
    "tokenizer.ggml.bos_token_id": None,
    "tokenizer.ggml.eos_token_id": None,
    "tokenizer.ggml.add_bos_token": None,
    "tokenizer.ggml.add_eos_token": None,
}
BPE: dict[str, Value | None] = {
    **UNSTATED,
    "tokenizer.ggml.model": "gpt2",
    "tokenizer.ggml.merges": ["h e"],
    "tokenizer.ggml.pre": "gpt-2",
}


class Loaded(Struct, frozen=True):
    """A vocabulary as llama.cpp has it after loading."""

    kind: VocabularyKind
    begin: int
    end: int
    adds_begin: bool
    adds_end: bool
    texts: tuple[bytes, ...]


def load(path: Path) -> Loaded:
    options = native.llama_model_default_params()
    options.vocab_only = True
    model = native.llama_model_load_from_file(str(path).encode(), options)
    assert model
    try:
        vocabulary = native.llama_model_get_vocab(model)
        kind = KINDS_OF_LLAMA_CPP[native.llama_vocab_type(vocabulary)]
        count = native.llama_vocab_n_tokens(vocabulary) if kind is not VocabularyKind.NONE else 0
        return Loaded(
            kind=kind,
            begin=native.llama_vocab_bos(vocabulary),
            end=native.llama_vocab_eos(vocabulary),
            adds_begin=native.llama_vocab_get_add_bos(vocabulary),
            adds_end=native.llama_vocab_get_add_eos(vocabulary),
            texts=tuple(native.llama_vocab_get_text(vocabulary, token) for token in range(count)),
        )
    finally:
        native.llama_model_free(model)


def verdict_of_llama_cpp(target: Path, draft: Path) -> Rule | int | None:
    """common_speculative_are_compatible over loaded vocabularies: the rule or the token, None if it fits."""
    ours, theirs = load(target), load(draft)
    if ours.kind is not theirs.kind:
        return Rule.TYPE
    if ours.adds_begin != theirs.adds_begin or (ours.adds_begin and ours.begin != theirs.begin):
        return Rule.BEGIN
    if ours.adds_end != theirs.adds_end or (ours.adds_end and ours.end != theirs.end):
        return Rule.END
    if abs(len(ours.texts) - len(theirs.texts)) > 128:
        return Rule.SIZE
    for token in range(5, min(len(ours.texts), len(theirs.texts))):
        if ours.texts[token] != theirs.texts[token]:
            return token
    return None


def vocabulary_file(
    path: Path,
    size: int = 300,
    texts: Mapping[int, str] | None = None,
    changes: Mapping[str, Value | None] | None = None,
) -> Path:
    tokens = byte_vocabulary(size, texts)
    return tiny_gguf.write_llama(path, width=8, layers=1, vocabulary=tokens, changes=dict(changes or {}))


def check(target: Path, draft: Path) -> Compatible | Incompatible:
    return check_compatibility(target, draft, VocabularyCache(None))


def stamp(path: Path, nanoseconds: int) -> None:
    os.utime(path, ns=(nanoseconds, nanoseconds))


class TestProfile:
    """Type, special tokens and defaults are what llama.cpp makes of the same file."""

    def assert_mirrors(self, path: Path) -> None:
        profile, loaded = read_profile(path), load(path)
        assert profile.kind is loaded.kind
        special = profile.special
        assert (special.begin, special.end) == (loaded.begin, loaded.end)
        assert (special.adds_begin, special.adds_end) == (loaded.adds_begin, loaded.adds_end)
        if loaded.kind is not VocabularyKind.NONE:
            assert profile.size == len(loaded.texts)

    @pytest.mark.parametrize("model", ["llama", "t5", "rwkv", "plamo2", "test", "no_vocab", "none"])
    def test_defaults_by_tokenizer(self, model: str, tmp_path: Path, library: Library) -> None:
        texts = {20: "\\n"} if model == "rwkv" else None
        changes = {**UNSTATED, "tokenizer.ggml.model": model}
        self.assert_mirrors(vocabulary_file(tmp_path / "m.gguf", texts=texts, changes=changes))

    @pytest.mark.parametrize(
        "pre_tokenizer",
        [
            "default", "minicpm5", "llama3", "llama-v3", "llama-bpe", "falcon3", "falcon-h1", "pixtral",
            "midm-2.0", "lfm2", "jina-v5-nano", "deepseek-llm", "deepseek-r1-qwen", "falcon", "mpt",
            "starcoder", "gpt-2", "phi-2", "refact", "command-r", "qwen2", "qwen35", "stablelm2", "olmo",
            "dbrx", "smaug-bpe", "chatglm-bpe", "glm4", "glm5", "tekken", "smollm", "codeshell", "bloom",
            "exaone", "chameleon", "gpt-4o", "llama4", "superbpe", "trillion", "bailingmoe", "hunyuan",
            "kimi-k2", "grok-2", "gemma4", "granite-embed-multi-311m", "mellum2",
        ],
    )  # fmt: skip
    def test_defaults_by_pre_tokenizer(self, pre_tokenizer: str, tmp_path: Path, library: Library) -> None:
        changes = {**BPE, "tokenizer.ggml.pre": pre_tokenizer}
        self.assert_mirrors(vocabulary_file(tmp_path / "m.gguf", changes=changes))

    @pytest.mark.parametrize("model", ["gpt2", "hybriddna", "whitespace", "gemma4"])
    def test_defaults_of_bpe_tokenizers(self, model: str, tmp_path: Path, library: Library) -> None:
        pre_tokenizer = "whitespace" if model == "whitespace" else None
        changes = {**BPE, "tokenizer.ggml.model": model, "tokenizer.ggml.pre": pre_tokenizer}
        self.assert_mirrors(vocabulary_file(tmp_path / "m.gguf", changes=changes))

    @pytest.mark.parametrize(
        "changes",
        [
            {"tokenizer.ggml.add_bos_token": False},
            {"tokenizer.ggml.add_eos_token": True},
            {"tokenizer.ggml.bos_token_id": 3, "tokenizer.ggml.eos_token_id": 299},
            {"tokenizer.ggml.bos_token_id": 300},
            {"tokenizer.ggml.eos_token_id": 2**32 - 1},
            {**BPE, "tokenizer.ggml.bos_token_id": 300},
            {**BPE, "tokenizer.ggml.pre": "llama-bpe", "tokenizer.ggml.add_bos_token": False},
            {**BPE, "tokenizer.ggml.pre": "gemma4", "tokenizer.ggml.add_bos_token": False},
            {**BPE, "tokenizer.ggml.pre": "glm4", "tokenizer.ggml.bos_token_id": 4},
            {**BPE, "tokenizer.ggml.pre": "glm4", "tokenizer.ggml.bos_token_id": 300},
        ],
    )
    def test_stated_values(self, changes: dict[str, Value | None], tmp_path: Path, library: Library) -> None:
        self.assert_mirrors(vocabulary_file(tmp_path / "m.gguf", changes=changes))

    def test_a_default_beyond_a_small_vocabulary(self, tmp_path: Path, library: Library) -> None:
        few: list[str] = [f"t{number}" for number in range(10)]
        changes = {
            **BPE,
            "tokenizer.ggml.tokens": few,
            "tokenizer.ggml.scores": None,
            "tokenizer.ggml.token_type": None,
        }
        self.assert_mirrors(vocabulary_file(tmp_path / "m.gguf", changes=changes))

    @pytest.mark.parametrize("model", [None, "tiktoken"])
    def test_no_or_an_unknown_tokenizer(self, model: str | None, tmp_path: Path) -> None:
        path = vocabulary_file(tmp_path / "m.gguf", changes={"tokenizer.ggml.model": model})
        with pytest.raises(ModelFileError) as caught:
            read_profile(path)
        assert caught.value.problem is FileProblem.UNSUPPORTED
        assert str(caught.value).startswith("m.gguf has")

    def test_a_tokenizer_without_tokens(self, tmp_path: Path) -> None:
        path = vocabulary_file(tmp_path / "m.gguf", changes={"tokenizer.ggml.tokens": None})
        with pytest.raises(ModelFileError) as caught:
            read_profile(path)
        assert caught.value.problem is FileProblem.DAMAGED


class TestRules:
    """Every pair gets llama.cpp's verdict, and a reason."""

    def assert_agrees(self, target: Path, draft: Path) -> Compatible | Incompatible:
        answer = check(target, draft)
        verdict = verdict_of_llama_cpp(target, draft)
        if isinstance(answer, Compatible):
            assert verdict is None
        else:
            assert verdict == (answer.token if answer.rule is Rule.TEXT else answer.rule)
        return answer

    def pair(
        self,
        folder: Path,
        texts: Mapping[int, str] | None = None,
        changes: Mapping[str, Value | None] | None = None,
    ) -> Compatible | Incompatible:
        """The answer for an ordinary target and a draft that differs from it."""
        target = vocabulary_file(folder / "target.gguf")
        return self.assert_agrees(target, vocabulary_file(folder / "draft.gguf", 300, texts, changes))

    def test_equal_vocabularies(self, tmp_path: Path, library: Library) -> None:
        assert self.pair(tmp_path) == Compatible(target_size=300, draft_size=300)

    def test_other_type(self, tmp_path: Path, library: Library) -> None:
        answer = self.pair(tmp_path, changes=BPE)
        assert isinstance(answer, Incompatible)
        assert answer.sentence() == "the types differ: SentencePiece and BPE"

    @pytest.mark.parametrize(
        ("changes", "sentence"),
        [
            (
                {"tokenizer.ggml.add_bos_token": False},
                "the tokens added at the beginning of a text differ: 1 and none",
            ),
            (
                {"tokenizer.ggml.bos_token_id": 3},
                "the tokens added at the beginning of a text differ: 1 and 3",
            ),
            (
                {"tokenizer.ggml.add_eos_token": True},
                "the tokens added at the end of a text differ: none and 2",
            ),
        ],
    )
    def test_other_tokens_around_a_text(
        self, changes: dict[str, Value | None], sentence: str, tmp_path: Path, library: Library
    ) -> None:
        answer = self.pair(tmp_path, changes=changes)
        assert isinstance(answer, Incompatible)
        assert answer.sentence() == sentence

    def test_ids_of_tokens_that_are_not_added_do_not_count(self, tmp_path: Path, library: Library) -> None:
        answer = self.pair(tmp_path, changes={"tokenizer.ggml.eos_token_id": 4})
        assert isinstance(answer, Compatible)

    def test_an_added_token_that_does_not_exist(self, tmp_path: Path, library: Library) -> None:
        undefined = {**BPE, "tokenizer.ggml.pre": "glm4", "tokenizer.ggml.add_bos_token": True}
        defined = {**undefined, "tokenizer.ggml.bos_token_id": 7}
        target = vocabulary_file(tmp_path / "a.gguf", changes=undefined)
        answer = self.assert_agrees(target, vocabulary_file(tmp_path / "b.gguf", changes=defined))
        assert isinstance(answer, Incompatible)
        assert (
            answer.sentence() == "the tokens added at the beginning of a text differ: an undefined one and 7"
        )

    def test_sizes_up_to_128_apart(self, tmp_path: Path, library: Library) -> None:
        small = vocabulary_file(tmp_path / "small.gguf", 300)
        large = vocabulary_file(tmp_path / "large.gguf", 428)
        assert self.assert_agrees(small, large) == Compatible(300, 428)
        assert self.assert_agrees(large, small) == Compatible(428, 300)

    def test_sizes_129_apart(self, tmp_path: Path, library: Library) -> None:
        small = vocabulary_file(tmp_path / "small.gguf", 300)
        large = vocabulary_file(tmp_path / "large.gguf", 429)
        for target, draft in ((small, large), (large, small)):
            answer = self.assert_agrees(target, draft)
            assert isinstance(answer, Incompatible)
            assert answer.sentence() == "sizes differ by 129, at most 128 are allowed"

    @pytest.mark.parametrize("token", [5, 139, 299])
    def test_one_other_text(self, token: int, tmp_path: Path, library: Library) -> None:
        answer = self.pair(tmp_path, texts={token: "other"})
        assert isinstance(answer, Incompatible)
        before = byte_vocabulary()[token]
        assert (answer.rule, answer.token) == (Rule.TEXT, token)
        assert answer.sentence() == f"differs at token {token}: '{before}' and 'other'"

    @pytest.mark.parametrize("token", [5, 299, 300, 427])
    def test_one_other_text_in_vocabularies_of_other_sizes(
        self, token: int, tmp_path: Path, library: Library
    ) -> None:
        small = vocabulary_file(tmp_path / "small.gguf", 300)
        large = vocabulary_file(tmp_path / "large.gguf", 428, {token: "other"})
        answer = self.assert_agrees(large, small)
        assert isinstance(answer, Compatible) == (token >= 300)

    def test_the_first_five_texts_do_not_count(self, tmp_path: Path, library: Library) -> None:
        answer = self.pair(tmp_path, texts={0: "zero", 4: "four"})
        assert isinstance(answer, Compatible)

    @pytest.mark.parametrize("token", [1023, 1024, 2047, 2048, 2099])
    def test_differences_far_back_are_found(self, token: int, tmp_path: Path, library: Library) -> None:
        target = vocabulary_file(tmp_path / "target.gguf", 2100)
        answer = self.assert_agrees(target, vocabulary_file(tmp_path / "draft.gguf", 2150, {token: "other"}))
        assert isinstance(answer, Incompatible)
        assert answer.token == token

    def test_an_empty_text_equals_the_one_that_llama_cpp_makes_up(
        self, tmp_path: Path, library: Library
    ) -> None:
        target = vocabulary_file(tmp_path / "target.gguf", texts={280: ""})
        draft = vocabulary_file(tmp_path / "draft.gguf", texts={280: "[EMPTY_280]"})
        assert isinstance(self.assert_agrees(target, draft), Compatible)

    def test_a_text_ends_at_its_first_zero_byte(self, tmp_path: Path, library: Library) -> None:
        target = vocabulary_file(tmp_path / "target.gguf", texts={280: "other\0one"})
        draft = vocabulary_file(tmp_path / "draft.gguf", texts={280: "other\0two"})
        assert isinstance(self.assert_agrees(target, draft), Compatible)

    def test_marks_of_dna_tokens_do_not_count(self, tmp_path: Path, library: Library) -> None:
        marked = vocabulary_file(
            tmp_path / "marked.gguf",
            texts={280: "<oov>", 281: "ACGT\ue000", 282: "\ue000"},
            changes={**BPE, "tokenizer.ggml.model": "hybriddna"},
        )
        plain = vocabulary_file(
            tmp_path / "plain.gguf", texts={280: "<oov>", 281: "ACGT", 282: "\ue000"}, changes=BPE
        )
        same_bytes = vocabulary_file(
            tmp_path / "same.gguf", texts={280: "<oov>", 281: "ACGT\ue000", 282: "\ue000"}, changes=BPE
        )
        assert isinstance(self.assert_agrees(marked, plain), Compatible)
        assert isinstance(self.assert_agrees(marked, same_bytes), Incompatible)

    def test_vocabularies_without_tokens(self, tmp_path: Path) -> None:
        files = [
            vocabulary_file(tmp_path / name, changes={"tokenizer.ggml.model": "none"})
            for name in ("a.gguf", "b.gguf")
        ]
        answer = check(*files)
        assert isinstance(answer, Incompatible)
        assert answer.sentence() == "one of the files has no tokens"

    def test_texts_are_printable_and_short(self, tmp_path: Path) -> None:
        target = vocabulary_file(tmp_path / "target.gguf", texts={270: "a\n\u200b" + "x" * 100})
        answer = check(target, vocabulary_file(tmp_path / "draft.gguf", texts={270: "é🦙"}))
        assert isinstance(answer, Incompatible)
        assert answer.target == "a\\n\\u200b" + "x" * 30 + "…"
        assert answer.draft == "é🦙"

    def test_a_split_set_counts_by_its_first_part(self, tmp_path: Path) -> None:
        target = tiny_gguf.write_llama(tmp_path / "target.gguf")
        parts = tiny_gguf.write_split(tmp_path, "draft", tiny_gguf.llama_model())
        assert isinstance(check(target, parts[2]), Compatible)


class TestCache:
    """What was seen before is answered without the files' content."""

    def files(self, folder: Path) -> tuple[Path, Path]:
        target = vocabulary_file(folder / "target.gguf")
        draft = vocabulary_file(folder / "draft.gguf", texts={139: "other"})
        for path in (target, draft):
            stamp(path, 1_000_000_000)
        return target, draft

    def spoil(self, path: Path, nanoseconds: int) -> None:
        path.write_bytes(bytes(path.stat().st_size))
        stamp(path, nanoseconds)

    def test_files_are_not_read_again(self, tmp_path: Path) -> None:
        target, draft = self.files(tmp_path)
        cache = VocabularyCache(None)
        before = check_compatibility(target, draft, cache)
        for path in (target, draft):
            self.spoil(path, 1_000_000_000)
        assert check_compatibility(target, draft, cache) == before

    def test_a_changed_time_or_size_is_noticed(self, tmp_path: Path) -> None:
        target, draft = self.files(tmp_path)
        cache = VocabularyCache(None)
        assert isinstance(check_compatibility(target, draft, cache), Incompatible)
        vocabulary_file(draft)
        stamp(draft, 1_000_000_001)
        assert isinstance(check_compatibility(target, draft, cache), Compatible)
        vocabulary_file(draft, 429)
        stamp(draft, 1_000_000_001)
        assert isinstance(check_compatibility(target, draft, cache), Incompatible)

    def test_it_outlives_the_program(self, tmp_path: Path) -> None:
        target, draft = self.files(tmp_path)
        stored = tmp_path / "new" / "folder" / "cache"
        before = check_compatibility(target, draft, VocabularyCache(stored))
        for path in (target, draft):
            self.spoil(path, 1_000_000_000)
        assert check_compatibility(target, draft, VocabularyCache(stored)) == before
        assert [path.name for path in stored.parent.iterdir()] == ["cache"]

    def test_both_directions_are_told_apart(self, tmp_path: Path) -> None:
        target, draft = self.files(tmp_path)
        cache = VocabularyCache(None)
        there = check_compatibility(target, draft, cache)
        back = check_compatibility(draft, target, cache)
        assert isinstance(there, Incompatible)
        assert isinstance(back, Incompatible)
        assert (there.target, there.draft) == (back.draft, back.target)

    @pytest.mark.parametrize("damage", ["empty", "cut", "changed", "other", "folder"])
    def test_a_damaged_cache_starts_empty(
        self, damage: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        target, draft = self.files(tmp_path)
        stored = tmp_path / "cache"
        before = check_compatibility(target, draft, VocabularyCache(stored))
        data = bytearray(stored.read_bytes())
        data[len(data) // 2] ^= 1
        spoilt = {"empty": b"", "cut": bytes(data[:-1]), "changed": bytes(data), "other": b"{}"}
        if damage == "folder":
            stored.unlink()
            stored.mkdir()
        else:
            stored.write_bytes(spoilt[damage])
        assert check_compatibility(target, draft, VocabularyCache(stored)) == before
        assert "vocabulary cache" in caplog.text
        if damage != "folder":
            caplog.clear()
            VocabularyCache(stored)
            assert caplog.text == ""

    def test_a_disk_that_cannot_be_written_is_no_reason_to_fail(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        target, draft = self.files(tmp_path)
        occupied = tmp_path / "file"
        occupied.touch()
        cache = VocabularyCache(occupied / "cache")
        assert isinstance(check_compatibility(target, draft, cache), Incompatible)
        assert "could not be saved" in caplog.text

    def test_a_missing_file(self, tmp_path: Path) -> None:
        target, draft = self.files(tmp_path)
        cache = VocabularyCache(None)
        check_compatibility(target, draft, cache)
        draft.unlink()
        with pytest.raises(ModelFileError) as caught:
            check_compatibility(target, draft, cache)
        assert caught.value.problem is FileProblem.MISSING
