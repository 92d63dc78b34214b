"""A person's way through the real window, with the real SmolLM2 pair: twice, with a restart between.

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

ROOT = Path(__file__).resolve().parents[2]
VISIT_SECONDS = 280


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


def visit(name: str, models: Path, home: Path, screen: dict[str, str], screenshots: Path) -> None:
    variables = {
        **os.environ,
        **screen,
        "SLIPSTREAM_HOME": str(home),
        "PYTHONPATH": str(ROOT),
        "PYTHONWARNINGS": "error",
    }
    done = subprocess.run(
        [sys.executable, "-m", "tests.fakes.window_journey", name, str(models), str(screenshots)],
        env=variables,
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
    models: Path, screen: dict[str, str], tmp_path: Path
) -> None:
    screenshots = Path(os.environ.get("SLIPSTREAM_SCREENSHOTS", tmp_path / "screenshots"))
    screenshots.mkdir(parents=True, exist_ok=True)
    visit("first", models, tmp_path / "home", screen, screenshots)
    visit("second", models, tmp_path / "home", screen, screenshots)
    pages = {"chat-drafted", "chat-plain", "models", "settings", "dialog-draft"}
    taken = {path.name for path in screenshots.glob("*.png")}
    assert {f"first-{page}-dark-1280.png" for page in pages - {"dialog-draft"}} <= taken
