"""The two ports of the loopback hub: what the hub says of models, and the storage that holds their files."""

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from typing import Any, Protocol
from urllib.parse import parse_qs, quote, unquote, urlencode, urlsplit

from tests.fakes.hub_connection import HubConnection
from tests.fakes.hub_content import Content, content_etag
from tests.fakes.hub_repositories import (
    EXPANDABLE,
    Repository,
    blob_name,
    described,
    file_entry,
    is_large,
    listed,
    tree,
)

_MODEL = re.compile(
    r"/api/models/(?P<repo>[^/]+(/[^/]+)?)(/(?P<verb>revision|tree|paths-info)/(?P<revision>[^/]+)(/(?P<path>.*))?)?"
)
_RESOLVE = re.compile(r"/(?P<repo>[^/]+(/[^/]+)?)/resolve/(?P<revision>[^/]+)/(?P<path>.+)")
_CACHED = re.compile(
    r"/api/resolve-cache/models/(?P<repo>[^/]+(/[^/]+)?)/(?P<revision>[0-9a-f]{40})/(?P<path>.+)"
)
_SORTS = {
    "downloads": "downloads",
    "likes": "likes",
    "lastModified": "updated",
    "createdAt": "updated",
    "trendingScore": "trending",
}


class Catalogue(Protocol):
    """What the hub knows."""

    tokens: dict[str, str]  # user by token
    repositories: dict[str, Repository]
    renamed: dict[str, str]  # new name by old name
    page_size: int
    tree_page_size: int

    @property
    def endpoint(self) -> str:
        """The hub's address."""

    @property
    def content_endpoint(self) -> str:
        """The storage's address."""


class HubAnswers(HubConnection):
    """The hub's own port."""

    port = "hub"
    catalogue: Catalogue

    def answer(self) -> None:
        """Finds out who asks, and what for."""
        token = (self.headers["Authorization"] or "").removeprefix("Bearer ").strip()
        self.user = self.catalogue.tokens.get(token)
        if token and self.user is None:
            self.send_problem(401, "Invalid credentials in Authorization header")
            return
        address = urlsplit(self.path)
        self.query = parse_qs(address.query)
        if address.path == "/api/whoami-v2":
            self._whoami()
        elif address.path == "/api/models":
            self._search()
        elif found := _CACHED.fullmatch(address.path) or _RESOLVE.fullmatch(address.path):
            self._resolve(found)
        elif found := _MODEL.fullmatch(address.path):
            self._model(found)
        else:
            self.send_problem(404, "Sorry, we can't find the page you are looking for.")

    def _whoami(self) -> None:
        if self.user is None:
            self.send_problem(401, "Invalid username or password.")
            return
        token = {"displayName": "laptop", "role": "read", "createdAt": "2026-01-01T00:00:00.000Z"}
        who = {"type": "user", "name": self.user, "fullname": self.user.title(), "isPro": False, "orgs": []}
        self.send_json({**who, "id": "0" * 24, "auth": {"type": "access_token", "accessToken": token}})

    def _search(self) -> None:
        expand = self._expanded()
        if expand is None:
            return
        words = " ".join(self.query.get("search", [])).casefold().split()
        found = [
            repository
            for repository in self.catalogue.repositories.values()
            if repository.may_read(self.user)
            and all(word in repository.name.casefold() for word in words)
            and self._passes(repository)
        ]
        sort = self.query.get("sort", ["trendingScore"])[0]
        if sort not in _SORTS:
            self.send_problem(400, f"Invalid option for sort: {sort}")
            return
        found.sort(key=lambda repository: getattr(repository, _SORTS[sort]), reverse=True)
        size = min(int(self.query.get("limit", [self.catalogue.page_size])[0]), self.catalogue.page_size)
        full, with_card = "full" in self.query, "cardData" in self.query
        self._send_page([listed(each, expand, full, with_card) for each in found], size)

    def _passes(self, repository: Repository) -> bool:
        tags = listed(repository, ["tags"], full=False, with_card=False)["tags"]
        author = self.query.get("author", [None])[0]
        gated = self.query.get("gated", [None])[0]
        return (
            all(wanted in tags for wanted in self.query.get("filter", []))
            and author in (None, repository.name.partition("/")[0])
            and gated in (None, str(repository.gated is not False).lower())
        )

    def _model(self, found: re.Match[str]) -> None:
        repository = self._repository(found["repo"])
        if repository is None:
            return
        commit = self._commit(repository, found["revision"] or "main")
        if commit is None:
            return
        path = unquote(found["path"] or "")
        if found["verb"] == "tree":
            recursive = self.query.get("recursive", ["false"])[0].casefold() in ("true", "1")
            expanded = self.query.get("expand", ["false"])[0].casefold() in ("true", "1")
            size = min(self.catalogue.tree_page_size, 50 if expanded else 1000)
            entries = tree(repository, commit, path, recursive)
            if path and not entries:
                self.send_problem(404, f"{path} does not exist on {found['revision']}", "EntryNotFound")
                return
            self._send_page(entries, size)
        elif found["verb"] == "paths-info":
            body = parse_qs(self.rfile.read(int(self.headers["Content-Length"] or 0)).decode())
            files = repository.commits[commit]
            self.send_json([file_entry(each, files[each]) for each in body.get("paths", []) if each in files])
        elif (expand := self._expanded()) is not None:
            self.send_json(described(repository, commit, expand, "blobs" in self.query))

    def _resolve(self, found: re.Match[str]) -> None:
        repository = self._repository(found["repo"])
        if repository is None:
            return
        commit = self._commit(repository, unquote(found["revision"]))
        if commit is None:
            return
        if not repository.may_download(self.user):
            self._refuse_gated(repository.name)
            return
        path = unquote(found["path"])
        about = {"X-Repo-Commit": commit}
        file = f"{repository.name}/{path}"
        content = self.catalogue.repositories[repository.name].commits[commit].get(path)
        content = self.faults.swapped(file) or content
        self.request_seen.file = file
        if content is None:
            self.send_problem(404, "Entry not found", "EntryNotFound", about)
        elif is_large(path):
            linked = {"X-Linked-Size": str(content.size), "X-Linked-ETag": f'"{content.sha256}"'}
            self._redirect(302, self._storage_address(repository, commit, path), {**about, **linked})
        elif found.re is _RESOLVE:
            cached = f"/api/resolve-cache/models/{repository.name}/{commit}/{quote(path)}"
            etag = quote(f'"{blob_name(content)}"')
            self._redirect(307, f"{cached}?{quote(self.path, safe='')}=&etag={etag}", about)
        else:
            etag = f'"{blob_name(content)}"'
            self.send_file(
                file, content, {**about, "ETag": etag, "Content-Type": "text/plain; charset=utf-8"}
            )

    def _repository(self, name: str) -> Repository | None:
        """The repository, or None after the answer that there is none for this user."""
        if name in self.catalogue.renamed:
            new = self.path.replace(f"/{name}", f"/{self.catalogue.renamed[name]}", 1)
            self._redirect(307, new, {})
            return None
        repository = self.catalogue.repositories.get(name)
        if repository is not None and repository.may_read(self.user):
            return repository
        if self.user is None:
            # What is missing and what is private are the same to those who are not known.
            asked = {"WWW-Authenticate": 'Bearer realm="Authentication required", charset="UTF-8"'}
            self.send_problem(401, "Invalid username or password.", "RepoNotFound", asked)
        else:
            self.send_problem(404, "Repository not found", "RepoNotFound")
        return None

    def _commit(self, repository: Repository, revision: str) -> str | None:
        commit = repository.revision(unquote(revision))
        if commit is None:
            self.send_problem(404, f"Invalid rev id: {revision}", "RevisionNotFound")
        return commit

    def _expanded(self) -> list[str] | None:
        expand = [*self.query.get("expand", []), *self.query.get("expand[]", [])]
        unknown = [name for name in expand if name not in EXPANDABLE]
        if unknown:
            self.send_problem(400, f'Invalid option for expand: "{unknown[0]}"')
            return None
        return expand

    def _refuse_gated(self, name: str) -> None:
        if self.user is None:
            words = "You must have access to it and be authenticated to access it. Please log in."
            self.send_problem(401, f"Access to model {name} is restricted. {words}", "GatedRepo")
        else:
            words = f"Visit https://huggingface.co/{name} to ask for access."
            known = "is restricted and you are not in the authorized list"
            self.send_problem(403, f"Access to model {name} {known}. {words}", "GatedRepo")

    def _send_page(self, entries: Sequence[Any], size: int) -> None:
        cursor = self.query.get("cursor", [""])[0]
        first = int(json.loads(base64.urlsafe_b64decode(cursor))["from"]) if cursor else 0
        headers = {}
        if first + size < len(entries):
            after = base64.urlsafe_b64encode(json.dumps({"from": first + size}).encode()).decode()
            path = urlsplit(self.path).path
            rest = {name: values for name, values in self.query.items() if name != "cursor"}
            query = urlencode({**rest, "cursor": after}, doseq=True)
            headers["Link"] = f'<{self.catalogue.endpoint}{path}?{query}>; rel="next"'
        self.send_json(entries[first : first + size], headers)

    def _redirect(self, status: int, address: str, headers: dict[str, str]) -> None:
        body = f"Found. Redirecting to {address}".encode()
        self.send_whole(status, body, "text/plain; charset=utf-8", {**headers, "Location": address})

    def _storage_address(self, repository: Repository, commit: str, path: str) -> str:
        name = quote(f"{repository.name}/{path}", safe="")
        sealed = seal(commit, name, self.faults.links)
        query = urlencode({"X-Amz-Expires": 3600, "link": self.faults.links, "X-Amz-Signature": sealed})
        return f"{self.catalogue.content_endpoint}/xet-bridge-us/{commit}/{name}?{query}"


class ContentAnswers(HubConnection):
    """The storage's port. Knows files by the addresses that the hub gave, and takes no token."""

    port = "content"
    catalogue: Catalogue

    def answer(self) -> None:
        """A file, or a range of it."""
        address = urlsplit(self.path)
        query = parse_qs(address.query)
        _, _, commit, name = [*address.path.split("/"), "", "", ""][:4]
        if self.headers["Authorization"] is not None:
            self.send_whole(400, b"<Error>Only one auth mechanism allowed</Error>", "application/xml")
        elif query.get("X-Amz-Signature") != [seal(commit, name, self.faults.links)]:
            self.send_whole(403, b"<Error>Request has expired</Error>", "application/xml")
        elif (content := self._content(commit, unquote(name))) is None:
            self.send_whole(404, b"<Error>NoSuchKey</Error>", "application/xml")
        else:
            kind = {"ETag": content_etag(content), "Content-Type": "application/octet-stream"}
            self.send_file(unquote(name), content, kind)

    def _content(self, commit: str, file: str) -> Content | None:
        swapped = self.faults.swapped(file)
        if swapped is not None:
            return swapped
        for name, repository in self.catalogue.repositories.items():
            if file.startswith(name + "/") and commit in repository.commits:
                return repository.commits[commit].get(file.removeprefix(name + "/"))
        return None


def seal(commit: str, name: str, links: int) -> str:
    """The signature of an address in the storage."""
    return hashlib.sha256(f"{commit} {name} {links}".encode()).hexdigest()
