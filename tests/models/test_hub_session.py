"""The hub library's session: it fails at once, waits for nobody, and is otherwise as the library has it."""

import gzip
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from huggingface_hub import constants, get_session, set_client_factory

from app.models import hub_http_client
from app.models.hub_http_client import HubHttpClient
from app.models.hub_problems import HubError, HubProblem
from app.models.hub_session import hub_api, hub_headers, use_patient_client
from tests.fakes.hub_faults import Fault
from tests.fakes.hub_server import HubServer


@pytest.fixture
def slept(hub_home: Path, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """For how long the library would have slept."""
    naps: list[float] = []
    monkeypatch.setattr(time, "sleep", naps.append)
    return naps


@pytest.fixture
def library_default(hub_home: Path) -> Iterator[None]:
    """The session as the library makes it, before this program has touched it."""
    from huggingface_hub.utils._http import default_client_factory

    set_client_factory(default_client_factory)
    yield
    use_patient_client()


def failure(endpoint: str) -> HubError:
    with pytest.raises(HubError) as caught:
        list(hub_api(endpoint).list_models(search="x"))
    return caught.value


class TestWaiting:
    def test_a_hub_that_is_not_there_is_told_at_once(self, slept: list[float], hub: HubServer) -> None:
        hub.stop()

        assert failure(hub.endpoint).problem is HubProblem.NO_NETWORK
        assert slept == []

    @pytest.mark.parametrize(
        ("status", "problem"),
        [
            (408, HubProblem.SERVER),
            (429, HubProblem.RATE_LIMITED),
            (500, HubProblem.SERVER),
            (503, HubProblem.SERVER),
            (504, HubProblem.SERVER),
        ],
    )
    def test_a_refusal_that_may_pass_is_not_slept_through(
        self, status: int, problem: HubProblem, slept: list[float], hub: HubServer
    ) -> None:
        hub.faults.refuse(status, headers={"Retry-After": "7"})
        error = failure(hub.endpoint)

        assert (error.problem, error.wait_seconds) == (problem, 7.0)
        assert slept == []
        assert len(hub.requests.all()) == 1

    def test_a_connection_that_breaks_is_told_at_once(self, slept: list[float], hub: HubServer) -> None:
        hub.faults.set("/api", Fault(drop_every=1))

        assert failure(hub.endpoint).problem is HubProblem.NO_NETWORK
        assert slept == []

    @pytest.mark.parametrize("given", [None, 500.0])
    def test_silence_ends_though_the_library_asks_for_no_time_limit(
        self, given: float | None, hub: HubServer
    ) -> None:
        seen: list[object] = []
        use_patient_client()
        session = get_session()
        session.event_hooks["request"].append(lambda request: seen.append(request.extensions["timeout"]))
        session.get(f"{hub.endpoint}/api/models", timeout=given)

        expected = {"connect": 10.0, "read": 20.0, "write": 20.0, "pool": 20.0}
        assert seen == [expected if given is None else dict.fromkeys(expected, 500.0)]

    def test_silence_is_called_so(self, hub: HubServer) -> None:
        hub.faults.set("/api", Fault(silent=True))
        use_patient_client()

        with pytest.raises(HubError) as caught:
            get_session().get(f"{hub.endpoint}/api/models", timeout=httpx2.Timeout(0.05, connect=10))
        assert caught.value.problem is HubProblem.STALLED


class TestLength:
    @pytest.fixture(autouse=True)
    def short(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(hub_http_client, "LONGEST_ANSWER", 1000)

    @pytest.mark.parametrize("packed", [False, True])
    def test_an_answer_without_end_is_given_up(self, packed: bool, hub: HubServer) -> None:
        body = b"[" + b" " * 100_000 + b"]"
        headers = {"Content-Encoding": "gzip"} if packed else {}
        hub.faults.refuse(200, headers=headers, body=gzip.compress(body) if packed else body)

        assert failure(hub.endpoint).problem is HubProblem.NOT_THE_ANSWER

    @pytest.mark.parametrize("packed", [False, True])
    def test_one_that_is_no_longer_is_as_the_library_has_it(self, packed: bool, hub: HubServer) -> None:
        body = b"[" + b" " * 998 + b"]"
        headers = {"Content-Encoding": "gzip"} if packed else {}
        hub.faults.refuse(200, headers=headers, body=gzip.compress(body) if packed else body)
        use_patient_client()
        answer = get_session().get(f"{hub.endpoint}/api/models")

        assert (answer.json(), answer.content, answer.is_closed) == ([], body, True)

    def test_a_streamed_one_may_be_of_any_length(self, hub: HubServer) -> None:
        hub.faults.refuse(200, body=bytes(5000))
        use_patient_client()
        with get_session().stream("GET", f"{hub.endpoint}/x") as answer:
            assert sum(len(piece) for piece in answer.iter_bytes()) == 5000


class TestEverythingElse:
    def test_it_is_installed_once(self, library_default: None) -> None:
        use_patient_client()
        first = get_session()
        use_patient_client()

        assert isinstance(first, HubHttpClient)
        assert get_session() is first

    def test_it_comes_back_after_the_library_closed_it(self, library_default: None) -> None:
        from huggingface_hub import close_session

        use_patient_client()
        close_session()

        assert isinstance(get_session(), HubHttpClient)

    def test_offline_mode_is_kept(self, hub: HubServer, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)

        assert failure(hub.endpoint).problem is HubProblem.OFFLINE_MODE
        assert hub.requests.all() == ()

    def test_proxies_of_the_environment_are_kept(
        self, hub: HubServer, library_default: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HTTP_PROXY", hub.endpoint)
        monkeypatch.setenv("NO_PROXY", "")
        use_patient_client()
        answer = get_session().get("http://hub.invalid/api/models")

        assert answer.json() == [], "the proxy has answered for a host that does not exist"

    def test_requests_say_who_asks_and_have_an_id(self, hub: HubServer) -> None:
        ids: list[str] = []
        use_patient_client()
        get_session().event_hooks["request"].append(
            lambda request: ids.append(request.headers["X-Amzn-Trace-Id"])
        )
        list(hub_api(hub.endpoint).list_models())

        assert len(ids) == 1
        assert hub_headers()["user-agent"].startswith("slipstream/")
        assert "authorization" not in hub_headers()


def test_nothing_of_the_hub_is_imported_before_it_is_asked() -> None:
    """The window starts as fast without a network, and without the second that the library takes."""
    script = (
        "import sys\n"
        "import app.models.hub_client, app.models.hub_account, app.models.hub_words, app.models.hub_query\n"
        "from pathlib import Path\n"
        "app.models.hub_client.HubClient(Path('nowhere')); app.models.hub_account.HubAccount()\n"
        "print([name for name in ('huggingface_hub', 'httpx2') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
