"""The pictures of a model card, which may lie anywhere; but a card must not make this computer ask around.

Addresses of this computer and of the network at home are refused. A name is looked up once, so that the
server that was checked is the one that is asked.
"""

import ipaddress
import posixpath
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit

from msgspec import Struct

from app import __version__
from app.models.hub_problems import HubError, HubProblem
from app.models.hub_query import Repository, parse_query
from app.models.hub_reading import is_page, take
from app.models.hub_session import use_patient_client
from app.models.hub_words import hub_error_of_response, hub_errors, not_the_answer

if TYPE_CHECKING:
    import httpx2

MOST_BYTES = 10_000_000

_MOST_REDIRECTS = 5
_NAT64 = ipaddress.ip_network("64:ff9b::/96")

LookUp = Callable[[str, int], list[str]]


class InRepository(Struct, frozen=True):
    """A file of the card's own repository."""

    path: str


class Elsewhere(Struct, frozen=True):
    """An address."""

    address: str


def place_of(address: str, repo: str, endpoint: str) -> InRepository | Elsewhere:
    """Where a picture lies. Raises HubError for what is no address, or leads out of the repository."""
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        raise _no_picture() from None
    if address.strip().startswith("//"):
        return place_of("https:" + address.strip(), repo, endpoint)
    if parts.scheme in ("http", "https"):
        return _on_hub(address.strip(), repo, endpoint) or Elsewhere(address.strip())
    if parts.scheme or not parts.path:
        raise _no_picture()
    if parts.path.startswith("/"):
        return place_of(endpoint + address.strip(), repo, endpoint)
    path = posixpath.normpath(unquote(parts.path))
    if path.startswith("../") or path in ("..", ".") or "\\" in path:
        raise _no_picture()
    return InRepository(path)


def read_elsewhere(address: str, endpoint: str, look_up: LookUp | None = None) -> bytes:
    """A picture that lies outside the repository. Raises HubError."""
    import httpx2
    from huggingface_hub import get_session

    use_patient_client()
    with hub_errors():
        for _ in range(_MOST_REDIRECTS):
            url = httpx2.URL(address)
            target = _checked(url, endpoint, look_up or _addresses)
            headers = {"Host": url.netloc.decode("ascii"), "User-Agent": f"slipstream/{__version__}"}
            request = get_session().build_request(
                "GET", target, headers=headers, extensions={"sni_hostname": url.raw_host.decode("ascii")}
            )
            response = get_session().send(request, stream=True, follow_redirects=False)
            try:
                if not response.has_redirect_location:
                    return picture_in(response)
                address = urljoin(address, response.headers["Location"])
            finally:
                response.close()
        raise not_the_answer()


def picture_in(response: "httpx2.Response", *, in_repository: bool = False) -> bytes:
    """The picture that an answer holds. Raises HubError for another kind of content, or too much of it."""
    kind = response.headers.get("Content-Type", "").lower()
    if response.status_code != 200 or is_page(response):
        raise hub_error_of_response(response)
    if not kind.startswith("image/") and not (in_repository and kind.endswith("/octet-stream")):
        raise _no_picture()
    data = take(response.iter_bytes(), MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise HubError(HubProblem.NOT_THE_ANSWER, "The picture is larger than 10 MB and is not shown.")
    return data


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the open internet, whatever it is wrapped in."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour
        if inner is None and ip in _NAT64:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
    return ip.is_global and not ip.is_multicast


def _on_hub(address: str, repo: str, endpoint: str) -> InRepository | None:
    """The file of the repository that an address of the hub means."""
    try:
        found = parse_query(address, endpoint)
    except HubError:
        return None
    if isinstance(found, Repository) and found.file is not None and found.repo == repo:
        return InRepository(found.file)
    return None


def _checked(url: "httpx2.URL", endpoint: str, look_up: LookUp) -> "httpx2.URL":
    """The address to ask, with the server's number in place of its name."""
    if url.scheme not in ("http", "https") or not url.host or url.userinfo:
        raise _no_picture()
    own = urlsplit(endpoint)
    if (url.scheme, url.netloc.decode("ascii")) == (own.scheme, own.netloc):
        return url
    numbers = look_up(url.host, url.port or (443 if url.scheme == "https" else 80))
    if not numbers or not all(is_public(number) for number in numbers):
        raise HubError(
            HubProblem.FORBIDDEN,
            "The picture is said to lie on this computer or in the network at home. A model card may not ask "
            "there.",
        )
    return url.copy_with(host=numbers[0])


def _addresses(host: str, port: int) -> list[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
    return [str(entry[4][0]) for entry in found]


def _no_picture() -> HubError:
    return HubError(HubProblem.NOT_THE_ANSWER, "There is no picture at the address that the card gives.")
