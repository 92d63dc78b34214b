"""The loopback hub, asked by the real hub library: the tests that use it are worth what it is."""

import hashlib
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from huggingface_hub import HfApi, close_session, hf_hub_download, hf_hub_url
from huggingface_hub.errors import (
    EntryNotFoundError,
    GatedRepoError,
    HfHubHTTPError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from huggingface_hub.hf_api import RepoFile, RepoFolder

from app.paths import resource
from tests.fakes.hub_content import GeneratedContent
from tests.fakes.hub_faults import LOGIN_PAGE, Fault
from tests.fakes.hub_requests import covered
from tests.fakes.hub_server import TOKEN, HubServer

REPO = "team/small-GGUF"
FILE = "small-Q4_K_M.gguf"
SIZE = 3_000_001
MODEL = GeneratedContent(SIZE, seed=7)


@pytest.fixture
def hub() -> Iterator[HubServer]:
    with HubServer() as server:
        server.add_model(
            REPO,
            {FILE: MODEL, "more/other-Q8_0.gguf": b"GGUF other"},
            card="# Small\n",
            downloads=10,
            likes=1,
            licence="apache-2.0",
            base_models=("team/small",),
            architecture="llama",
            parameters=1_000,
            context_length=512,
        )
        yield server
        close_session()
    left = [each.name for each in threading.enumerate()]
    assert not any("hub port" in name or "process_request" in name for name in left), left


@pytest.fixture
def client() -> Iterator[httpx2.Client]:
    with httpx2.Client(follow_redirects=True, timeout=10) as made:
        yield made


def api(hub: HubServer, token: str | bool = False) -> HfApi:
    return HfApi(endpoint=hub.endpoint, token=token)


def address(hub: HubServer, file: str = FILE, repo: str = REPO) -> str:
    return hf_hub_url(repo, file, endpoint=hub.endpoint)


def part(client: httpx2.Client, hub: HubServer, header: str, **more: str) -> httpx2.Response:
    return client.get(address(hub), headers={"Range": header, **more})


class TestFinding:
    def test_a_search_filters_sorts_and_pages(self, hub: HubServer) -> None:
        for number in range(5):
            hub.add_model(
                f"team/other-{number}-GGUF", {"x.gguf": b"GGUF"}, likes=number, downloads=9 - number
            )
        hub.add_model("team/other-safetensors", {"x.safetensors": b""})
        hub.page_size = 2
        found = list(api(hub).list_models(search="TEAM other", filter="gguf", sort="likes", expand=["likes"]))
        assert [each.likes for each in found] == [4, 3, 2, 1, 0]
        assert len(hub.requests.to("/api/models")) == 3, "three pages of two, by their links"

    def test_no_page_is_asked_for_before_it_is_wanted(self, hub: HubServer) -> None:
        for number in range(5):
            hub.add_model(f"team/other-{number}", {"x.gguf": b"GGUF"})
        hub.page_size = 2
        next(iter(api(hub).list_models(author="team")))
        assert len(hub.requests.to("/api/models")) == 1

    def test_only_what_is_asked_for_is_told(self, hub: HubServer) -> None:
        (found,) = api(hub).list_models(expand=["gguf", "downloads", "gated"])
        assert found.gguf == {"architecture": "llama", "total": 1_000, "context_length": 512}
        assert (found.downloads, found.gated, found.likes, found.sha) == (10, False, None, None)
        with pytest.raises(HfHubHTTPError, match="Invalid option"):
            list(api(hub).list_models(expand=["warp"]))  # type: ignore[list-item]

    def test_a_repository_tells_its_files_with_sizes_and_digests(self, hub: HubServer) -> None:
        info = api(hub).model_info(REPO, files_metadata=True)
        files = {each.rfilename: each for each in info.siblings or ()}
        assert set(files) == {FILE, "more/other-Q8_0.gguf", "README.md"}
        large = files[FILE].lfs
        assert large is not None
        assert (large.sha256, files[FILE].size) == (MODEL.sha256, SIZE)
        assert files["README.md"].lfs is None
        assert info.card_data is not None
        assert info.card_data.get("license") == "apache-2.0"
        assert "base_model:quantized:team/small" in (info.tags or ())

    def test_base_models_come_as_the_real_hub_gives_them(self, hub: HubServer) -> None:
        found: object = api(hub).model_info(REPO, expand=["baseModels"]).base_models
        assert found == {"relation": "quantized", "models": [{"_id": "0" * 24, "id": "team/small"}]}

    def test_a_tree_is_listed_page_by_page(self, hub: HubServer) -> None:
        hub.tree_page_size = 2
        entries = list(api(hub).list_repo_tree(REPO, recursive=True))
        assert {each.path for each in entries if isinstance(each, RepoFile)} == {
            FILE,
            "more/other-Q8_0.gguf",
            "README.md",
        }
        assert [each.path for each in entries if isinstance(each, RepoFolder)] == ["more"]
        assert len(hub.requests.to(f"/api/models/{REPO}/tree/main")) == 2
        (inside,) = api(hub).list_repo_tree(REPO, "more")
        assert inside.path == "more/other-Q8_0.gguf"

    def test_paths_are_looked_up(self, hub: HubServer) -> None:
        (found,) = api(hub).get_paths_info(REPO, [FILE, "missing.gguf"])
        assert isinstance(found, RepoFile)
        assert found.size == SIZE

    def test_a_commit_keeps_its_files(self, hub: HubServer, client: httpx2.Client) -> None:
        before = api(hub).model_info(REPO).sha
        after = hub.change(REPO, {"README.md": "# Other\n"})
        assert before != after == api(hub).model_info(REPO).sha
        old = hf_hub_url(REPO, "README.md", revision=before, endpoint=hub.endpoint)
        assert client.get(old).text == "# Small\n"
        assert client.get(address(hub, "README.md")).text == "# Other\n"


class TestRefusals:
    @pytest.mark.parametrize(("token", "status"), [(False, 401), (TOKEN, 404)])
    def test_what_is_missing_or_private(self, hub: HubServer, token: str | bool, status: int) -> None:
        hub.add_model("team/secret", {"x.gguf": b"GGUF"}, private=True)
        for repo in ("team/none", "team/secret"):
            with pytest.raises(RepositoryNotFoundError) as caught:
                api(hub, token).model_info(repo)
            assert caught.value.response.status_code == status
        assert "team/secret" not in [each.id for each in api(hub, token).list_models()]

    @pytest.mark.parametrize(("token", "status"), [(False, 401), (TOKEN, 403)])
    def test_a_gated_repository_is_seen_and_not_given(
        self, hub: HubServer, token: str | bool, status: int, tmp_path: Path
    ) -> None:
        hub.add_model("team/gated", {"x.gguf": b"GGUF"}, gated="manual")
        assert api(hub, token).model_info("team/gated").gated == "manual"
        with pytest.raises(GatedRepoError) as caught:
            hf_hub_download("team/gated", "x.gguf", endpoint=hub.endpoint, token=token, cache_dir=tmp_path)
        assert caught.value.response.status_code == status

    def test_a_member_gets_what_is_gated(self, hub: HubServer, tmp_path: Path) -> None:
        hub.add_model("team/gated", {"x.gguf": b"GGUF"}, gated="auto", members=frozenset({"ann"}))
        path = hf_hub_download("team/gated", "x.gguf", endpoint=hub.endpoint, token=TOKEN, cache_dir=tmp_path)
        assert Path(path).read_bytes() == b"GGUF"
        assert hub.requests.tokens_at_content() == ()

    def test_a_token_that_is_not_valid_is_refused_everywhere(self, hub: HubServer) -> None:
        with pytest.raises(HfHubHTTPError, match="Invalid credentials"):
            api(hub, "hf_wrong").model_info(REPO)
        with pytest.raises(HfHubHTTPError, match="Invalid user token"):
            api(hub).whoami("hf_wrong")
        assert api(hub).whoami(TOKEN)["name"] == "ann"

    def test_missing_revisions_and_files(self, hub: HubServer) -> None:
        with pytest.raises(RevisionNotFoundError):
            api(hub).model_info(REPO, revision="v9")
        with pytest.raises(EntryNotFoundError):
            api(hub).get_hf_file_metadata(url=address(hub, "missing.gguf"))

    def test_a_renamed_repository_answers_under_both_names(self, hub: HubServer) -> None:
        hub.rename(REPO, "team/better-GGUF")
        assert api(hub).model_info(REPO).id == "team/better-GGUF"
        assert api(hub).get_hf_file_metadata(url=address(hub)).size == SIZE

    def test_the_storage_takes_no_token(self, hub: HubServer, client: httpx2.Client) -> None:
        where = api(hub).get_hf_file_metadata(url=address(hub)).location
        assert client.get(where, headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 400
        assert len(hub.requests.tokens_at_content()) == 1

    @pytest.mark.parametrize(
        ("by_window", "header", "value"),
        [(False, "Retry-After", "7"), (True, "ratelimit", '"api";r=0;t=7')],
    )
    def test_the_rate_is_limited(
        self, hub: HubServer, client: httpx2.Client, by_window: bool, header: str, value: str
    ) -> None:
        hub.faults.limit_rate(7, times=2, by_window=by_window)
        answers = [client.get(hub.endpoint + "/api/models") for _ in range(3)]
        assert [each.status_code for each in answers] == [429, 429, 200]
        assert answers[0].headers[header] == value

    def test_the_storage_fails_alone(self, hub: HubServer, client: httpx2.Client) -> None:
        hub.faults.refuse(503, times=1, server="content")
        assert client.get(hub.endpoint + "/api/models").status_code == 200
        assert [client.get(address(hub)).status_code for _ in range(2)] == [503, 200]

    def test_a_network_that_wants_a_sign_in(self, hub: HubServer, client: httpx2.Client) -> None:
        hub.faults.ask_for_login()
        for where in (hub.endpoint + "/api/models", address(hub)):
            answer = client.get(where)
            assert (answer.status_code, answer.content) == (200, LOGIN_PAGE)

    def test_a_stopped_hub_refuses_connections_and_comes_back(
        self, hub: HubServer, client: httpx2.Client
    ) -> None:
        hub.stop()
        with pytest.raises(httpx2.ConnectError):
            client.get(hub.endpoint + "/api/models")
        hub.start()
        assert client.get(hub.endpoint + "/api/models").status_code == 200


class TestContents:
    def test_the_hub_library_downloads_and_its_digest_is_right(self, hub: HubServer, tmp_path: Path) -> None:
        path = hf_hub_download(REPO, FILE, endpoint=hub.endpoint, token=TOKEN, cache_dir=tmp_path)
        assert hashlib.sha256(Path(path).read_bytes()).hexdigest() == MODEL.sha256
        assert hub.requests.sent(FILE) == SIZE
        assert hub.requests.tokens_at_content() == ()
        card = hf_hub_download(REPO, "README.md", endpoint=hub.endpoint, token=False, cache_dir=tmp_path)
        assert Path(card).read_text(encoding="utf-8") == "# Small\n"

    def test_the_metadata_come_with_the_redirect(self, hub: HubServer, client: httpx2.Client) -> None:
        found = api(hub).get_hf_file_metadata(url=address(hub))
        assert (found.etag, found.size) == (MODEL.sha256, SIZE)
        assert found.commit_hash == api(hub).model_info(REPO).sha
        assert found.location.startswith(hub.content_endpoint)
        head = client.head(found.location)
        assert head.headers["Accept-Ranges"] == "bytes"
        assert MODEL.sha256 not in head.headers["ETag"], "the storage has a name of its own for it"

    @pytest.mark.parametrize(
        ("header", "start", "stop"),
        [
            ("bytes=0-0", 0, 1),
            ("bytes=65535-65536", 65_535, 65_537),
            (f"bytes={SIZE - 3}-", SIZE - 3, SIZE),
            (f"bytes=2000000-{SIZE + 10}", 2_000_000, SIZE),
            ("bytes=-5", SIZE - 5, SIZE),
        ],
    )
    def test_a_range(self, hub: HubServer, client: httpx2.Client, header: str, start: int, stop: int) -> None:
        answer = part(client, hub, header)
        assert answer.status_code == 206
        assert answer.headers["Content-Range"] == f"bytes {start}-{stop - 1}/{SIZE}"
        assert answer.content == MODEL.read(start, stop - start)
        assert hub.requests.sent_ranges(FILE) == [(start, stop)]

    @pytest.mark.parametrize("header", [f"bytes={SIZE}-", "bytes=-0", "bytes=9-8"])
    def test_a_range_outside_the_file(self, hub: HubServer, client: httpx2.Client, header: str) -> None:
        answer = part(client, hub, header)
        assert (answer.status_code, answer.headers["Content-Range"]) == (416, f"bytes */{SIZE}")

    def test_a_range_of_another_version_gives_the_whole_file(
        self, hub: HubServer, client: httpx2.Client
    ) -> None:
        etag = part(client, hub, "bytes=0-0").headers["ETag"]
        assert part(client, hub, "bytes=0-9", **{"If-Range": etag}).status_code == 206
        hub.faults.swap(FILE, GeneratedContent(SIZE, seed=8))
        answer = part(client, hub, "bytes=0-9", **{"If-Range": etag})
        assert (answer.status_code, len(answer.content)) == (200, SIZE)
        assert answer.content != MODEL.read(0, SIZE)

    def test_an_old_address_is_refused(self, hub: HubServer, client: httpx2.Client) -> None:
        where = api(hub).get_hf_file_metadata(url=address(hub)).location
        hub.faults.expire_links()
        assert client.get(where).status_code == 403
        assert client.get(address(hub)).status_code == 200

    def test_a_file_on_disk_is_served_like_any_other(
        self, hub: HubServer, client: httpx2.Client, tmp_path: Path
    ) -> None:
        data = MODEL.read(0, SIZE)
        (tmp_path / "x.gguf").write_bytes(data)
        hub.add_model("team/disk", {"x.gguf": tmp_path / "x.gguf"})
        assert hub.content("team/disk", "x.gguf").sha256 == MODEL.sha256
        assert client.get(address(hub, "x.gguf", "team/disk")).content == data
        hub.faults.set("x.gguf", Fault(flip_at=1_234_567))
        wrong = client.get(address(hub, "x.gguf", "team/disk")).content
        assert [place for place in range(SIZE) if wrong[place] != data[place]] == [1_234_567]

    def test_generated_blocks_differ(self) -> None:
        content = GeneratedContent(200_000)
        whole = content.read(0, 200_000)
        assert whole[:4] == b"GGUF"
        assert whole[:65_536] != whole[65_536:131_072]
        assert content.read(65_000, 1_000) == whole[65_000:66_000]
        assert hashlib.sha256(whole).hexdigest() == content.sha256


class TestFaults:
    def received(self, client: httpx2.Client, hub: HubServer, start: int = 0) -> bytes:
        """What comes until the line breaks."""
        kept = bytearray()
        headers = {"Range": f"bytes={start}-"}
        try:
            with client.stream("GET", address(hub), headers=headers) as answer:
                for piece in answer.iter_raw():
                    kept += piece
        except (httpx2.RemoteProtocolError, httpx2.ReadError, httpx2.ReadTimeout):
            return bytes(kept)
        return bytes(kept)

    def test_the_line_drops_every_so_many_bytes(self, hub: HubServer, client: httpx2.Client) -> None:
        hub.faults.set(FILE, Fault(drop_every=1_000_000))
        got = bytearray()
        while len(got) < SIZE:
            got += self.received(client, hub, len(got))
        assert bytes(got) == MODEL.read(0, SIZE)
        assert [stop - start for start, stop in hub.requests.sent_ranges(FILE)] == [1_000_000] * 3 + [1]
        assert hub.requests.sent_again(FILE) == 0

    def test_the_line_drops_after_several_small_answers_too(
        self, hub: HubServer, client: httpx2.Client
    ) -> None:
        hub.faults.set(FILE, Fault(drop_every=1_500))
        assert len(part(client, hub, "bytes=0-999").content) == 1_000
        with pytest.raises(httpx2.RemoteProtocolError):
            part(client, hub, "bytes=1000-1999")
        assert hub.requests.sent(FILE) == 1_500

    def test_a_reset(self, hub: HubServer) -> None:
        hub.faults.set(FILE, Fault(drop_every=100, reset=True))
        with httpx2.Client(follow_redirects=True) as client, pytest.raises(httpx2.ReadError):
            client.get(address(hub))

    @pytest.mark.parametrize(
        ("fault", "count"),
        [(Fault(silent=True), 0), (Fault(stall_after=500), 500), (Fault(stop_short=1), SIZE - 1)],
    )
    def test_silence(self, hub: HubServer, fault: Fault, count: int) -> None:
        hub.faults.set(FILE, fault)
        with httpx2.Client(follow_redirects=True, timeout=0.2) as client:
            assert self.received(client, hub) == MODEL.read(0, count)

    def test_a_stall_ends_when_the_fault_is_cleared(self, hub: HubServer, client: httpx2.Client) -> None:
        hub.faults.set(FILE, Fault(stall_after=500, times=1))
        with client.stream("GET", address(hub)) as answer:
            hub.requests.wait_until_sent(FILE, 500)
            assert hub.requests.sent(FILE) == 500
            hub.faults.clear()
            assert answer.read() == MODEL.read(0, SIZE)

    def test_a_stalled_connection_ends_with_its_client_or_the_hub(self, hub: HubServer) -> None:
        hub.faults.set(FILE, Fault(silent=True))
        hub.faults.set("/api", Fault(silent=True))
        host, _, port = hub.endpoint.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port))) as connection:
            connection.sendall(b"GET /api/models HTTP/1.1\r\nHost: hub\r\n\r\n")
            hub.requests.wait_for(lambda: len(hub.requests.to("/api/models")) == 1)
            hub.stop()
            assert connection.recv(1) == b""

    def test_ranges_are_ignored(self, hub: HubServer, client: httpx2.Client) -> None:
        hub.faults.set(FILE, Fault(ignore_range=True, times=1))
        assert (part(client, hub, "bytes=5-9").status_code, hub.requests.sent(FILE)) == (200, SIZE)
        assert part(client, hub, "bytes=5-9").status_code == 206

    def test_a_login_page_in_place_of_a_file(self, hub: HubServer, client: httpx2.Client) -> None:
        hub.faults.set(f"{REPO}/{FILE}", Fault(login_page=True))
        answer = part(client, hub, "bytes=0-9")
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
        assert hub.requests.sent(FILE) == 0

    def test_a_slow_line_sends_little_at_once(self, hub: HubServer, client: httpx2.Client) -> None:
        hub.faults.set(FILE, Fault(bytes_per_second=50_000))
        with client.stream("GET", address(hub)) as answer:
            next(answer.iter_raw())
            assert hub.requests.sent(FILE) <= 50_000
            hub.cut()

    def test_all_connections_are_cut(self, hub: HubServer, client: httpx2.Client) -> None:
        hub.faults.set(FILE, Fault(stall_after=500))
        with client.stream("GET", address(hub)) as answer:
            hub.requests.wait_until_sent(FILE, 500)
            hub.cut()
            with pytest.raises(httpx2.RemoteProtocolError):
                answer.read()


def test_bytes_that_were_sent_twice_are_counted() -> None:
    assert covered([(0, 10), (5, 12), (20, 30), (22, 24)]) == 22
    assert covered([]) == 0


def test_the_hub_runs_as_a_process_of_its_own(tmp_path: Path, client: httpx2.Client) -> None:
    (tmp_path / "x.gguf").write_bytes(b"GGUF and more")
    command = [sys.executable, "-m", "tests.fakes.hub_server", "team/disk", str(tmp_path / "x.gguf")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=resource("").parent
    ) as child:
        assert child.stdout is not None
        assert child.stdin is not None
        endpoint = child.stdout.readline().strip()
        assert client.get(hf_hub_url("team/disk", "x.gguf", endpoint=endpoint)).content == b"GGUF and more"
        child.stdin.close()
        assert child.wait(20) == 0
