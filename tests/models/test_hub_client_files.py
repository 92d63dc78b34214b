"""Cards and headers from the hub, with the real library against a hub on this computer."""

from pathlib import Path

import pytest

from app.core.errors import FileProblem, ModelFileError
from app.core.options import LoadOptions
from app.engine.advisor import ModelAdvisor
from app.engine.memory import detect_features
from app.engine.vocab import VocabularyCache
from app.models import header_store
from app.models.header_index import HeaderIndex
from app.models.hub import Hub, SortOrder
from app.models.hub_client import HubClient
from app.models.hub_problems import HubProblem
from tests.fakes.asking_hub import add, problem
from tests.fakes.expectations import no_expectations
from tests.fakes.hub_content import GeneratedContent
from tests.fakes.hub_faults import Fault
from tests.fakes.hub_server import HubServer
from tests.fakes.tiny_gguf import llama_model, write_llama, write_split

BEST = SortOrder.BEST_MATCH


class TestCard:
    @pytest.mark.parametrize(
        ("stored", "shown"),
        [
            ("---\nlicense: mit\n---\n\n# Title\n\nText\n", "# Title\n\nText"),
            ("\ufeff---\r\nlicense: mit\r\n---\r\n# Title", "# Title"),
            ("# Title\n\n---\nnot front matter\n---\n", "# Title\n\n---\nnot front matter\n---"),
            ("---\nlicense: mit\n---", ""),
            ("---\nnever closed", "---\nnever closed"),
            ("", ""),
        ],
    )
    def test_has_no_front_matter(self, stored: str, shown: str, hub: HubServer, client: Hub) -> None:
        hub.add_model("pub/m", {}, card=stored)

        assert client.card(client.describe("pub/m")) == shown

    def test_is_that_of_the_commit(self, hub: HubServer, client: Hub) -> None:
        hub.add_model("pub/m", {}, card="first")
        model = client.describe("pub/m")
        hub.change("pub/m", {"README.md": "second"})

        assert client.card(model) == "first"

    def test_may_be_missing(self, hub: HubServer, client: Hub) -> None:
        hub.add_model("pub/m", {"m.gguf": b"GGUF"})

        assert client.card(client.describe("pub/m")) == ""

    def test_is_cut_after_a_megabyte_and_need_not_be_text(self, hub: HubServer, client: Hub) -> None:
        hub.add_model("pub/m", {"README.md": b"\xff" + b"x" * (3 << 20)})
        card = client.card(client.describe("pub/m"))

        assert card.startswith("\ufffdxx")
        assert len(card) == 1 << 20


class TestHeader:
    def test_is_as_good_as_the_file(self, hub: HubServer, client: Hub, tmp_path: Path) -> None:
        target = write_llama(tmp_path / "target.gguf")
        draft = write_llama(tmp_path / "draft.gguf", layers=1)
        hub.add_model("pub/target", {"target-Q4_K_M.gguf": target})
        model = client.describe("pub/target")
        header = client.header(model, model.models[0])
        headers = HeaderIndex(None)
        advisor = ModelAdvisor(headers, VocabularyCache(None), detect_features(), no_expectations(headers))

        options = LoadOptions()
        assert advisor.estimate(header, draft, options) == advisor.estimate(target, draft, options)
        assert advisor.compatibility(header, draft) == advisor.compatibility(target, draft)

    def test_is_fetched_once(self, hub: HubServer, client: Hub, tmp_path: Path) -> None:
        hub.add_model("pub/m", {"m-Q4_K_M.gguf": write_llama(tmp_path / "m.gguf")})
        model = client.describe("pub/m")

        assert client.header(model, model.models[0]) == client.header(model, model.models[0])
        assert len(hub.requests.contents("m-Q4_K_M.gguf")) == 1

    def test_of_a_set_is_that_of_all_its_parts(self, hub: HubServer, client: Hub, tmp_path: Path) -> None:
        parts = write_split(tmp_path, "set", llama_model(), 3)
        hub.add_model("pub/m", {f"Q8_0/{part.name}": part for part in parts})
        model = client.describe("pub/m")
        info = HeaderIndex(None).read(client.header(model, model.models[0]))

        assert info.total_bytes == model.models[0].total_bytes == sum(part.stat().st_size for part in parts)
        assert len(info.parts) == 3

    @pytest.mark.parametrize("ignores_range", [False, True])
    def test_costs_no_more_than_it_is_long(
        self,
        ignores_range: bool,
        hub: HubServer,
        client: Hub,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(header_store, "FIRST_PIECE", 1000)
        hub.add_model("pub/m", {"m-Q4_K_M.gguf": write_llama(tmp_path / "m.gguf", width=256)})
        model = client.describe("pub/m")
        if ignores_range:
            hub.faults.set("m-Q4_K_M.gguf", Fault(ignore_range=True))
        info = HeaderIndex(None).read(client.header(model, model.models[0]))

        assert info.total_bytes == model.models[0].total_bytes > 4_000_000
        if not ignores_range:
            assert hub.requests.sent("m-Q4_K_M.gguf") < 20_000
            assert hub.requests.sent_again("m-Q4_K_M.gguf") == 0

    def test_of_what_is_no_model_is_refused(self, hub: HubServer, client: Hub) -> None:
        hub.add_model("pub/m", {"m-Q4_K_M.gguf": b"something else"})
        model = client.describe("pub/m")
        with pytest.raises(ModelFileError) as caught:
            client.header(model, model.models[0])

        assert caught.value.problem is FileProblem.NOT_GGUF

    def test_of_a_file_that_is_another_one_now_is_refused(self, hub: HubServer, client: Hub) -> None:
        add(hub, "pub/m")
        model = client.describe("pub/m")
        hub.faults.swap("m-Q4_K_M.gguf", GeneratedContent(6000))

        assert problem(lambda: client.header(model, model.models[0])) is HubProblem.CHANGED
        hub.faults.set("m-Q4_K_M.gguf", Fault(ignore_range=True))
        assert problem(lambda: client.header(model, model.models[0])) is HubProblem.CHANGED

    def test_that_cannot_be_kept_is_said(self, hub: HubServer, tmp_path: Path) -> None:
        hub.add_model("pub/m", {"m-Q4_K_M.gguf": write_llama(tmp_path / "m.gguf")})
        (tmp_path / "file").touch()
        client = HubClient(tmp_path / "file" / "headers", hub.endpoint)
        model = client.describe("pub/m")

        assert problem(lambda: client.header(model, model.models[0])) is HubProblem.UNWRITABLE

    def test_takes_the_token_to_the_hub_alone(
        self, hub: HubServer, client: Hub, tmp_path: Path, signed_in: None
    ) -> None:
        hub.add_model(
            "pub/m",
            {"m-Q4_K_M.gguf": write_llama(tmp_path / "m.gguf")},
            gated="auto",
            members=frozenset({"ann"}),
        )
        model = client.describe("pub/m")
        client.header(model, model.models[0])

        assert hub.requests.contents("m-Q4_K_M.gguf")
        assert hub.requests.tokens_at_content() == ()
