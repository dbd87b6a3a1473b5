// Makes the pages live: search as you type, keys, parts that are loaded later, and news of other writers.
// Every page works without it.

const byId = (id) => document.getElementById(id);
const isTyping = () => /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "");
const isOpen = () => byId("help").open;

const AGAIN = 1000;

async function fragment(url) {
  const answer = await fetch(url, { headers: { Accept: "text/html" } });
  return answer.ok && answer.status !== 202 ? answer.text() : null;
}

// Search as you type: the server's own list of paths and memories.
function search() {
  const field = byId("q"), found = byId("found"), form = field.form;
  let timer, asked = 0;
  const close = () => { found.hidden = true; };
  const show = async () => {
    const number = ++asked;
    const query = new URLSearchParams(new FormData(form));
    query.set("part", "1");
    const html = field.value.trim() ? await fragment(`/find?${query}`) : "";
    if (number !== asked) return;
    found.innerHTML = html ?? "";
    found.hidden = !html;
  };
  field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(show, 150); });
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" && !found.hidden) { event.preventDefault(); found.querySelector("a")?.focus(); }
    if (event.key === "Escape") { close(); field.blur(); }
  });
  found.addEventListener("keydown", (event) => {
    const links = [...found.querySelectorAll("a")], at = links.indexOf(document.activeElement);
    if (event.key === "ArrowDown") { event.preventDefault(); links[at + 1]?.focus(); }
    if (event.key === "ArrowUp") { event.preventDefault(); (links[at - 1] ?? field).focus(); }
    if (event.key === "Escape") { close(); field.focus(); }
  });
  document.addEventListener("click", (event) => { if (!form.contains(event.target)) close(); });
}

// Parts of a page that the server takes longer for; as long as it still works on one, it answers 202.
async function loadPart(part) {
  const answer = await fetch(part.dataset.load, { headers: { Accept: "text/html" } });
  if (!answer.ok || !part.isConnected) return;
  const html = await answer.text();
  if (answer.status !== 202 || !part.querySelector(".working")) part.innerHTML = html;
  if (answer.status === 202) setTimeout(loadPart, AGAIN, part);
}
const loadParts = (root) => root.querySelectorAll("[data-load]").forEach(loadPart);

// A page that is being worked on is read again until it is there.
async function renew(isBusy) {
  const html = await fragment(location.href), main = byId("main");
  if (html === null || isBusy()) return;
  const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("main");
  if (fresh) { main.replaceChildren(...fresh.childNodes); loadParts(main); }
}
async function awaitPage() {
  if (!document.querySelector("[data-working]")) return;
  await renew(() => false);
  setTimeout(awaitPage, AGAIN);
}

// Keys.
function keys() {
  let before = "", entry = -1;
  const go = (letter) => document.querySelector(`nav a[data-go="${CSS.escape(letter)}"]`)?.click();
  const move = (by) => {
    const entries = [...document.querySelectorAll("main .entry")].filter((each) => each.offsetParent);
    if (!entries.length) return;
    entry = Math.min(Math.max(entry + by, 0), entries.length - 1);
    entries[entry].focus();
  };
  const actions = {
    "/": () => byId("q").focus(),
    "?": () => byId("help").showModal(),
    j: () => move(1),
    k: () => move(-1),
    e: () => {
      const panel = document.querySelector('[data-key="e"]');
      if (panel) { panel.open = true; panel.querySelector("textarea, input:not([type=hidden])")?.focus(); }
    },
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && isTyping()) return document.activeElement.blur();
    if (isTyping() || isOpen()) return;
    if (before === "g" && /^[a-z]$/.test(event.key)) { before = ""; return go(event.key); }
    before = event.key;
    if (actions[event.key]) { event.preventDefault(); actions[event.key](); }
  });
  const button = byId("keys");
  button.hidden = false;
  button.addEventListener("click", actions["?"]);
}

// News: another tab or program has written. The page is read again, unless somebody is at work on it.
function news() {
  const banner = byId("news"), main = byId("main");
  const isBusy = () => isTyping() || isOpen() || main.querySelector("details.panel[open], textarea:not(:placeholder-shown)");
  let source = null;
  const listen = () => {
    const view = new URLSearchParams(location.search);
    if (view.get("at")) return;
    source = new EventSource(`/api/events?${new URLSearchParams({ branch: view.get("branch") ?? "" })}`);
    source.addEventListener("commit", (event) => {
      const commit = JSON.parse(event.data);
      banner.querySelector("span").textContent = `${commit.author}: ${commit.message.split("\n")[0]}`;
      banner.hidden = false;
      if (!isBusy()) renew(isBusy);
    });
  };
  // A hidden tab gives its connection back: a browser has few for each server.
  const follow = () => { source?.close(); source = null; if (!document.hidden) listen(); };
  document.addEventListener("visibilitychange", follow);
  follow();
}

// Light or dark: without a choice, and without this script, as the system says.
function theme() {
  const label = byId("theme"), field = label.querySelector("select");
  label.hidden = false;
  field.addEventListener("change", () => {
    document.cookie = `memoir-theme=${field.value}; path=/; samesite=strict; max-age=${field.value ? 31536000 : 0}`;
    if (field.value) document.documentElement.dataset.theme = field.value;
    else delete document.documentElement.dataset.theme;
  });
}

function forms() {
  for (const field of document.querySelectorAll(".view select")) field.addEventListener("change", () => field.form.submit());
  document.addEventListener("submit", (event) => {
    const ask = event.target.dataset.ask;
    if (ask && !confirm(ask)) event.preventDefault();
  });
}

document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
search();
keys();
forms();
theme();
loadParts(document);
awaitPage();
news();
