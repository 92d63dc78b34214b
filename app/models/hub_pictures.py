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
from app.models.deadline import Deadline
from app.models.hub_answers import hub_error_of_response, not_the_answer
from app.models.hub_problems import HubError, HubProblem
from app.models.hub_query import Repository, parse_query
from app.models.hub_reading import is_page, take
from app.models.hub_session import use_patient_client
from app.models.hub_words import hub_errors

if TYPE_CHECKING:
    import httpx2

MOST_BYTES = 10_000_000
PICTURE_SECONDS = 30.0  # until a picture is there

_MOST_REDIRECTS = 5
_OPEN = ipaddress.ip_network("2000::/3")  # all of IPv6 that is open to everybody
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
    use_patient_client()
    with Deadline(PICTURE_SECONDS) as deadline:
        for _ in range(_MOST_REDIRECTS):
            response = _ask(address, endpoint, look_up or _addresses, deadline)
            try:
                if not response.has_redirect_location:
                    return picture_in(response)
                with hub_errors():
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
        if ip.ipv4_mapped is not None or ip in _NAT64:  # nothing but an address of IPv4
            return is_public(str(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)))
        if ip not in _OPEN or (ip.sixtofour is not None and not is_public(str(ip.sixtofour))):
            return False
        if ip.teredo is not None:  # a computer behind somebody's router, perhaps this one
            return False
    return ip.is_global and not ip.is_multicast


def _ask(address: str, endpoint: str, look_up: LookUp, deadline: Deadline) -> "httpx2.Response":
    """The answer of the server that an address means, unread. Raises HubError."""
    import httpx2
    from huggingface_hub import get_session

    with hub_errors():
        url = httpx2.URL(address)
        name = url.host
        port = url.port or (443 if url.scheme == "https" else 80)
    if url.scheme not in ("http", "https") or not name or url.userinfo:
        raise _no_picture()
    own = urlsplit(endpoint)
    is_hub = (url.scheme, url.netloc.decode("ascii")) == (own.scheme, own.netloc)
    number = None if is_hub else _public_number(name, port, look_up)
    with hub_errors():
        target = url if number is None else url.copy_with(host=number)
        host = url.raw_host.decode("ascii")
        request = get_session().build_request(
            "GET",
            target,
            headers={
                "Host": url.netloc.decode("ascii"),
                "User-Agent": f"slipstream/{__version__}",
                "Connection": "close",  # over a line that is opened for it, which the deadline can cut
            },
            extensions={**deadline.extensions, "sni_hostname": host},
        )
        return get_session().send(request, stream=True, follow_redirects=False)


def _on_hub(address: str, repo: str, endpoint: str) -> InRepository | None:
    """The file of the repository that an address of the hub means."""
    try:
        found = parse_query(address, endpoint)
    except HubError:
        return None
    if isinstance(found, Repository) and found.file is not None and found.repo == repo:
        return InRepository(found.file)
    return None


def _public_number(host: str, port: int, look_up: LookUp) -> str:
    """A server's number, to be asked in place of its name."""
    with hub_errors():
        numbers = look_up(host, port)
    if not numbers or not all(is_public(number) for number in numbers):
        raise HubError(
            HubProblem.FORBIDDEN,
            "The picture is said to lie on this computer or in the network at home. A model card may not ask "
            "there.",
        )
    return numbers[0]


def _addresses(host: str, port: int) -> list[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
    return [str(entry[4][0]) for entry in found]


def _no_picture() -> HubError:
    return HubError(HubProblem.NOT_THE_ANSWER, "There is no picture at the address that the card gives.")
