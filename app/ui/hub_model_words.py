"""What Discover says about a repository."""

from datetime import date
from pathlib import Path
from urllib.parse import quote

from PySide6.QtCore import QCoreApplication

from app.figures import count_text
from app.models.hub import FoundModel, Gate, HubModel, RemoteModel
from app.models.hub_query import hub_endpoint
from app.models.model_names import file_title, printable
from app.ui.model_words import age_text

translate = QCoreApplication.translate

_LICENCES = {
    "mit": "MIT",
    "apache-2.0": "Apache-2.0",
    "gemma": "Gemma",
    "openrail": "OpenRAIL",
    "openrail++": "OpenRAIL++",
    "bigscience-openrail-m": "BigScience OpenRAIL-M",
    "wtfpl": "WTFPL",
    "unlicense": "Unlicense",
}
_IN_CAPITALS = ("cc", "gpl", "lgpl", "agpl", "bsd", "mpl", "epl", "afl", "osl", "isc", "zlib", "cdla", "ecl")


def repository_name(found: FoundModel) -> str:
    """The name without the publisher, safe to be shown."""
    return printable(found.name)


def publisher_name(found: FoundModel) -> str:
    """The publisher, safe to be shown."""
    return printable(found.publisher)


def short_count(count: int) -> str:
    """How often something happened, in short: "870", "212k", "1.2M"."""
    if count < 1000:
        return str(count)
    if count < 9_950:
        return f"{count / 1000:.1f}k"
    if count < 999_500:
        return f"{count / 1000:.0f}k"
    return f"{count / 1e6:.1f}M" if count < 9_950_000 else f"{count / 1e6:.0f}M"


def downloads_text(count: int) -> str:
    """ "212k downloads"."""
    if count == 1:
        return translate("Discover", "1 download")
    return translate("Discover", "{count} downloads").format(count=short_count(count))


def likes_text(count: int) -> str:
    """ "57 likes"."""
    if count == 1:
        return translate("Discover", "1 like")
    return translate("Discover", "{count} likes").format(count=short_count(count))


def found_details(found: FoundModel) -> str:
    """The second line of a result: "Qwen · 212k downloads · 57 likes"."""
    return _joined(
        publisher_name(found),
        downloads_text(found.downloads) if found.downloads is not None else "",
        likes_text(found.likes) if found.likes else "",
    )


def facts_text(model: HubModel) -> str:
    """What a repository is: "Qwen · Apache-2.0 · qwen2 · 1.5B · 32,768 tokens of context"."""
    found = model.found
    length = found.context_length
    context = translate("Discover", "{count} tokens of context").format(count=f"{length:,}") if length else ""
    return _joined(
        publisher_name(found),
        licence_text(model.licence),
        printable(found.architecture or ""),
        count_text(found.parameters) if found.parameters else "",
        context,
    )


def figures_text(found: FoundModel, today: date) -> str:
    """How it is used: "212k downloads · 57 likes · updated 8 Nov 2024"."""
    downloads = downloads_text(found.downloads) if found.downloads is not None else ""
    updated = ""
    if found.updated is not None:
        updated = translate("Discover", "updated {when}").format(when=age_text(found.updated, today))
    return _joined(downloads, likes_text(found.likes) if found.likes is not None else "", updated)


def licence_text(licence: str | None) -> str:
    """A licence as its authors write it: "apache-2.0" becomes "Apache-2.0"."""
    if licence is None or licence.casefold() in ("", "unknown"):
        return ""
    known = licence.casefold()
    if known == "other":
        return translate("Discover", "its own licence")
    if known in _LICENCES:
        return _LICENCES[known]
    if known.startswith(_IN_CAPITALS):
        return printable(licence.upper(), 40)
    return printable(licence[:1].upper() + licence[1:], 40)


def gate_text(found: FoundModel) -> str:
    """What to do before files can be had; empty where nothing is."""
    match found.gate:
        case Gate.AUTOMATIC:
            text = translate(
                "Discover",
                "{publisher} asks you to accept a licence first, on the model's page. Slipstream needs a "
                "token of the same account, kept in Settings.",
            )
        case Gate.MANUAL:
            text = translate(
                "Discover",
                "{publisher} decides who may download this. Ask for access on the model's page; Slipstream "
                "needs a token of the same account, kept in Settings.",
            )
        case Gate.OPEN:
            return ""
    return text.format(publisher=publisher_name(found))


def download_title(model: HubModel, row: RemoteModel) -> str:
    """What a download is called: "Qwen2.5-Coder-1.5B-Instruct Q4_K_M"."""
    name = repository_name(model.found)
    ending = "-gguf"
    if name.casefold().endswith(ending) and len(name) > len(ending):
        name = name[: -len(ending)]
    return f"{name} {row.quantisation}" if row.quantisation else f"{name} {row_name(row)}"


def row_name(row: RemoteModel) -> str:
    """What a row is known by: its number format, else its file's name."""
    return printable(row.quantisation) or file_title(_path(row))


def page_address(repo: str) -> str:
    """The page of a repository, on the mirror that the hub library is told to use if there is one."""
    endpoint = hub_endpoint() or ""
    base = endpoint if endpoint.startswith(("https://", "http://")) else "https://huggingface.co"
    return f"{base}/{quote(repo)}"


def _path(row: RemoteModel) -> Path:
    return Path(row.files[0].name)


def _joined(*parts: str) -> str:
    return " · ".join(part for part in parts if part)
