"""The explorer in a real browser: every page and action, keys, hostile memories, two tabs; with 'pytest -n0 -m ui'."""

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from functools import partial
from json import loads
from pathlib import Path
from urllib.parse import quote

import chromium
import pytest
from selenium.common.exceptions import TimeoutException, WebDriverException
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait
from support import COMMAND, PROJECT

from memoir.capture.spool import SessionTurn, TurnSpool
from memoir.memory.facets import ids_of
from memoir.memory.write import reword
from memoir.memory.write_options import WriteOptions
from memoir.records.record import Memory
from memoir.repository.repository import Repository
from memoir.ui.demo import build
from memoir.ui.gate import SESSION_SECONDS, Access

pytestmark = [
    pytest.mark.ui,
    pytest.mark.skipif(chromium.missing() is not None, reason=f"{chromium.missing()} is not installed"),
]
AXE = PROJECT / ".hosts/node_modules/axe-core/axe.min.js"
TIMEOUTS = "debugging.ci.timeouts"
PAGES = (
    "/", "/?under=workflow", "/memory?key=workflow.coding.rounds", "/memory?key=debugging.ci.timeouts", "/ask",
    "/ask?q=how+do+we+test&two=1&b_mode=deep", "/timeline", "/history", "/commit?revision=HEAD~5", "/merge",
    "/compare?from=HEAD~3&to=HEAD", "/merge?source=quick-rounds", "/inbox", "/sources", "/source?name=planning",
    "/threads", "/entities", "/health", "/find?q=quick", "/?at=HEAD~2", "/memory?key=no.such.path",
    "/memory/related?key=debugging.ci.timeouts",
)  # fmt: skip


class Explorer:
    """A browser on the explorer of a store."""

    def __init__(self, driver: Chrome, url: str, link: str, store: Path) -> None:
        self.driver, self.url, self.link, self.store = driver, url.rstrip("/"), link, store

    def open(self, path: str) -> None:
        self.leave(lambda: self.driver.get(self.url + path))

    def run(self, script: str, *arguments: object) -> object:
        return self.driver.execute_script(script, *arguments)

    def wait(self, condition: Callable[[], object]) -> None:
        """Wait until something holds; a page that is just being left cannot say."""
        patience = WebDriverWait(self.driver, 30, 0.05, [WebDriverException])
        patience.until(lambda driver: condition())

    def leave(self, act: Callable[[], object]) -> None:
        """Do what leads to another page, and wait until that is there with its script."""
        self.run("window.isLeft = true")
        act()
        self.wait(lambda: self.run("return !window.isLeft && document.readyState === 'complete'"))

    def text(self, css: str = "body") -> str:
        return str(self.run("return document.querySelector(arguments[0])?.innerText ?? ''", css))

    def see(self, words: str, css: str = "body") -> None:
        """Wait until something says some words; if it does not, the page itself tells why."""
        try:
            self.wait(lambda: words in self.text(css))
        except TimeoutException:
            raise AssertionError(f"{words!r} is not in {css}: {self.text()}") from None

    def count(self, css: str) -> int:
        return int(str(self.run("return document.querySelectorAll(arguments[0]).length", css)))

    def shown(self, css: str) -> bool:
        return any(each.is_displayed() for each in self.driver.find_elements(By.CSS_SELECTOR, css))

    def press(self, *keys: str) -> None:
        ActionChains(self.driver).send_keys(*keys).perform()

    def fill(self, css: str, value: str) -> None:
        field = self.driver.find_element(By.CSS_SELECTOR, css)
        field.clear()
        field.send_keys(value)

    def click(self, css: str) -> None:
        """Click on what is there, as soon as it is."""
        self.wait(lambda: self.driver.find_element(By.CSS_SELECTOR, css).is_displayed())
        self.driver.find_element(By.CSS_SELECTOR, css).click()

    def send(self, css: str) -> None:
        """Click on what sends a form or opens a page, and wait for the next page."""
        self.leave(lambda: self.click(css))

    def wait_for_parts(self) -> None:
        """Wait until what comes after the rest of a page is there."""
        self.wait(lambda: not self.count("[data-working], .working") and not self.count("[data-load] > p > a"))

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
        explorer.wait(lambda: explorer.text("h1") and "token" not in driver.current_url)
        explorer.complaints()
        yield explorer
        for tab in driver.window_handles[1:]:
            driver.switch_to.window(tab)
            driver.close()
        driver.switch_to.window(driver.window_handles[0])
        driver.get("about:blank")
        driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
        server.terminate()


@pytest.mark.parametrize("width", [1280, 400, 320])
def test_every_page_fits_and_nothing_is_refused(explorer: Explorer, width: int) -> None:
    chromium.resize(explorer.driver, width, 800)
    for path in PAGES:
        explorer.open(path)
        explorer.wait_for_parts()
        assert int(str(explorer.run("return document.documentElement.scrollWidth"))) <= width, path
        assert explorer.complaints() == [], path
        assert explorer.text("h1"), path


def test_a_text_runs_from_right_to_left_where_its_language_does(explorer: Explorer) -> None:
    with Repository.open(explorer.store) as repository:
        repository.remember(Memory.of("תה עם לימון, not coffee (בבוקר)."), "preferences.food.tea")
    explorer.open("/memory?key=preferences.food.tea")
    right_of = """
        const words = document.querySelector('.facet > .words'), range = document.createRange();
        const text = document.createTreeWalker(words, NodeFilter.SHOW_TEXT).nextNode();
        range.setStart(text, text.length - 1); range.setEnd(text, text.length);
        return range.getBoundingClientRect().right < words.getBoundingClientRect().right - 50;
    """
    assert explorer.run(right_of), "its full stop is at the left"


def test_a_page_is_printed_without_what_is_only_for_the_screen(explorer: Explorer) -> None:
    explorer.open("/memory?key=debugging.ci.timeouts")
    explorer.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert explorer.text("main .words")
        assert not any(explorer.shown(css) for css in ("header", "footer", "main form", "main button"))
    finally:
        explorer.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: npm install --prefix .hosts axe-core")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_accessible(explorer: Explorer, scheme: str) -> None:
    feature = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    explorer.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", feature)
    chromium.resize(explorer.driver, 1280, 800)
    found = {}
    for path in PAGES:
        explorer.open(path)
        explorer.wait_for_parts()
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
    explorer.leave(lambda: explorer.press("g", "h"))
    assert explorer.text("h1") == "History"
    explorer.press("?")
    explorer.wait(lambda: explorer.run("return document.getElementById('help').open"))
    explorer.press(Keys.ESCAPE)
    explorer.wait(lambda: not explorer.run("return document.getElementById('help').open"))
    explorer.press("j", "j")
    explorer.leave(lambda: explorer.press(Keys.ENTER))
    assert "/commit" in explorer.driver.current_url
    explorer.press("/")
    explorer.press("quick")
    explorer.wait(lambda: "workflow.coding.rounds" in explorer.text("#found"))
    explorer.press(Keys.ARROW_DOWN)
    explorer.leave(lambda: explorer.press(Keys.ENTER))
    assert "/memory" in explorer.driver.current_url
    explorer.press("e")
    explorer.wait(lambda: explorer.run("return document.activeElement.tagName") == "TEXTAREA")


def test_a_memory_is_written_edited_moved_forgotten_and_brought_back(explorer: Explorer) -> None:
    explorer.open("/?under=workflow")
    explorer.click("details.panel > summary")
    explorer.fill("main [name=content]", "Squash before a merge.\nNever after.")
    explorer.fill("main [name=keys]", "workflow.coding.squash")
    explorer.send("main .stack button")
    explorer.see("workflow.coding.squash", ".notice")

    explorer.open("/memory?key=workflow.coding.squash")
    explorer.press("e")
    explorer.fill("main [name=content]", "Squash before every merge.")
    explorer.send("main .stack button")
    explorer.see("every", ".facet")
    explorer.see("+ Squash before every merge.", ".versions")

    explorer.click(".facet details > summary")
    explorer.fill("main [name=expires]", "2027-01-31")
    explorer.send("form:has([name=expires]) button")
    explorer.see("2027-01-31", ".facet .fields")
    explorer.click(".facet details > summary")
    explorer.fill("main [name=new]", "workflow.review.squash")
    explorer.send("form:has([name=new]) button")
    explorer.open("/memory?key=workflow.review.squash")
    explorer.click(".facet details > summary")
    explorer.send(".facet button.danger")
    explorer.see("Undo", ".notice button")
    explorer.send(".notice button")
    explorer.see("revert", ".notice")
    with Repository.open(explorer.store) as repository:
        assert repository.content("workflow.review.squash") == "Squash before every merge."


def test_conflicts_are_resolved_in_the_page_memory_by_memory(explorer: Explorer) -> None:
    with Repository.open(explorer.store) as repository:
        repository.branches.create("rival")
        keys = [f"{TIMEOUTS}#{identity}" for identity in ids_of(repository.get(TIMEOUTS) or ())][:2]
        for side, branch in (("ours", None), ("theirs", "rival")):
            for number, key in enumerate(keys):
                words = partial(reword, content=f"{side} {number}")
                repository.edit(key, words, options=WriteOptions(branch=branch))

    explorer.open("/merge?source=rival")
    assert explorer.count("fieldset.conflict") == 2
    explorer.click("fieldset.conflict:nth-of-type(1) input[value$='=ours']")
    explorer.click("fieldset.conflict:nth-of-type(2) input[value$='=theirs']")
    explorer.send("main form button.main:last-of-type")
    assert "merged" in explorer.text(".notice")
    with Repository.open(explorer.store) as repository:
        active = {each.content for each in repository.get(TIMEOUTS) or () if each.active}
        assert active in ({"ours 0", "theirs 1"}, {"theirs 0", "ours 1"})


def test_the_inbox_files_by_hand(explorer: Explorer) -> None:
    explorer.open("/inbox")
    explorer.wait(lambda: explorer.count(".suggestion"))
    before = explorer.count(".facet")
    explorer.send(".suggestion button")
    assert explorer.count(".facet") == before - 1


def test_captures_are_accepted_and_rejected(explorer: Explorer) -> None:
    said = (
        "From now on run the type checker before you are done. Fix the parser.",
        "Never commit generated files.",
        "Always answer in English.",
    )
    spool = TurnSpool(explorer.store / ".memoir")
    spool.switch(True)
    for number, text in enumerate(said):
        spool.add(SessionTurn("claude", f"session-{number}", 1_760_000_000.5 + number, "user", text))

    explorer.open("/inbox")
    assert explorer.count(".captures li") == len(said)
    explorer.click(".captures li:nth-child(1) input")
    explorer.send("[formaction='/form/capture/accept']")
    assert explorer.count(".captures li") == len(said) - 1
    assert explorer.text(".notice button") == "Undo"
    explorer.click(".captures li:nth-child(1) input")
    explorer.send("[formaction='/form/capture/reject']")
    assert explorer.count(".captures li") == len(said) - 2
    with Repository.open(explorer.store) as repository:
        head = repository.show().differences
        assert [each.operation for each in head] == ["added"]
        assert "type checker" in str(head[0].new)


def test_the_colours_are_chosen_and_kept(explorer: Explorer) -> None:
    ground = "return getComputedStyle(document.documentElement).backgroundColor"
    explorer.driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "light"}]}
    )
    explorer.open("/")
    light = explorer.run(ground)
    Select(explorer.driver.find_element(By.CSS_SELECTOR, "#theme select")).select_by_value("dark")
    dark = explorer.run(ground)
    explorer.open("/history")

    assert light != dark == explorer.run(ground)
    Select(explorer.driver.find_element(By.CSS_SELECTOR, "#theme select")).select_by_value("")
    explorer.open("/")
    assert explorer.run(ground) == light


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
    explorer.fill("main [name=content]", "Typed in the first tab.")

    explorer.driver.switch_to.new_window("window")
    explorer.open("/memory?key=workflow.coding.commits")
    explorer.press("e")
    explorer.fill("main [name=content]", "Saved in the second tab.")
    explorer.send("main .stack button")
    second = explorer.driver.current_window_handle

    explorer.driver.switch_to.window(first)
    explorer.wait(lambda: not explorer.run("return document.getElementById('news').hidden"))
    explorer.send("main .stack button")
    assert explorer.text("h1") == "Nothing was changed"
    assert "Typed in the first tab." in str(explorer.run("return document.querySelector('textarea').value"))

    explorer.open("/history")
    explorer.driver.switch_to.window(second)
    explorer.open("/")
    explorer.click("details.panel > summary")
    explorer.fill("main [name=content]", "News from the second tab.")
    explorer.fill("main [name=keys]", "a.b")
    explorer.send("main .stack button")
    explorer.driver.switch_to.window(first)
    explorer.wait(lambda: "News from the second tab." in explorer.text("main"))


def test_without_the_cookie_nothing_is_shown(explorer: Explorer) -> None:
    explorer.driver.delete_all_cookies()
    explorer.open("/")

    assert "token" in explorer.text("h1") and "workflow" not in explorer.text("body")


def test_a_token_that_expires_writes_nothing_and_what_was_typed_is_not_lost(explorer: Explorer) -> None:
    port, token = int(explorer.url.rpartition(":")[2]), explorer.link.rpartition("token=")[2]
    rules = Access(token, "127.0.0.1", port)
    explorer.open("/memory?key=workflow.coding.commits")
    explorer.press("e")
    typed = "Typed before the token expired."
    explorer.fill("main [name=content]", typed)
    old = rules.session(time.time() - SESSION_SECONDS - 1)
    explorer.driver.add_cookie({"name": rules.cookie, "value": old, "path": "/", "sameSite": "Strict"})

    explorer.send("main .stack button")
    assert "expired" in explorer.text("h1") and "memoir ui" in explorer.text("main")
    explorer.driver.back()
    explorer.wait(lambda: explorer.run("return document.querySelector('textarea[name=content]')?.value") == typed)
    explorer.driver.get(explorer.link)
    explorer.wait(lambda: "Tree" in explorer.text("nav") and "token" not in explorer.driver.current_url)
    with Repository.open(explorer.store) as repository:
        assert repository.content("workflow.coding.commits") == "One change a commit, its reason in the body."


def test_a_page_of_another_origin_can_write_nothing(explorer: Explorer, tmp_path: Path) -> None:
    page = tmp_path / "foreign.html"
    page.write_text(
        f'<form method="post" action="{explorer.url}/form/undo"><input name="steps" value="1"><button>x</button></form>'
    )
    with Repository.open(explorer.store) as repository:
        before = repository.store.head().commit
        explorer.driver.get(f"file://{page}")
        explorer.send("button")
        assert "site" in explorer.text("h1") or "token" in explorer.text("h1")
        assert repository.store.head().commit == before
