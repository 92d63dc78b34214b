"""Which drafts are suggested, from a hub in memory."""

from pathlib import Path

import pytest

from app.models.draft_facts import Outlook, facts_of_hub, facts_of_local, outlook_for
from app.models.draft_suggestions import DraftSuggestion, Grounds, draft_row, query_for, suggest
from app.models.hub import Gate, HubModel, RemoteModel
from app.models.hub_problems import HubError, HubProblem
from tests.fakes.local_models import local_model
from tests.fakes.scripted_hub import ScriptedHub, found_model, hub_model, no_network, remote_model

BILLION = 1_000_000_000


def repository(
    repo: str,
    billions: float,
    *rows: RemoteModel,
    downloads: int = 1000,
    gate: Gate = Gate.OPEN,
    architecture: str | None = "llama",
    base_models: tuple[str, ...] = (),
) -> HubModel:
    """A repository with one Q4_K_M file, unless other rows are given."""
    found = found_model(
        repo,
        parameters=round(billions * BILLION),
        downloads=downloads,
        gate=gate,
        architecture=architecture,
    )
    usual = remote_model("Q4_K_M", round(billions * 0.6 * BILLION), stem=found.name)
    return hub_model(found, *(rows or (usual,)), base_models=base_models)


LLAMA_8B = repository("bartowski/Meta-Llama-3.1-8B-Instruct-GGUF", 8.03)
LLAMA_1B = repository("bartowski/Llama-3.2-1B-Instruct-GGUF", 1.24, downloads=500)
GRANITE_8B = repository("ibm-granite/granite-3.3-8b-instruct-GGUF", 8.17)
GRANITE_2B = repository("ibm-granite/granite-3.3-2b-instruct-GGUF", 2.53)


def repos(found: tuple[DraftSuggestion, ...]) -> list[str]:
    return [suggestion.model.repo for suggestion in found]


class TestKnownPairs:
    def test_a_known_draft_comes_first_with_its_grounds(self) -> None:
        hub = ScriptedHub()
        hub.add(LLAMA_8B, LLAMA_1B)

        found = suggest(hub, facts_of_hub(LLAMA_8B))

        assert repos(found) == ["bartowski/Llama-3.2-1B-Instruct-GGUF"]
        assert found[0].grounds is Grounds.KNOWN_PAIR
        assert found[0].row.quantisation == "Q4_K_M"
        assert hub.asked("search")[0] == "Llama-3.2-1B"

    def test_the_targets_publisher_goes_before_what_more_people_take(self) -> None:
        hub = ScriptedHub()
        popular = repository("hugging-quants/Llama-3.2-1B-Instruct-GGUF", 1.24, downloads=90_000)
        hub.add(LLAMA_8B, popular, LLAMA_1B)

        assert repos(suggest(hub, facts_of_hub(LLAMA_8B))) == [LLAMA_1B.repo, popular.repo]

    def test_then_what_more_people_take(self) -> None:
        hub = ScriptedHub()
        rare = repository("someone/Llama-3.2-1B-Instruct-GGUF", 1.24, downloads=3)
        popular = repository("hugging-quants/Llama-3.2-1B-Instruct-GGUF", 1.24, downloads=90_000)
        hub.add(LLAMA_8B, rare, popular)

        assert repos(suggest(hub, facts_of_hub(LLAMA_8B))) == [popular.repo, rare.repo]

    def test_the_plain_release_goes_before_somebodys_tuning_and_chat_before_base(self) -> None:
        hub = ScriptedHub()
        tuned = repository("a/Llama-3.2-1B-Instruct-uncensored-GGUF", 1.24, downloads=9_000_000)
        base = repository("b/Llama-3.2-1B-GGUF", 1.24, downloads=8_000_000)
        hub.add(LLAMA_8B, tuned, base, LLAMA_1B)

        assert repos(suggest(hub, facts_of_hub(LLAMA_8B)))[:2] == [LLAMA_1B.repo, base.repo]

    def test_code_goes_with_code(self) -> None:
        hub = ScriptedHub()
        coder = repository("Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF", 0.494)
        general = repository("Qwen/Qwen2.5-0.5B-Instruct-GGUF", 0.494, downloads=9_000_000)
        hub.add(coder, general)

        for_code = facts_of_hub(repository("Qwen/Qwen2.5-Coder-14B-Instruct-GGUF", 14.8))
        for_all = facts_of_hub(repository("Qwen/Qwen2.5-14B-Instruct-GGUF", 14.8))

        assert repos(suggest(hub, for_code))[0] == coder.repo
        assert repos(suggest(hub, for_all))[0] == general.repo

    def test_no_more_than_two_of_the_same_draft_and_no_more_than_asked_for(self) -> None:
        hub = ScriptedHub()
        hub.add(*(repository(f"p{n}/Llama-3.2-1B-Instruct-GGUF", 1.24) for n in range(5)))

        assert len(suggest(hub, facts_of_hub(LLAMA_8B))) == 2
        assert len(suggest(hub, facts_of_hub(LLAMA_8B), limit=1)) == 1


class TestFamilies:
    def test_smaller_models_of_the_family_and_version_are_found(self) -> None:
        hub = ScriptedHub()
        older = repository("ibm-granite/granite-3.2-2b-instruct-GGUF", 2.53)
        hub.add(repository("ibm-granite/granite-3.3-20b-instruct-GGUF", 20), GRANITE_2B, older, GRANITE_8B)

        found = suggest(hub, facts_of_hub(repository("x/granite-3.3-20b-instruct-GGUF", 20)))

        assert repos(found) == [GRANITE_2B.repo]
        assert found[0].grounds is Grounds.SAME_FAMILY
        assert hub.asked("search") == ["granite-3.3"]

    def test_a_draft_that_is_too_large_by_the_guide_is_left_out(self) -> None:
        hub = ScriptedHub()
        hub.add(GRANITE_2B)

        assert suggest(hub, facts_of_hub(GRANITE_8B)) == (), "an 8B takes drafts of about 1B"

    def test_what_writes_no_text_is_left_out(self) -> None:
        hub = ScriptedHub()
        hub.add(
            repository("ibm-granite/granite-3.3-1b-embedding-GGUF", 1),
            repository("ibm-granite/granite-3.3-1b-vision-GGUF", 1),
            repository("ibm-granite/granite-3.3-1b-speech-GGUF", 1),
            repository("ibm-granite/granite-3.3-1b-reranker-GGUF", 1),
            repository("ibm-granite/granite-3.3-1b-eagle3-GGUF", 1),
            repository("ibm-granite/granite-3.3-1b-GGUF", 1, architecture="bert"),
            repository("other/granite-3.3-1b-GGUF", 1, architecture="mamba"),
        )

        assert suggest(hub, facts_of_hub(GRANITE_8B)) == ()

    def test_the_target_is_not_its_own_draft(self) -> None:
        hub = ScriptedHub()
        hub.add(GRANITE_8B)

        assert suggest(hub, facts_of_hub(GRANITE_8B)) == ()

    def test_the_family_of_the_base_model_serves_a_model_with_a_name_of_its_own(self) -> None:
        hub = ScriptedHub()
        hub.add(LLAMA_1B)
        target = repository("someone/Stheno-8B-GGUF", 8.03, base_models=("meta-llama/Llama-3.1-8B-Instruct",))

        found = suggest(hub, facts_of_hub(target))

        assert repos(found) == [LLAMA_1B.repo]
        assert found[0].grounds is Grounds.SAME_BASE


class TestFiles:
    def test_a_tiny_draft_is_taken_less_squeezed(self) -> None:
        rows = (remote_model("Q4_K_M", 105_000_000), remote_model("Q8_0", 145_000_000))
        tiny = repository("HuggingFaceTB/SmolLM2-135M-Instruct-GGUF", 0.135, *rows)
        small = repository("Qwen/Qwen3-0.6B-GGUF", 0.6, *rows)

        assert draft_row(tiny, None) == rows[1]
        assert draft_row(small, None) == rows[0]

    def test_only_formats_that_make_good_drafts(self) -> None:
        assert draft_row(repository("a/b-1B", 1, remote_model("IQ1_S", 300_000_000)), None) is None
        row = remote_model("UD-Q4_K_XL", 700_000_000)
        assert draft_row(repository("a/b-1B", 1, row), None) == row

    def test_of_other_formats_the_smallest_that_is_not_squeezed_too_hard(self) -> None:
        rows = [remote_model(name, size) for name, size in (("Q2_K", 60), ("Q4_1", 90), ("F32", 500))]
        assert draft_row(repository("a/b-135M", 0.135, *rows), 600) == rows[1]

    def test_a_file_of_more_than_half_the_targets_is_none(self) -> None:
        rows = (remote_model("Q4_K_M", 800_000_000), remote_model("F16", 2_500_000_000))

        assert draft_row(repository("a/b-1B", 1, *rows), 1_700_000_000) == rows[0]
        assert draft_row(repository("a/b-1B", 1, *rows), 1_000_000_000) is None

    def test_a_repository_without_such_a_file_is_passed_over(self) -> None:
        hub = ScriptedHub()
        useless = repository("bartowski/Llama-3.2-1B-Instruct-GGUF", 1.24, remote_model("IQ1_S", 300_000_000))
        good = repository("hugging-quants/Llama-3.2-1B-Instruct-GGUF", 1.24)
        hub.add(useless, good)

        assert repos(suggest(hub, facts_of_hub(LLAMA_8B))) == [good.repo]


class TestTrouble:
    def test_without_the_network_it_says_so(self) -> None:
        hub = ScriptedHub()
        hub.fail("search")

        with pytest.raises(HubError):
            suggest(hub, facts_of_hub(LLAMA_8B))

    def test_what_was_found_before_the_line_dropped_is_kept(self) -> None:
        hub = ScriptedHub()
        hub.add(LLAMA_1B)
        hub.fail("search", no_network(), subject="Llama-3.1")

        assert repos(suggest(hub, facts_of_hub(LLAMA_8B))) == [LLAMA_1B.repo]

    @pytest.mark.parametrize("problem", [HubProblem.GATED, HubProblem.NOT_FOUND, HubProblem.FORBIDDEN])
    def test_a_repository_that_cannot_be_seen_is_passed_over(self, problem: HubProblem) -> None:
        hub = ScriptedHub()
        other = repository("hugging-quants/Llama-3.2-1B-Instruct-GGUF", 1.24)
        hub.add(LLAMA_1B, other)
        hub.fail("describe", HubError(problem, "No."), subject=LLAMA_1B.repo)

        assert repos(suggest(hub, facts_of_hub(LLAMA_8B))) == [other.repo]

    def test_what_can_be_had_at_once_comes_before_what_asks_for_a_licence(self) -> None:
        hub = ScriptedHub()
        gated = repository("bartowski/Llama-3.2-1B-Instruct-GGUF", 1.24, gate=Gate.AUTOMATIC)
        other = repository("hugging-quants/Llama-3.2-1B-Instruct-GGUF", 1.24)
        hub.add(gated, other)

        assert repos(suggest(hub, facts_of_hub(LLAMA_8B))) == [other.repo, gated.repo]

    def test_nobody_is_asked_once_nobody_waits(self) -> None:
        hub = ScriptedHub()
        hub.add(LLAMA_1B)

        assert suggest(hub, facts_of_hub(LLAMA_8B), going_on=lambda: False) == ()
        assert hub.asked("describe") == []


@pytest.mark.parametrize(
    ("repo", "billions", "architecture", "outlook"),
    [
        ("Qwen/Qwen2.5-14B-Instruct-GGUF", 14.8, "qwen2", Outlook.HOPEFUL),
        ("Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF", 1.54, "qwen2", Outlook.HOPEFUL),
        ("Qwen/Qwen2.5-1.5B-Instruct-GGUF", 1.54, "qwen2", Outlook.TOO_SMALL),
        ("unsloth/Qwen3-30B-A3B-GGUF", 30.5, "qwen3moe", Outlook.TOO_SMALL),
        ("x/Falcon-H1-34B-Instruct-GGUF", 34, "falcon-h1", Outlook.NOT_POSSIBLE),
        ("x/mamba-7b-GGUF", 7, "mamba", Outlook.NOT_POSSIBLE),
        ("Qwen/Qwen3-Embedding-8B-GGUF", 8, "qwen3", Outlook.NO_TEXT),
        ("nomic-ai/nomic-text-GGUF", 0.1, "nomic-bert", Outlook.NO_TEXT),
        ("x/model-gguf", 8, "llama", Outlook.NO_NAME),
    ],
)
def test_whether_looking_makes_sense_is_known_without_the_network(
    repo: str, billions: float, architecture: str, outlook: Outlook
) -> None:
    facts = facts_of_hub(repository(repo, billions, architecture=architecture))

    assert outlook_for(facts) is outlook
    if outlook is not Outlook.HOPEFUL:
        hub = ScriptedHub()
        assert suggest(hub, facts) == ()
        assert hub.calls == []


def test_a_small_target_of_a_known_pair_is_marked() -> None:
    hub = ScriptedHub()
    hub.add(repository("Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF", 0.494))

    small = suggest(hub, facts_of_hub(repository("Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF", 1.54)))
    large = suggest(hub, facts_of_hub(repository("Qwen/Qwen2.5-Coder-14B-Instruct-GGUF", 14.8)))

    assert [each.small_target for each in (*small, *large)] == [True, False]


class TestLocalModels:
    @pytest.mark.parametrize(
        "path",
        [
            "/m/bartowski/Meta-Llama-3.1-8B-Instruct-GGUF/Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf",
            "/m/bartowski/Meta-Llama-3.1-8B-Instruct-GGUF/model-q4_k_m.gguf",
            "/hub/models--bartowski--Meta-Llama-3.1-8B-Instruct-GGUF/snapshots/0a1b2c3d4e5f/ggml-model.gguf",
        ],
    )
    def test_the_file_or_its_folder_tells(self, path: str) -> None:
        model = local_model("models", path=Path(path), parameters=8_030_000_000, size_bytes=4_900_000_000)

        assert query_for(facts_of_local(model)) == "Llama-3.2-1B"

    def test_a_header_with_an_ancestors_name_does_not_mislead(self) -> None:
        model = local_model("LLaMA 3.1 8B", path=Path("/m/mine.gguf"), parameters=1_000_000_000)

        assert query_for(facts_of_local(model)) != "Llama-3.2-1B"

    def test_nothing_tells(self) -> None:
        model = local_model("model", path=Path("/m/model.gguf"), parameters=8_000_000_000)
        facts = facts_of_local(model)

        assert outlook_for(facts) is Outlook.NO_NAME
        assert query_for(facts) == ""

    def test_suggestions_are_small_beside_the_file(self) -> None:
        hub = ScriptedHub()
        hub.add(repository("x/Llama-3.2-1B-Instruct-GGUF", 1.24, remote_model("Q4_K_M", 810_000_000)))
        path = Path("/m/Llama-3.1-8B-Instruct-IQ1_S.gguf")

        roomy = local_model("a", path=path, parameters=8_030_000_000, size_bytes=2_000_000_000)
        narrow = local_model("a", path=path, parameters=8_030_000_000, size_bytes=1_500_000_000)

        assert len(suggest(hub, facts_of_local(roomy))) == 1
        assert suggest(hub, facts_of_local(narrow)) == ()
