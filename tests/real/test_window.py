"""A person's ways through the real window, with the real SmolLM2 pair.

One is given files, and comes back after a restart; one compares with and without drafting; one begins with
nothing and finds the pair on a hub.
Screenshots of every page, in two sizes and both themes, go to the folder that SLIPSTREAM_SCREENSHOTS names.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.commands.demo import full_precision_copy
from app.paths import demo_model_path
from tests.fakes.hub_server import HubServer

ROOT = Path(__file__).resolve().parents[2]
VISIT_SECONDS = 280
HEADER_BYTES = 8 << 20  # fetched alone, before the file, to check the vocabulary


@pytest.fixture(scope="module")
def screen() -> Iterator[dict[str, str]]:
    """The environment variables of a screen in memory; of the screen that is there where none can be had."""
    xvfb = shutil.which("Xvfb")
    if xvfb is None:
        if sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            pytest.fail("There is no screen, and no Xvfb to make one; packaging/start.py test installs it.")
        yield {}
        return
    reading, writing = os.pipe()
    size = ["-screen", "0", "1920x1080x24", "-nolisten", "tcp"]
    server = subprocess.Popen(
        [xvfb, "-displayfd", str(writing), *size], pass_fds=[writing], stderr=subprocess.DEVNULL
    )
    os.close(writing)
    with os.fdopen(reading) as answer:
        number = answer.readline().strip()
    try:
        assert number, "Xvfb did not start"
        yield {"DISPLAY": f":{number}", "QT_QPA_PLATFORM": "xcb"}
    finally:
        server.terminate()
        server.wait(10)


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the pair, as a user may have one."""
    draft = demo_model_path()
    assert draft.exists(), "python3 packaging/start.py test fetches the model"
    folder = tmp_path_factory.mktemp("models") / "HuggingFaceTB" / "SmolLM2"
    folder.mkdir(parents=True)
    for file in (draft, full_precision_copy(draft)):
        (folder / file.name).symlink_to(file)
    return folder.parent.parent


@pytest.fixture
def screenshots(tmp_path: Path) -> Path:
    """Where pictures go."""
    folder = Path(os.environ.get("SLIPSTREAM_SCREENSHOTS", tmp_path / "screenshots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def go(journey: str, *arguments: str, variables: dict[str, str]) -> None:
    """Walks a journey in a process of its own, and looks at what that process complained about."""
    done = subprocess.run(
        [sys.executable, "-m", f"tests.fakes.{journey}", *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error", **variables},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=VISIT_SECONDS,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    complaints = [line for line in done.stderr.splitlines() if "Traceback" in line or "QObject::" in line]
    assert complaints == [], done.stderr


@pytest.mark.timeout(600)
def test_a_model_is_set_up_chatted_with_and_found_again(
    models: Path, screen: dict[str, str], screenshots: Path, tmp_path: Path
) -> None:
    variables = {**screen, "SLIPSTREAM_HOME": str(tmp_path / "home")}
    for name in ("first", "second"):
        go("window_journey", name, str(models), str(screenshots), variables=variables)
    pages = {"chat-drafted", "chat-plain", "models", "settings", "dialog-draft"}
    taken = {path.name for path in screenshots.glob("*.png")}
    assert {f"first-{page}-dark-1280.png" for page in pages - {"dialog-draft"}} <= taken


@pytest.mark.timeout(600)
def test_drafting_is_compared_kept_exported_and_opened_again(
    models: Path, screen: dict[str, str], screenshots: Path, tmp_path: Path
) -> None:
    variables = {**screen, "SLIPSTREAM_HOME": str(tmp_path / "home")}
    go("compare_journey", str(models), str(screenshots), variables=variables)
    for name in ("json", "csv", "png", "svg"):
        assert (screenshots / f"comparison.{name}").stat().st_size > 500
    for page in ("empty", "ready", "result", "replay", "expect", "reopened"):
        assert (screenshots / f"first-compare-{page}-dark-1280.png").exists()


@pytest.mark.timeout(600)
def test_a_pair_is_found_on_the_hub_downloaded_loaded_and_chatted_with(
    models: Path, screen: dict[str, str], screenshots: Path, tmp_path: Path
) -> None:
    draft, target = sorted(
        (models / "HuggingFaceTB" / "SmolLM2").iterdir(), key=lambda file: file.stat().st_size
    )
    with HubServer() as hub:
        # The target is the draft's own F32 copy; the hub says that it is the family's large model.
        hub.add_model(
            "HuggingFaceTB/SmolLM2-1.7B-Instruct-GGUF",
            {"smollm2-1.7b-instruct-f32.gguf": target.resolve()},
            architecture="llama",
            parameters=1_711_000_000,
            context_length=8192,
            licence="apache-2.0",
            downloads=212_000,
        )
        hub.add_model(
            "HuggingFaceTB/SmolLM2-135M-Instruct-GGUF",
            {"smollm2-135m-instruct-q4_1.gguf": draft.resolve()},
            architecture="llama",
            parameters=134_515_008,
            context_length=8192,
            licence="apache-2.0",
            downloads=98_000,
        )
        variables = {
            **screen,
            "SLIPSTREAM_HOME": str(tmp_path / "home"),
            "HF_ENDPOINT": hub.endpoint,
            "HF_HOME": str(tmp_path / "hub"),
        }
        go("discover_journey", str(screenshots), variables=variables)
        assert hub.requests.sent_again("smollm2-1.7b-instruct-f32.gguf") <= HEADER_BYTES
        assert hub.requests.tokens_at_content() == ()
    arrived = {file.name: file.stat().st_size for file in (tmp_path / "home").rglob("*.gguf")}
    assert arrived["smollm2-1.7b-instruct-f32.gguf"] == target.stat().st_size
    assert list((tmp_path / "home").rglob("*.part*")) == []
    assert (screenshots / "first-discover-downloading-dark-1280.png").exists()
