"""The pages: all of them answer, show what is stored as text alone, and their forms make the calls of the API."""

import re
import time
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hostile import Forge
from served import URL, access, browser, client
from starlette.testclient import TestClient

from memoir.capture.spool import SessionTurn, TurnSpool
from memoir.memory.facets import ids_of
from memoir.records.origins import origins_of
from memoir.records.record import Memory
from memoir.repository.repository import Repository
from memoir.taxonomy.paths import address
from memoir.tree.edit import apply
from memoir.ui.application import PAGES
from memoir.ui.demo import build
from memoir.ui.pages.screen import THEME

pytestmark = pytest.mark.slow
HOSTILE = {
    "script": "<script>document.title='owned'</script>",
    "attribute": "\" onmouseover=\"document.title='owned'\" x='",
    "image": "<img src=x onerror=alert(1)>",
    "template": "{{ 7 * 7 }}{% raw %}",
    "link": "javascript:alert(1)",
    "entities": "&lt;script&gt;alert(1)&lt;/script&gt;",
    "bidi": "pay \u202eeno\u202c to \u200bnobody",
    "escape": "red \x1b[31m and \x07 bell",
    "long": "a" * 1_000_000,
}
SIDES = ("ours", "theirs", "append")
PARAMETERS = {
    "/memory": "?key=workflow.coding.rounds",
    "/memory/related": "?key=workflow.coding.rounds",
    "/inbox/suggestions": "?key=workflow.coding.rounds",
    "/thread": "?id=workflow.coding.rounds",
    "/source": "?name=planning",
    "/merge": "?source=quick-rounds",
    "/compare": "?from=HEAD~3&to=HEAD",
    "/ask": "?q=how+do+we+test&two=1&b_mode=deep",
    "/find": "?q=work",
    "/health": "?check=1",
}


class Markup(HTMLParser):
    """What a browser would act on in a page: scripts, handlers, and where links and forms lead."""

    def __init__(self) -> None:
        super().__init__()
        self.scripts: list[str | None] = []
        self.handlers: list[str] = []
        self.targets: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "script":
            self.scripts.append(dict(attrs).get("src"))
        self.handlers += [name for name, _ in attrs if name.startswith("on") or name == "style"]
        self.targets += [value or "" for name, value in attrs if name in ("href", "src", "action", "formaction")]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    build(str(folder))
    return folder


def text_of(page: TestClient, path: str) -> str:
    answer = page.get(path)
    assert answer.status_code == 200, answer.text
    return answer.text


def text_when_ready(page: TestClient, path: str) -> str:
    """The text of a page that may take longer; until then it says so."""
    for _ in range(600):
        answer = page.get(path)
        if answer.status_code != 202:
            break
        assert 'class="working"' in answer.text and ("part=1" in path or 'http-equiv="refresh"' in answer.text)
        check_markup(answer.text)
        time.sleep(0.1)
    assert answer.status_code == 200, answer.text
    return answer.text


def check_markup(text: str) -> None:
    markup = Markup()
    markup.feed(text)
    assert set(markup.scripts) <= {"/static/explorer.js"}
    assert not markup.handlers
    assert all(target.startswith(("/", "#")) and not target.startswith("//") for target in markup.targets)


@pytest.mark.parametrize("path", PAGES)
def test_every_page_answers_without_a_script(demo: Path, path: str) -> None:
    page = browser(demo)

    for query in ("branch=quick-rounds", "at=HEAD~1&namespace=default", ""):
        text = text_when_ready(page, path + PARAMETERS.get(path, "?") + "&" + query)
        check_markup(text)
        assert "<h1>" in text or "<h2>" in text


@pytest.mark.parametrize("path", ["/", "/find", "/ask", "/timeline", "/history", "/inbox", "/sources", "/threads",
    "/entities", "/health", "/merge", "/compare"])  # fmt: skip
def test_an_empty_store_is_shown_too(repository: Repository, path: str) -> None:
    text = text_when_ready(browser(repository.path), path)
    check_markup(text)
    assert '<option value="" selected>main</option>' in text
    assert "No commit fits" not in text


def test_a_capture_shows_what_is_at_its_path_and_what_is_to_be_forgotten(repository: Repository) -> None:
    spool = TurnSpool(repository.path)
    spool.switch(True)
    for text in ("We always deploy on Tuesdays.", "forget what I said about <b>ullets"):
        spool.add(SessionTurn("claude", "s", 1_760_000_000.5, "user", text))
    proposal = repository.captures.review().proposals[0]
    repository.remember(Memory.of("A deploy takes an hour"), str(proposal.path))

    text = text_of(browser(repository.path), "/inbox")

    check_markup(text)
    assert "There is: A deploy takes an hour" in text
    assert "To be forgotten, by hand: forget what I said about &lt;b&gt;ullets" in text


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_memory_is_text(repository: Repository, name: str) -> None:
    repository.remember(HOSTILE[name], f"inbox.{name}")
    repository.remember(HOSTILE[name], "inbox.twice", policy="append")
    repository.remember(HOSTILE[name] + "!", "inbox.twice", policy="append")
    page = browser(repository.path)

    memories = (f"/memory?key=inbox.{name}", "/memory?key=inbox.twice", "/timeline", "/inbox", "/?under=inbox")
    for path in (*memories, "/commit?revision=HEAD", "/ask?q=inbox", "/find?q=inbox", "/history"):
        text = text_of(page, path)
        check_markup(text)
        assert "\u202e" not in re.sub(r"<textarea.*?</textarea>", "", text, flags=re.DOTALL)
        assert "\x1b" not in text
        assert len(text) < 400_000


def test_what_comes_in_an_address_is_text(repository: Repository) -> None:
    page = browser(repository.path)
    paths = "/find /ask /timeline /history /merge /entities /sources /compare / /memory"
    for path in paths.split():
        for name in ("q", "at", "branch", "namespace", "key", "name", "since", "from", "source", "under", "author"):
            check_markup(page.get(path, params={name: '"><script>x</script><img src=x onerror=y>'}).text)


def form(page: TestClient, call: str, **fields: str) -> str:
    """Send a form, and return the page that comes next."""
    answer = page.post(f"/form/{call}", data={"next": "/history", **fields})
    assert answer.status_code == 303, answer.text
    return text_of(page, answer.headers["location"])


def test_an_action_is_done_said_and_undone(repository: Repository) -> None:
    rules = access()
    page = client(repository.path, headers={"Origin": URL})
    page.cookies.set(rules.cookie, rules.session())

    said = form(page, "remember", content="Use ruff.", keys="a.b")
    (commit,) = re.findall(r'action="/form/revert".*?name="revision" value="([0-9a-f]{40})"', said, re.DOTALL)
    assert "/form/revert" not in text_of(page, "/history"), "it is said once"
    form(page, "revert", revision=commit)

    assert repository.get("a.b") is None


def test_each_action_of_a_memory_has_a_form(repository: Repository) -> None:
    repository.remember("one", "a.b")
    page = browser(repository.path)

    form(page, "edit", key="a.b", content="two")
    form(page, "mv", old="a.b", new="c.d")
    form(page, "pin", keys="c.d")
    form(page, "unpin", keys="c.d")
    form(page, "forget", keys="c.d")
    form(page, "restore", keys="c.d", at="HEAD~1")
    form(page, "tag", name="v1", revision="HEAD")
    form(page, "branch", name="idea", start="HEAD")
    form(page, "undo")
    form(page, "redo")

    assert repository.content("c.d") == "two"


def test_conflicts_are_resolved_memory_by_memory(repository: Repository) -> None:
    for path, words in (("a.b", "one"), ("a.b", "two"), ("c.d", "three")):
        repository.remember(words, path, policy="append")
    keys = [f"a.b#{identity}" for identity in ids_of(repository.get("a.b") or ())] + ["c.d"]
    repository.branches.create("other")
    page = browser(repository.path)
    for key, words in zip(keys, ("one", "two", "three"), strict=True):
        form(page, "edit", key=key, content=f"{words} ours")
        form(page, "edit", key=key, content=f"{words} theirs", branch="other")

    names = re.findall(r'name="(choices:[^"]*)" value="[^"]*=ours"', text_of(page, "/merge?source=other"))
    assert len(names) == 3
    picks = {name: f"{name.removeprefix('choices:')}={side}" for name, side in zip(names, SIDES, strict=True)}
    form(page, "merge", source="other", **picks)

    assert repository.content("a.b") == "one ours\ntwo theirs"
    assert repository.content("c.d") == "three ours\nthree theirs"
    commit = repository.store.head().commit
    assert commit and len(commit.parents) == 2


def test_what_was_typed_too_late_is_not_lost(repository: Repository) -> None:
    repository.remember("one", "a.b")
    page = browser(repository.path)
    address = re.findall(r'name="key" value="([^"]*#[0-9a-f]+)"', text_of(page, "/memory?key=a.b"))[0]
    form(page, "edit", key=address, content="two")

    late = page.post("/form/edit", data={"key": address, "content": "mine\nof two lines", "next": "/memory?key=a.b"})

    assert late.status_code == 404
    assert "mine\nof two lines</textarea>" in late.text and 'href="/memory?key=a.b"' in late.text
    assert repository.content("a.b") == "two"


def test_a_form_gives_a_memory_back_as_it_was(repository: Repository) -> None:
    content = "\n  <b>&amp;\ttab\u202e\u200b\n\nend\n"
    repository.remember(content, "a.b")

    text = text_of(browser(repository.path), "/memory?key=a.b")

    (area,) = re.findall(r'<textarea name="content"[^>]*>(.*?)</textarea>', text, re.DOTALL)
    assert unescape(area) == "\n" + content  # of which a browser drops the first line break


@pytest.mark.parametrize(
    "target", ["//evil.example", "https://evil.example", "/\\evil.example", "/a\r\nSet-Cookie: x=y"]
)
def test_no_form_leads_elsewhere(repository: Repository, target: str) -> None:
    answer = browser(repository.path).post("/form/remember", data={"content": "x", "keys": "a.b", "next": target})

    assert answer.status_code == 303 and answer.headers["location"] == "/"


@pytest.mark.parametrize("branch", ["", "other"])
def test_who_fills_in_a_form_is_a_user_and_who_calls_the_api_is_an_agent(repository: Repository, branch: str) -> None:
    repository.remember("It is mine.", "a.b")
    repository.branches.create("other")
    fields = {"branch": branch} if branch else {}

    browser(repository.path).post("/form/remember", data={"content": "It is ours.", "keys": "c.d", **fields})
    browser(repository.path).post("/form/edit", data={"content": "It is theirs.", "key": "a.b", **fields})
    client(repository.path).post("/api/remember", json={"content": "It is its.", "keys": ["e.f"], **fields})

    found = repository.get_many(["a.b", "c.d", "e.f"], at=branch or None)
    origins = [origins_of(memory.metadata) for entry in found for memory in entry.record or ()]
    assert origins == [("agent", "user"), ("user",), ("agent",)]


def test_forms_need_the_page_that_they_are_on(repository: Repository) -> None:
    for origin in ("http://evil.example", "null"):
        answer = browser(repository.path, Origin=origin).post("/form/remember", data={"content": "x", "keys": "a.b"})
        assert answer.status_code == 403
    assert repository.count() == 0


def test_a_read_only_server_offers_no_action(demo: Path) -> None:
    page = browser(demo, read_only=True)

    for path in ("/", "/memory?key=workflow.coding.rounds", "/history", "/inbox", "/merge?source=quick-rounds"):
        assert 'method="post" action' not in text_of(page, path)
    assert page.post("/form/undo", data={"steps": "1"}).status_code == 403


def test_what_is_damaged_is_said_where_it_is_left_out_and_only_there(repository: Repository) -> None:
    repository.remember("sound", "a.good")
    forge = Forge(repository.store)
    rows = dict(repository.store.head().tree.scan()) | {address("a.bad").key: forge.blob(b"{")}
    forge.commit(apply(repository.store.tree(None), rows, forge.pack), lies=False)
    page = browser(repository.path)

    assert "1 damaged record is left out, default:a.bad" in text_of(page, "/?under=a")
    assert "damaged record" not in text_of(page, "/history")
    found, status = page.get("/api/ls?long=1"), page.get("/api/status")
    assert (found.headers["memoir-exit-code"], "memoir-exit-code" in status.headers) == ("7", False)


def test_the_timeline_names_who_wrote_what(demo: Path) -> None:
    text = text_of(browser(demo), "/timeline?by=agent")

    groups = dict(re.findall(r"<h2>([^<]*) <small>\d+</small></h2>(.*?)</section>", text, re.DOTALL))
    assert "workflow.coding.commits" in groups["agent-a"] and "workflow.coding.commits" not in groups["agent-b"]
    assert "user:reviewer:preferences.reviews.tone" in groups["agent-b"]
    assert "workflow.coding.linting" in groups["agent-b"], "the merge by agent-a only carried it"


def test_a_memory_shows_what_it_contradicts_and_nearly_repeats(repository: Repository) -> None:
    repository.remember("We deploy on Fridays.", "project.deploy")
    repository.remember("We deploy on Mondays.", "project.release")
    repository.upkeep.index()
    page = browser(repository.path)

    shown = text_when_ready(page, "/memory/related?key=project.release&part=1")
    assert "Nearly the same" in shown and "project.deploy" in shown
    form(page, "replace", old="default:project.deploy", new="default:project.release")

    assert repository.content("project.deploy") == "We deploy on Mondays."


def test_the_inbox_offers_the_rules_own_path_before_those_that_are_not_near(repository: Repository) -> None:
    text = "Licence of uploaded images defaults to CC BY-NC"
    repository.remember(text, "inbox.unsorted.licence")
    repository.remember("By spring the archive should hold two million images", "goals.images")
    repository.upkeep.index()
    own = repository.suggest(text).categories[0].path

    shown = text_of(browser(repository.path), "/inbox/suggestions?key=inbox.unsorted.licence&part=1")

    assert own != "goals.images" and shown.index(own) < shown.index("goals.images")


def test_a_path_that_the_rules_name_too_is_offered_once(repository: Repository) -> None:
    text, page = "Licence of uploaded images defaults to CC BY-NC", "/inbox/suggestions?key=inbox.unsorted.l&part=1"
    repository.remember(text, "inbox.unsorted.l")
    repository.upkeep.index()
    own = repository.suggest(text).categories[0].path
    before = text_of(browser(repository.path), page).count(own)

    repository.remember("The brand has two colours and a logo", own)
    repository.upkeep.index()
    assert own in {each.path for each in repository.suggest(text).categories}
    assert own in {each.address.path for each in repository.suggest(text).paths}
    assert text_of(browser(repository.path), page).count(own) == before


def test_a_memory_says_in_words_how_it_was_filed(repository: Repository) -> None:
    for path, filing in (("a.b", {"by": "rules", "confidence": 0.98}), ("c.d", {"by": "move", "from": "inbox.x"})):
        repository.remember(Memory.of("We deploy with Nomad", metadata={"filing": filing}), path)
    page = browser(repository.path)

    assert "filed by rules (0.98)" in text_of(page, "/memory?key=a.b")
    assert "moved from inbox.x" in text_of(page, "/memory?key=c.d")


def test_a_page_that_is_not_there_leads_back_to_the_tree(repository: Repository) -> None:
    pages = browser(repository.path), client(repository.path, headers={})

    (missing, barred) = (page.get("/memory?key=no.such.path") for page in pages)

    assert (missing.status_code, barred.status_code) == (404, 401)
    assert 'href="/"' in missing.text and 'href="/"' not in barred.text


@pytest.mark.parametrize(
    ("cookie", "attribute"), [("dark", 'data-theme="dark"'), ("light", 'data-theme="light"'), ("x", None)]
)
def test_the_colours_that_were_chosen_are_those_of_the_page(
    repository: Repository, cookie: str, attribute: str | None
) -> None:
    page = browser(repository.path)
    page.headers["Cookie"] += f"; {THEME}={cookie}"

    head = text_of(page, "/").partition("<head>")[0]

    assert attribute in head if attribute else "data-theme" not in head


def test_signatures_are_checked_when_asked_for(demo: Path) -> None:
    page = browser(demo)

    for path in ("/history?", "/memory?key=workflow.coding.rounds&"):
        assert "not signed" in text_of(page, path + "signatures=1")
        assert "not signed" not in text_of(page, path)
    assert "not signed" in text_of(page, "/commit?revision=HEAD")


@pytest.mark.parametrize("limit", ["²", "9" * 5000, "0", "-1", "many"])
def test_a_limit_that_is_no_number_of_hits_spoils_no_page(demo: Path, limit: str) -> None:
    answer = browser(demo).get("/ask", params={"q": "rounds", "a_limit": limit})

    assert answer.status_code == 200


@pytest.mark.parametrize("path", ["/", "/ask", "/history", "/health"])
def test_a_page_that_is_no_part_of_another_comes_whole(demo: Path, path: str) -> None:
    answer = browser(demo).get(path, params={"part": "1"})

    assert answer.status_code == 200 and "</nav>" in answer.text
