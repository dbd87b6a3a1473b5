"""A headless Chromium, which tests and the script of screenshots drive."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from selenium.webdriver import Chrome
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

_FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


def missing() -> str | None:
    """What is not installed; None if a browser can be started."""
    return next((name for name in ("chromium", "chromedriver") if shutil.which(name) is None), None)


@contextmanager
def chromium(home: str) -> Iterator[Chrome]:
    """A browser with a profile of its own in a folder."""
    options = Options()
    options.binary_location = shutil.which("chromium") or ""
    for flag in (*_FLAGS, f"--user-data-dir={home}"):
        options.add_argument(flag)
    driver = Chrome(options=options, service=Service(shutil.which("chromedriver"), env={**os.environ, "HOME": home}))
    driver.set_script_timeout(60)
    try:
        yield driver
    finally:
        driver.quit()


def resize(driver: Chrome, width: int, height: int) -> None:
    """Give the page a width, however small; a window cannot be narrower than 500 pixels."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
