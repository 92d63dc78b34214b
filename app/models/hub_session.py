"""The hub library's HTTP session, made to fail soon and to wait for nobody in silence."""

from collections.abc import Mapping
from threading import Lock
from typing import TYPE_CHECKING

from app import __version__

if TYPE_CHECKING:
    from huggingface_hub import HfApi

_LOCK = Lock()


def use_patient_client() -> None:
    """From now on `huggingface_hub.get_session()` gives a HubHttpClient. Asks no network; call it at will.

    Everything else stays as the library has it: proxies and certificates from the environment, HF_HUB_OFFLINE
    and the request ids.
    """
    from huggingface_hub import get_session, set_client_factory

    from app.models.hub_http_client import HubHttpClient

    with _LOCK:
        session = get_session()
        if not isinstance(session, HubHttpClient):
            hooks = session.event_hooks
            set_client_factory(lambda: HubHttpClient(hooks))


def hub_api(endpoint: str | None = None) -> "HfApi":
    """The hub library's own client, with the patient session below it."""
    from huggingface_hub import HfApi

    use_patient_client()
    return HfApi(endpoint=endpoint, library_name="slipstream", library_version=__version__)


def hub_headers(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The headers of a request for a file, as the hub library makes them: who asks, and the token if any."""
    from huggingface_hub.utils import build_hf_headers  # type: ignore[attr-defined]

    headers: dict[str, str] = build_hf_headers(library_name="slipstream", library_version=__version__)
    return {**headers, **(more or {})}
