"""Searching the hub and looking at its repositories, with the real library against a hub on this computer."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from app.models import header_store, hub_client, hub_pictures
from app.models.hub import FoundModel, Gate, Hub, HubModel, SortOrder
from app.models.hub_client import HubClient
from app.models.hub_problems import HubError, HubProblem
from tests.fakes.asking_hub import add, problem, repos
from tests.fakes.hub_content import GeneratedContent
from tests.fakes.hub_server import HubServer
from tests.fakes.tiny_gguf import write_llama

BEST = SortOrder.BEST_MATCH


class TestSearch:
    def test_finds_by_words(self, hub: HubServer, client: Hub) -> None:
        add(hub, "pub/Qwen-7B-GGUF")
        add(hub, "other/qwen-coder-gguf")
        add(hub, "pub/Llama-GGUF")

        assert set(repos(client.search("qwen", BEST))) == {"pub/Qwen-7B-GGUF", "other/qwen-coder-gguf"}
        assert repos(client.search("Llama  GGUF", BEST)) == ["pub/Llama-GGUF"]
        assert repos(client.search("nothing like it", BEST)) == []
        assert len(repos(client.search("", BEST))) == 3

    def test_finds_only_repositories_with_models_to_load(self, hub: HubServer, client: Hub) -> None:
        hub.add_model("pub/original", {"model.safetensors": b"x"})
        add(hub, "pub/original-GGUF")

        assert repos(client.search("original", BEST)) == ["pub/original-GGUF"]

    def test_tells_what_the_hub_tells(self, hub: HubServer, client: Hub) -> None:
        add(
            hub,
            "pub/m",
            downloads=1234,
            likes=5,
            updated=1_750_000_000.0,
            gated="manual",
            architecture="llama",
            parameters=8_030_261_248,
            context_length=131072,
        )
        add(hub, "pub/plain", gated="auto")

        assert next(client.search("pub m", BEST)) == (
            FoundModel("pub/m", 1234, 5, 1_750_000_000.0, Gate.MANUAL, "llama", 8_030_261_248, 131072),
        )
        (plain,) = next(client.search("plain", BEST))
        assert (plain.gate, plain.architecture, plain.parameters) == (Gate.AUTOMATIC, None, None)

    @pytest.mark.parametrize(
        ("order", "expected"),
        [
            (SortOrder.DOWNLOADS, ["pub/a", "pub/b", "pub/c"]),
            (SortOrder.LIKES, ["pub/b", "pub/c", "pub/a"]),
            (SortOrder.UPDATED, ["pub/c", "pub/a", "pub/b"]),
            (SortOrder.BEST_MATCH, ["pub/c", "pub/b", "pub/a"]),
        ],
    )
    def test_sorts(self, order: SortOrder, expected: list[str], hub: HubServer, client: Hub) -> None:
        add(hub, "pub/a", downloads=30, likes=1, updated=2e9 + 2, trending=1)
        add(hub, "pub/b", downloads=20, likes=3, updated=2e9 + 1, trending=2)
        add(hub, "pub/c", downloads=10, likes=2, updated=2e9 + 3, trending=3)

        assert repos(client.search("pub", order)) == expected

    def test_asks_for_a_page_when_it_is_taken(self, hub: HubServer, client: Hub) -> None:
        for number in range(65):
            add(hub, f"pub/m{number:02}", downloads=1000 - number)
        pages = client.search("pub", SortOrder.DOWNLOADS)
        assert hub.requests.all() == ()

        sizes = []
        for asked, page in enumerate(pages, 1):
            sizes.append(len(page))
            assert len(hub.requests.to("/api/models")) == asked
        assert sizes == [30, 30, 5]

    def test_asks_for_no_more_than_what_is_shown(self, hub: HubServer, client: Hub) -> None:
        """Without a limit the hub sends a thousand results with all they have."""
        list(client.search("x", BEST))
        (asked,) = hub.requests.all()

        assert "limit=30" in asked.path
        assert "filter=gguf" in asked.path
        assert "full" not in asked.path

    @pytest.mark.parametrize(
        "wanted", ["pub/m7", "https://huggingface.co/pub/m7/tree/main", "hf.co/pub/m7:Q4_K_M"]
    )
    def test_what_was_named_comes_first(self, wanted: str, hub: HubServer, client: Hub) -> None:
        for number in range(40):
            add(hub, f"pub/m7-like-{number}", downloads=1000)
        add(hub, "pub/m7", downloads=1)
        pages = list(client.search(wanted, SortOrder.DOWNLOADS))

        assert pages[0][0].repo == "pub/m7"
        assert len(repos(iter(pages))) == len(set(repos(iter(pages)))) == 41

    def test_what_was_named_is_shown_whatever_it_holds(self, hub: HubServer, client: Hub) -> None:
        """Its own page says that it has no files to load; conversions of it follow."""
        hub.add_model("maker/Model-7B", {"model.safetensors": b"x"})
        add(hub, "someone/Model-7B-GGUF")

        assert repos(client.search("maker/Model-7B", BEST)) == ["maker/Model-7B", "someone/Model-7B-GGUF"]
        assert client.describe("maker/Model-7B").models == ()

    def test_a_renamed_repository_comes_under_its_new_name(self, hub: HubServer, client: Hub) -> None:
        add(hub, "old/name-GGUF")
        hub.rename("old/name-GGUF", "new/name-GGUF")

        assert repos(client.search("old/name-GGUF", BEST)) == ["new/name-GGUF"]

    def test_what_was_named_and_is_not_there_is_searched_for(self, hub: HubServer, client: Hub) -> None:
        add(hub, "pub/good-model-GGUF")

        assert repos(client.search("wrong/good-model", BEST)) == ["pub/good-model-GGUF"]
        assert problem(lambda: list(client.search("no/such", BEST))) is HubProblem.HIDDEN

    def test_a_private_one_is_seen_with_a_token(self, hub: HubServer, client: Hub, signed_in: None) -> None:
        add(hub, "ann/secret", private=True, members=frozenset({"ann"}))

        assert repos(client.search("ann/secret", BEST)) == ["ann/secret"]
        assert problem(lambda: list(client.search("no/such", BEST))) is HubProblem.HIDDEN

    def test_an_address_of_something_else_is_refused(self, hub: HubServer, client: Hub) -> None:
        assert problem(lambda: next(client.search("https://example.com/a/b", BEST))) is HubProblem.NOT_FOUND
        assert hub.requests.all() == ()


class TestDescribe:
    def test_tells_all_of_a_repository(self, hub: HubServer, client: Hub) -> None:
        large = GeneratedContent(9000)
        commit = hub.add_model(
            "pub/m-GGUF",
            {"m-Q8_0.gguf": large, "m-Q4_K_M.gguf": GeneratedContent(4000), "mmproj-F16.gguf": b"GGUF"},
            card="# Card",
            licence="apache-2.0",
            base_models=("Maker/M",),
            downloads=7,
        )
        model = client.describe("pub/m-GGUF")

        assert (model.repo, model.commit, model.found.downloads) == ("pub/m-GGUF", commit, 7)
        assert (model.licence, model.base_models) == ("apache-2.0", ("Maker/M",))
        assert [(row.quantisation, row.total_bytes) for row in model.models] == [
            ("Q4_K_M", 4000),
            ("Q8_0", 9000),
        ]
        assert model.models[1].files[0].sha256 == large.sha256
        assert [row.files[0].path for row in model.projectors] == ["mmproj-F16.gguf"]

    def test_files_in_folders_and_on_many_pages_are_all_there(self, hub_home: Path, tmp_path: Path) -> None:
        files = {f"Q{number}/m-{part:05}-of-00003.gguf": b"GGUF" for number in range(9) for part in (1, 2, 3)}
        with HubServer(tree_page_size=5) as hub:
            hub.add_model("pub/m", files)
            model = HubClient(tmp_path / "headers", hub.endpoint).describe("pub/m")
            pages = hub.requests.to("/api/models/pub/m/tree")

        assert [len(row.files) for row in model.models] == [3] * 9
        assert len(pages) > 5

    def test_a_renamed_repository_answers_under_its_new_name(self, hub: HubServer, client: Hub) -> None:
        add(hub, "old/name")
        hub.rename("old/name", "new/name")

        assert client.describe("old/name").repo == "new/name"
        assert client.describe("old/name").models

    def test_what_may_not_be_seen_is_said(self, hub: HubServer, client: Hub) -> None:
        add(hub, "ann/secret", private=True, members=frozenset({"ann"}))

        assert problem(lambda: client.describe("ann/secret")) is HubProblem.HIDDEN
        assert problem(lambda: client.describe("not a name")) is HubProblem.NOT_FOUND

    def test_a_gated_one_can_be_looked_at(self, hub: HubServer, client: Hub) -> None:
        add(hub, "pub/gated", gated="auto")
        model = client.describe("pub/gated")

        assert model.found.gate is Gate.AUTOMATIC
        with pytest.raises(HubError) as caught:
            client.header(model, model.models[0])
        assert caught.value.problem is HubProblem.GATED
        assert caught.value.address == f"{hub.endpoint}/pub/gated"

    @pytest.mark.parametrize(
        "nonsense",
        [
            {"downloads": -5, "likes": "many", "gguf": "x", "gated": "maybe", "tags": None},
            {
                "downloads": 1e30,
                "likes": None,
                "gguf": {"total": "8B", "architecture": 5, "context_length": -1},
            },
            {"downloads": True, "gguf": {"total": 0, "architecture": "", "context_length": 10**30}},
            {"tags": [1, None, "base_model:"], "cardData": {"base_model": {"a": 1}, "license": 5}},
            {"baseModels": [1, None], "cardData": "x"},
        ],
    )
    def test_figures_that_make_no_sense_are_missing(
        self, nonsense: dict[str, object], hub: HubServer, client: Hub
    ) -> None:
        commit = hub.add_model("pub/m", {"m-Q4_K_M.gguf": GeneratedContent(5000)})
        entry = {"id": "pub/m", "sha": commit, **nonsense}
        hub.faults.refuse(200, path="/api/models?", body=json.dumps([entry]).encode())
        hub.faults.refuse(200, path="/api/models/pub/m?", body=json.dumps(entry).encode())
        (found,) = next(client.search("m", BEST))
        model = client.describe("pub/m")

        assert found == model.found == FoundModel("pub/m")
        assert (model.licence, model.base_models) == (None, ())
        assert len(model.models) == 1

    @pytest.mark.parametrize(
        "date", ["0001-01-01T00:00:00.000Z", "2015-12-31T23:59:59.000Z", "9999-12-31T23:59:59.000Z"]
    )
    def test_a_date_without_a_hub_is_missing(self, date: str, hub: HubServer, client: Hub) -> None:
        entry = {"id": "pub/m", "lastModified": date}
        hub.faults.refuse(200, path="/api/models?", body=json.dumps([entry]).encode())

        assert next(client.search("m", BEST)) == (FoundModel("pub/m"),)

    def test_a_name_that_cannot_be_written_is_left_out(self, hub: HubServer, client: Hub) -> None:
        add(hub, "pub/m")
        names = ("a-Q4_0\ud800.gguf", "b-Q8_0.gguf")
        tree = [{"type": "file", "path": name, "oid": "1", "size": 7} for name in names]
        hub.faults.refuse(200, path="/api/models/pub/m/tree", body=json.dumps(tree).encode())

        assert [row.quantisation for row in client.describe("pub/m").models] == ["Q8_0"]

    @pytest.mark.parametrize("size", [-1, 0, "big", None, 2**70, True])
    def test_a_file_without_a_size_is_left_out(self, size: object, hub: HubServer, client: Hub) -> None:
        add(hub, "pub/m")
        tree = [
            {"type": "file", "path": "a-Q4_0.gguf", "oid": "1", "size": size},
            {"type": "file", "path": "b-Q8_0.gguf", "oid": "2", "size": 7, "lfs": None},
            {
                "type": "file",
                "path": "c-F16.gguf",
                "oid": "3",
                "size": 9,
                "lfs": {"oid": "no digest", "size": 9, "pointerSize": 1},
            },
        ]
        hub.faults.refuse(200, path="/api/models/pub/m/tree", body=json.dumps(tree).encode())

        rows = client.describe("pub/m").models
        assert [(row.quantisation, row.files[0].sha256) for row in rows] == [("Q8_0", None), ("F16", None)]


class TestTrouble:
    def test_no_network(self, hub: HubServer, client: Hub) -> None:
        hub.stop()

        assert problem(lambda: next(client.search("x", BEST))) is HubProblem.NO_NETWORK
        assert problem(lambda: next(client.search("pub/m", BEST))) is HubProblem.NO_NETWORK
        assert problem(lambda: client.describe("pub/m")) is HubProblem.NO_NETWORK

    def test_a_login_page_in_place_of_an_answer(self, hub: HubServer, client: Hub) -> None:
        add(hub, "pub/m")
        model = client.describe("pub/m")
        hub.faults.ask_for_login()

        for ask in (
            lambda: next(client.search("x", BEST)),
            lambda: client.describe("pub/m"),
            lambda: client.header(model, model.models[0]),
            lambda: client.picture(model, "a.png"),
        ):
            assert problem(ask) is HubProblem.NOT_THE_ANSWER

    @pytest.mark.parametrize(
        "body",
        [
            *(b"{}", b'{"error": "x"}', b"null", b"[1]", b'[{"name": "x"}]', b"[[]]", b"5", b"\xff\xfe", b""),
            *(b"[" * 200_000, b'{"a":' * 200_000),
        ],
    )
    def test_an_answer_of_another_shape(self, body: bytes, hub: HubServer, client: Hub) -> None:
        hub.faults.refuse(200, body=body)
        try:
            assert repos(client.search("x", BEST)) == []
        except HubError as error:
            assert error.problem is HubProblem.NOT_THE_ANSWER
        assert problem(lambda: client.describe("pub/m")) is HubProblem.NOT_THE_ANSWER

    def test_a_page_that_fails_can_be_asked_for_by_a_new_search(self, hub: HubServer, client: Hub) -> None:
        for number in range(40):
            add(hub, f"pub/m{number}")
        pages = client.search("pub", BEST)
        assert len(next(pages)) == 30
        hub.faults.refuse(503, times=1)

        assert problem(lambda: next(pages)) is HubProblem.SERVER
        assert len(repos(client.search("pub", BEST))) == 40

    def test_a_token_that_expired(self, hub: HubServer, client: Hub, hub_home: Path) -> None:
        add(hub, "pub/m")
        hub_home.mkdir()
        (hub_home / "token").write_text("hf_expired")

        assert problem(lambda: client.describe("pub/m")) is HubProblem.UNAUTHORISED


class TestFaultsOfOurOwn:
    """They are not told as trouble with the hub, which would send people to look at their network."""

    @pytest.fixture
    def model(self, hub: HubServer, client: Hub, tmp_path: Path) -> HubModel:
        hub.add_model("pub/m", {"m-Q4_K_M.gguf": write_llama(tmp_path / "m.gguf"), "a.png": b"x"})
        return client.describe("pub/m")

    @pytest.mark.parametrize("fault", [TypeError, AttributeError, LookupError, ValueError])
    @pytest.mark.parametrize("method", ["search", "named", "describe", "picture", "elsewhere", "header"])
    def test_come_out_as_they_are(
        self,
        method: str,
        fault: type[Exception],
        model: HubModel,
        client: Hub,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        asks: dict[str, tuple[object, str, Callable[[], object]]] = {
            "search": (hub_client, "found_model", lambda: next(client.search("m", BEST))),
            "named": (hub_client, "found_model", lambda: next(client.search("pub/m", BEST))),
            "describe": (hub_client, "sort_files", lambda: client.describe("pub/m")),
            "picture": (hub_client, "picture_in", lambda: client.picture(model, "a.png")),
            "elsewhere": (
                hub_pictures,
                "is_public",
                lambda: client.picture(model, "http://127.0.0.1:1/a.png"),
            ),
            "header": (header_store, "read_header", lambda: client.header(model, model.models[0])),
        }

        def fail(*_: object, **__: object) -> None:
            raise fault("a mistake")

        module, name, ask = asks[method]
        monkeypatch.setattr(module, name, fail)
        with pytest.raises(fault, match="a mistake"):
            ask()
