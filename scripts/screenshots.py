"""Writes the pictures of docs/explorer.md: each page of the example store in a real browser, wide and narrow.

    apt install chromium chromium-driver; .venv/bin/pip install '.[dev]'
    .venv/bin/python scripts/screenshots.py [FOLDER]

They are docs/explorer/PAGE.png and docs/explorer/PAGE-narrow.png, each below 150 KB.
"""

import io
import json
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT / "tests"))
PAGES = {
    "tree": "/",
    "memory": "/memory?key=workflow.coding.rounds",
    "history": "/history",
    "merge": "/merge?source=quick-rounds",
    "ask": "/ask?q=how+are+crashes+cleaned+up&two=1&b_mode=deep",
    "timeline": "/timeline",
    "inbox": "/inbox",
    "source": "/source?name=planning",
    "threads": "/threads",
    "entities": "/entities",
    "health": "/health",
}
SIZES = {"": (1280, 800), "-narrow": (400, 800)}
_COLOURS = 128
_PENDING = "return document.querySelectorAll('.working, [data-load] > p > a').length"
_SECONDS = 0.3
"""How long a page that is complete has to be drawn."""


def main(folder: Path) -> None:
    """Start the explorer on the example store, and take a picture of each page."""
    import time

    import chromium
    from selenium.webdriver.support.ui import WebDriverWait

    folder.mkdir(parents=True, exist_ok=True)
    argv = [sys.executable, "-m", "memoir", "ui", "--demo", "--no-open", "--json"]
    with (
        tempfile.TemporaryDirectory() as home,
        subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as server,
        chromium.chromium(home) as driver,
    ):
        assert server.stdout
        fields = json.loads(server.stdout.readline())
        driver.get(fields["link"])
        WebDriverWait(driver, 60).until(lambda page: "token" not in page.current_url)
        for suffix, size in SIZES.items():
            chromium.resize(driver, *size)
            for name, path in PAGES.items():
                driver.get(fields["url"].rstrip("/") + path)
                WebDriverWait(driver, 60).until(lambda page: page.execute_script(_PENDING) == 0)
                time.sleep(_SECONDS)
                (folder / f"{name}{suffix}.png").write_bytes(_small(driver.get_screenshot_as_png()))
        server.terminate()


def _small(png: bytes) -> bytes:
    """The same picture with fewer colours."""
    from PIL import Image

    out = io.BytesIO()
    Image.open(io.BytesIO(png)).convert("RGB").quantize(_COLOURS).save(out, "PNG", optimize=True)
    return out.getvalue()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else PROJECT / "docs" / "explorer")
