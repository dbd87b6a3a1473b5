import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { Memoir, MemoirError } from "../index.js";

const command = process.env.MEMOIR ?? "memoir";
let folder, memoir;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-client-"));
  const env = { HOME: join(folder, "home"), MEMOIR_EMBED_PROVIDER: "static", MEMOIR_STORE_GLOBAL: "off", MEMOIR_AUTHOR: "Tess <t@example.org>" };
  memoir = new Memoir({ command, store: folder, cwd: folder, env });
  await memoir.run("init", [folder]);
});

after(async () => {
  await memoir.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

test("a memory is stored, found, read and traced", async () => {
  const stored = await memoir.remember("Use pytest,\nnot unittest.", { path: "preferences.tests", metadata: { tag: ["a", "b"] } });
  assert.equal(stored.full_key, "default:preferences.tests");
  const found = await memoir.recall("how do we test?", { limit: 3 });
  assert.equal(found.memories[0].content, "Use pytest,\nnot unittest.");
  const [item] = (await memoir.get("preferences.tests")).items;
  assert.deepEqual(item.value.metadata, { tag: ["a", "b"] });
  assert.equal((await memoir.summarize({ depth: 1 })).prefix_counts.default.preferences, 1);
  assert.equal((await memoir.blame("preferences.tests")).entries[0].author, "Tess");
  assert.equal((await memoir.diff()).changes[0].operation, "added");
});

test("text that looks like an option or a number is text", async () => {
  await memoir.remember("--json -p x", { path: "notes.odd", policy: "replace" });
  assert.equal((await memoir.get(["notes.odd"])).items[0].value.content, "--json -p x");
  await assert.rejects(memoir.get("--prefix"), { status: 2 });
});

test("calls that are not awaited are answered in order", async () => {
  const writes = Array.from({ length: 20 }, (_, n) => memoir.remember(`fact ${n}`, { path: `many.n${n}` }));
  const reads = await Promise.all([...writes, memoir.get("many", { prefix: true })]);
  assert.equal(reads.at(-1).items.length, 20);
});

test("a failure is an error with code, hint and status, and the next command works", async () => {
  const failed = await memoir.blame("no.such.path").catch((error) => error);
  assert.ok(failed instanceof MemoirError);
  assert.deepEqual([failed.code, failed.status, failed.answer.command], ["not_found", 4, "blame"]);
  assert.equal((await memoir.run("log", ["-l", 1])).count, 1);
  await assert.rejects(async () => memoir.get("a.b", { nmespace: "x" }), TypeError);
});

test("branches and namespaces are options of every call", async () => {
  await memoir.run("branch", ["side"]);
  await memoir.remember("on the side", { path: "notes.side", branch: "side", namespace: "user:ada" });
  assert.equal((await memoir.get("notes.side", { namespace: "user:ada" })).found_count, 0);
  assert.equal((await memoir.get("notes.side", { namespace: "user:ada", branch: "side" })).found_count, 1);
});

test("a program that is missing, or ends, rejects what waits; the next call starts it again", async () => {
  await assert.rejects(new Memoir({ command: join(folder, "no-such-program") }).get("a.b"), /cannot be run/);
  const other = new Memoir({ command: "false" });
  await assert.rejects(other.get("a.b"), /memoir ended/);
  await other.close();
  const again = new Memoir({ command, cwd: folder, env: { HOME: join(folder, "home") } });
  assert.equal((await again.run("version")).command, "version");
  await again.close();
  assert.equal((await again.run("version")).command, "version");
  await again.close();
});
