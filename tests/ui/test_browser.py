"""The explorer in a real browser: every page and action, keys, hostile memories, two tabs; with 'pytest -n0 -m ui'."""

import os
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from json import loads
from pathlib import Path
from urllib.parse import quote

import chromium
import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait
from support import COMMAND, PROJECT

from memoir.memory.write import reword
from memoir.repository import Repository
from memoir.ui.demo import build

pytestmark = [
    pytest.mark.ui,
    pytest.mark.skipif(chromium.missing() is not None, reason=f"{chromium.missing()} is not installed"),
]
AXE = PROJECT / ".hosts/node_modules/axe-core/axe.min.js"
PAGES = (
    "/", "/?under=workflow", "/memory?key=workflow.coding.rounds", "/memory?key=debugging.ci.timeouts", "/ask",
    "/ask?q=how+do+we+test&two=1&b_mode=deep", "/timeline", "/history", "/commit?revision=HEAD~5", "/merge",
    "/compare?from=HEAD~3&to=HEAD", "/merge?source=quick-rounds", "/inbox", "/sources", "/source?name=planning",
    "/threads", "/entities", "/health", "/find?q=quick", "/?at=HEAD~2", "/memory?key=no.such.path",
)  # fmt: skip


class Explorer:
    """A browser on the explorer of a store."""

    def __init__(self, driver: Chrome, url: str, link: str, store: Path) -> None:
        self.driver, self.url, self.link, self.store = driver, url.rstrip("/"), link, store

    def open(self, path: str) -> None:
        self.driver.get(self.url + path)
        self.wait(lambda: self.run("return document.readyState") == "complete")

    def run(self, script: str, *arguments: object) -> object:
        return self.driver.execute_script(script, *arguments)

    def wait(self, condition: Callable[[], object]) -> None:
        WebDriverWait(self.driver, 20).until(lambda driver: condition())

    def text(self, css: str = "body") -> str:
        return str(self.run("return document.querySelector(arguments[0])?.innerText ?? ''", css))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)

    def fill(self, name: str, value: str, within: str = "main") -> None:
        field = self.driver.find_element(By.CSS_SELECTOR, f"{within} [name={name}]")
        field.clear()
        field.send_keys(value)

    def click(self, css: str) -> None:
        self.driver.find_element(By.CSS_SELECTOR, css).click()

    def complaints(self) -> list[str]:
        """What the browser refused or could not do, such as what the page's policy forbids."""
        log = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        return [entry["message"] for entry in log if "status of 404" not in entry["message"]]


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    with chromium.chromium(str(tmp_path_factory.mktemp("browser"))) as driver:
        yield driver


@pytest.fixture
def explorer(driver: Chrome, tmp_path: Path) -> Iterator[Explorer]:
    build(str(tmp_path))
    env = {name: value for name, value in os.environ.items() if name != "MEMOIR_NOW"}
    argv = [str(COMMAND), "ui", "--no-open", "--json", "-s", str(tmp_path)]
    with subprocess.Popen(argv, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout
        fields = loads(server.stdout.readline())
        explorer = Explorer(driver, fields["url"], fields["link"], tmp_path)
        driver.get(fields["link"])
        explorer.wait(lambda: explorer.text("h1"))
        explorer.complaints()
        yield explorer
        driver.get("about:blank")
        driver.delete_all_cookies()
        server.terminate()


@pytest.mark.parametrize("width", [1280, 400])
def test_every_page_fits_and_nothing_is_refused(explorer: Explorer, width: int) -> None:
    chromium.resize(explorer.driver, width, 800)
    for path in PAGES:
        explorer.open(path)
        assert int(str(explorer.run("return document.documentElement.scrollWidth"))) <= width, path
        assert explorer.complaints() == [], path
        assert explorer.text("h1"), path


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: npm install --prefix .hosts axe-core")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_accessible(explorer: Explorer, scheme: str) -> None:
    feature = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    explorer.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", feature)
    chromium.resize(explorer.driver, 1280, 800)
    found = {}
    for path in PAGES:
        explorer.open(path)
        explorer.wait(
            lambda: explorer.run(
                "return ![...document.querySelectorAll('[data-load]')].some(e => e.querySelector(':scope > p > a'))"
            )
        )
        explorer.run("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        explorer.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": AXE.read_text("utf-8")})
        rules = "{runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']}"
        result = explorer.driver.execute_async_script(
            f"const end = arguments[arguments.length - 1]; axe.run(document, {rules}).then((each) => "
            "end(each.violations.map((rule) => `${rule.id}: ${rule.nodes[0].html.slice(0, 160)}`)))"
        )
        if result:
            found[path] = result
    assert found == {}


def test_the_keys(explorer: Explorer) -> None:
    explorer.open("/")
    explorer.press("g", "h")
    explorer.wait(lambda: explorer.text("h1") == "History")
    explorer.press("?")
    explorer.wait(lambda: explorer.run("return document.getElementById('help').open"))
    explorer.press(Keys.ESCAPE)
    explorer.wait(lambda: not explorer.run("return document.getElementById('help').open"))
    explorer.press("j", "j", Keys.ENTER)
    explorer.wait(lambda: "/commit" in explorer.driver.current_url)
    explorer.press("/")
    explorer.press("quick", "")
    explorer.wait(lambda: "workflow.coding.rounds" in explorer.text("#found"))
    explorer.press(Keys.ARROW_DOWN, Keys.ENTER)
    explorer.wait(lambda: "/memory" in explorer.driver.current_url)
    explorer.press("e")
    explorer.wait(lambda: explorer.run("return document.activeElement.tagName") == "TEXTAREA")


def test_a_memory_is_written_edited_moved_forgotten_and_brought_back(explorer: Explorer) -> None:
    explorer.open("/?under=workflow")
    explorer.click("details.panel > summary")
    explorer.fill("content", "Squash before a merge.\nNever after.")
    explorer.fill("keys", "workflow.coding.squash")
    explorer.click("main .stack button")
    explorer.wait(lambda: "workflow.coding.squash" in explorer.text(".notice"))

    explorer.open("/memory?key=workflow.coding.squash")
    explorer.press("e")
    explorer.fill("content", "Squash before every merge.")
    explorer.click("main .stack button")
    explorer.wait(lambda: "every" in explorer.text(".facet"))
    assert "+ Squash before every merge." in explorer.text(".versions")

    explorer.click(".facet details > summary")
    explorer.fill("new", "workflow.review.squash")
    explorer.click(".facet form.row button")
    explorer.open("/memory?key=workflow.review.squash")
    explorer.click(".facet details > summary")
    explorer.click(".facet button.danger")
    explorer.wait(lambda: explorer.text(".notice button") == "Undo")
    explorer.click(".notice button")
    explorer.wait(lambda: "revert" in explorer.text(".notice"))
    with Repository.open(explorer.store) as repository:
        assert repository.content("workflow.review.squash") == "Squash before every merge."


def test_conflicts_are_resolved_in_the_page(explorer: Explorer) -> None:
    explorer.open("/merge?source=quick-rounds")
    explorer.click("input[value^='default:workflow.coding.rounds#'][value$='=theirs']")
    explorer.click("main form button.main")
    explorer.wait(lambda: "merged" in explorer.text(".notice"))
    with Repository.open(explorer.store) as repository:
        assert repository.content("workflow.coding.rounds") == "Run the quick round between two edits."


def test_the_inbox_files_by_hand(explorer: Explorer) -> None:
    explorer.open("/inbox")
    explorer.wait(lambda: explorer.run("return document.querySelectorAll('.suggestion').length > 0"))
    before = explorer.run("return document.querySelectorAll('.facet').length")
    explorer.click(".suggestion button")
    explorer.wait(lambda: explorer.run("return document.querySelectorAll('.facet').length") != before)


def test_hostile_memories_do_nothing(explorer: Explorer) -> None:
    texts = (
        "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">",
        "\" autofocus onfocus=\"document.title='owned'\" x='", "pay \u202eeno\u202c", "b" * 1_000_000,
    )  # fmt: skip
    with Repository.open(explorer.store) as repository:
        for number, text in enumerate(texts):
            repository.remember(text, f"inbox.hostile{number}")
    for number in range(len(texts)):
        for path in (f"/memory?key=inbox.hostile{number}", "/inbox", "/timeline", "/?under=inbox", "/history"):
            explorer.open(path)
            assert "owned" not in explorer.driver.title
            assert "\u202e" not in explorer.text("body")
            assert explorer.complaints() == []
    explorer.open("/ask?q=" + quote(texts[0]))
    assert explorer.driver.title != "owned"


def test_another_tab_writes(explorer: Explorer) -> None:
    explorer.open("/memory?key=workflow.coding.commits")
    first = explorer.driver.current_window_handle
    explorer.press("e")
    explorer.fill("content", "Typed in the first tab.")
    with Repository.open(explorer.store) as repository:
        repository.edit("workflow.coding.commits", partial(reword, content="Written elsewhere."))
    explorer.wait(lambda: "Written elsewhere" in explorer.text("#news"))
    explorer.driver.switch_to.window(first)
    explorer.click("main .stack button")
    explorer.wait(lambda: explorer.text("h1") == "Nothing was changed")
    assert "Typed in the first tab." in str(explorer.run("return document.querySelector('textarea').value"))

    explorer.open("/history")
    with Repository.open(explorer.store) as repository:
        repository.remember("News from elsewhere.", "a.b")
    explorer.wait(lambda: "News from elsewhere." in explorer.text("main"))


def test_without_the_cookie_nothing_is_shown(explorer: Explorer) -> None:
    explorer.driver.delete_all_cookies()
    explorer.open("/")

    assert "token" in explorer.text("h1") and "workflow" not in explorer.text("body")


def test_a_page_of_another_origin_can_write_nothing(explorer: Explorer, tmp_path: Path) -> None:
    page = tmp_path / "foreign.html"
    page.write_text(
        f'<form method="post" action="{explorer.url}/form/undo"><input name="steps" value="1"><button>x</button></form>'
    )
    with Repository.open(explorer.store) as repository:
        before = repository.store.head().commit
        explorer.driver.get(f"file://{page}")
        explorer.click("button")
        explorer.wait(lambda: "site" in explorer.text("h1") or "token" in explorer.text("h1"))
        assert repository.store.head().commit == before
