"""The pictures of model cards: from the repository and public servers, never from the network at home."""

from pathlib import Path

import httpx2
import pytest

from app.models import hub_pictures
from app.models.hub import HubModel
from app.models.hub_client import HubClient
from app.models.hub_pictures import Elsewhere, InRepository, is_public, place_of, read_elsewhere
from app.models.hub_problems import HubError, HubProblem
from tests.fakes.hub_server import TOKEN, HubServer

ENDPOINT = "https://huggingface.co"
REPO = "pub/m"
PNG = b"\x89PNG\r\n\x1a\n and more"


class TestPlaces:
    @pytest.mark.parametrize(
        ("address", "path"),
        [
            ("a.png", "a.png"),
            ("./images/a%20b.png?raw=true#x", "images/a b.png"),
            ("images/../a.png", "a.png"),
            (" a.png ", "a.png"),
            ("https://huggingface.co/pub/m/resolve/main/a.png", "a.png"),
            ("https://huggingface.co/pub/m/blob/main/x/a.png", "x/a.png"),
            ("/pub/m/resolve/main/a.png", "a.png"),
        ],
    )
    def test_in_the_repository(self, address: str, path: str) -> None:
        assert place_of(address, REPO, ENDPOINT) == InRepository(path)

    @pytest.mark.parametrize(
        ("address", "whole"),
        [
            ("https://example.com/a.png", "https://example.com/a.png"),
            ("//example.com/a.png", "https://example.com/a.png"),
            ("/front/logo.png", "https://huggingface.co/front/logo.png"),
            (
                "https://huggingface.co/other/m/resolve/main/a.png",
                "https://huggingface.co/other/m/resolve/main/a.png",
            ),
        ],
    )
    def test_elsewhere(self, address: str, whole: str) -> None:
        assert place_of(address, REPO, ENDPOINT) == Elsewhere(whole)

    @pytest.mark.parametrize(
        "address",
        ["", "#top", "../../a.png", "..", ".", "x/../../a", "data:image/png;base64,AAAA", "file:///etc/passwd",
         "javascript:x", "a\\..\\b.png", "https://[x/a.png"],
    )  # fmt: skip
    def test_nowhere(self, address: str) -> None:
        with pytest.raises(HubError, match="no picture"):
            place_of(address, REPO, ENDPOINT)


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.215.14", True),
        ("2606:2800:21f:cb07:6820:80da:af6b:8b2c", True),
        ("127.0.0.1", False),
        ("10.0.0.1", False),
        ("192.168.1.1", False),
        ("172.16.0.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.251", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("ff02::fb", False),
        ("::ffff:192.168.1.1", False),
        ("2002:c0a8:0101::1", False),
        ("64:ff9b::192.168.1.1", False),
        ("64:ff9b::93.184.215.14", True),
        ("::ffff:93.184.215.14", True),
        ("2002:5db8:d70e::1", True),
        ("64:ff9b::127.0.0.1", False),
        ("64:ff9b:1::93.184.215.14", False),
        ("64:ff9b:1::7f00:1", False),
        ("fec0::1", False),
        ("feff::1", False),
        ("::127.0.0.1", False),
        ("::93.184.215.14", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:0:127.0.0.1", False),
        ("2002:7f00:0001::1", False),
        ("2002:0a00:0001::1", False),
        ("2001:0:7f00:1::", False),
        ("2001:0:4136:e378:8000:63bf:3f57:fefe", False),
        ("2001:0:4136:e378:8000:63bf:a247:28f1", False),
        ("2001:db8::1", False),
        ("100::1", False),
        ("5f00::1", False),
    ],
)
def test_which_addresses_are_public(address: str, public: bool) -> None:
    assert is_public(address) is public


@pytest.fixture
def model(hub: HubServer, hub_home: Path) -> HubModel:
    """A model with pictures, looked at by Ann."""
    hub_home.mkdir()
    (hub_home / "token").write_text(TOKEN)
    hub.add_model(REPO, {"a.png": PNG, "x/b.png": PNG, "big.png": bytes(10_000_001)}, card="![](a.png)")
    return HubClient(hub_home / "headers", hub.endpoint).describe(REPO)


@pytest.fixture
def client(hub: HubServer, tmp_path: Path) -> HubClient:
    return HubClient(tmp_path / "headers", hub.endpoint)


class TestFromTheRepository:
    @pytest.mark.parametrize("address", ["a.png", "x/../a.png", "/pub/m/blob/main/x/b.png"])
    def test_is_read_with_the_token(
        self, address: str, model: HubModel, client: HubClient, hub: HubServer
    ) -> None:
        hub.requests.clear()

        assert client.picture(model, address) == PNG
        assert hub.requests.to("/pub/m/resolve/")[0].authorised
        assert hub.requests.tokens_at_content() == ()

    def test_is_that_of_the_commit(self, model: HubModel, client: HubClient, hub: HubServer) -> None:
        hub.change(REPO, {"a.png": b"another"})

        assert client.picture(model, "a.png") == PNG

    def test_is_at_most_so_large(self, model: HubModel, client: HubClient) -> None:
        with pytest.raises(HubError, match="larger than 10 MB"):
            client.picture(model, "big.png")

    def test_is_a_picture(self, model: HubModel, client: HubClient) -> None:
        with pytest.raises(HubError, match="no picture"):
            client.picture(model, "README.md")
        with pytest.raises(HubError) as caught:
            client.picture(model, "missing.png")
        assert caught.value.problem is HubProblem.NOT_FOUND

    def test_of_another_one_is_read_without_the_token(
        self, model: HubModel, client: HubClient, hub: HubServer
    ) -> None:
        hub.requests.clear()
        hub.faults.refuse(200, path="/other", headers={"Content-Type": "image/png"}, body=PNG)

        assert client.picture(model, f"{hub.endpoint}/other/m/resolve/main/a.png") == PNG
        assert [request.authorised for request in hub.requests.all()] == [False]


class TestFromElsewhere:
    """Another server on this computer stands for one that is public."""

    @pytest.fixture
    def other(self, hub_home: Path, monkeypatch: pytest.MonkeyPatch) -> HubServer:
        def is_taken_for_public(address: str) -> bool:
            return address == "127.0.0.1"

        monkeypatch.setattr(hub_pictures, "is_public", is_taken_for_public)
        return HubServer()

    def read(self, address: str) -> bytes:
        return read_elsewhere(
            address, ENDPOINT, lambda host, port: {"home": ["192.168.1.1"]}.get(host, ["127.0.0.1"])
        )

    def test_is_read_under_the_server_s_own_name(self, other: HubServer, hub_home: Path) -> None:
        hub_home.mkdir()
        (hub_home / "token").write_text(TOKEN)
        with other:
            port = other.endpoint.rpartition(":")[2]
            other.faults.refuse(200, headers={"Content-Type": "image/png"}, body=PNG)
            assert self.read(f"http://pictures.example:{port}/a.png") == PNG
            assert [request.authorised for request in other.requests.all()] == [False]

    def test_redirects_are_followed_and_looked_at(self, other: HubServer) -> None:
        with other:
            port = other.endpoint.rpartition(":")[2]
            start = f"http://pictures.example:{port}/start"
            other.faults.refuse(302, path="/start", times=1, headers={"Location": "/a.png"})
            other.faults.refuse(200, path="/a.png", headers={"Content-Type": "image/png"}, body=PNG)
            assert self.read(start) == PNG

            other.faults.refuse(302, path="/start", headers={"Location": f"http://home:{port}/a.png"})
            with pytest.raises(HubError, match="network at home") as caught:
                self.read(start)
            assert caught.value.problem is HubProblem.FORBIDDEN
            assert len(other.requests.all()) == 3

    def test_redirects_without_end_end(self, other: HubServer) -> None:
        with other:
            other.faults.refuse(302, headers={"Location": "/again"})
            with pytest.raises(HubError) as caught:
                self.read(other.endpoint + "/a.png")
            assert caught.value.problem is HubProblem.NOT_THE_ANSWER
            assert len(other.requests.all()) == 5

    @pytest.mark.parametrize("kind", ["text/html", "application/octet-stream", ""])
    def test_is_a_picture(self, kind: str, other: HubServer) -> None:
        with other:
            other.faults.refuse(200, headers={"Content-Type": kind}, body=PNG)
            with pytest.raises(HubError):
                self.read(other.endpoint + "/a.png")

    @pytest.mark.parametrize(
        "address",
        ["ftp://pictures.example/a.png", "http:///a.png", "https://user:password@pictures.example/a.png"],
    )
    def test_odd_addresses_are_refused(self, address: str, hub_home: Path) -> None:
        with pytest.raises(HubError, match="no picture"):
            self.read(address)


@pytest.mark.parametrize("address", ["http://127.0.0.1:{port}/a.png", "http://localhost:{port}/a.png"])
def test_this_computer_is_never_asked(address: str, model: HubModel, client: HubClient) -> None:
    with HubServer() as home:
        with pytest.raises(HubError) as caught:
            client.picture(model, address.format(port=home.endpoint.rpartition(":")[2]))
        assert caught.value.problem is HubProblem.FORBIDDEN
        assert home.requests.all() == ()


def test_a_server_is_asked_by_number(hub_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Looked up a second time, its name might mean another one."""
    sent: list[httpx2.Request] = []

    def send(client: httpx2.Client, request: httpx2.Request, **options: object) -> httpx2.Response:
        sent.append(request)
        return httpx2.Response(200, headers={"Content-Type": "image/png"}, content=PNG, request=request)

    monkeypatch.setattr(httpx2.Client, "send", send)
    for number in ("93.184.215.14", "2606:2800:21f:cb07::1"):
        assert (
            read_elsewhere("https://pictures.example/a.png", ENDPOINT, lambda *_, number=number: [number])
            == PNG
        )
        assert sent[-1].url.host == number
        assert sent[-1].headers["Host"] == "pictures.example"
        assert sent[-1].extensions["sni_hostname"] == "pictures.example"
