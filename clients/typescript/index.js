/**
 * A client of memoir: one process of `memoir batch`, and a method for each of the usual commands.
 *
 * Commands run in the order in which they are called. Each promise settles with the object that the command prints with
 * `--json`, or rejects with a `MemoirError`. The types are in index.d.ts.
 */

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** A command that failed: its code, hint and exit status, as docs/contract.md lists them. */
export class MemoirError extends Error {
  constructor(message, { code = "failure", hint = null, status = 1, answer = null } = {}) {
    super(message);
    this.name = "MemoirError";
    this.code = code;
    this.hint = hint;
    this.status = status;
    this.answer = answer;
  }
}

/** memoir, for one store. Call `close()` when it is not needed any more, or use `await using`. */
export class Memoir {
  #options;
  #process = null;
  #waiting = new Map();
  #next = 1;
  #words = "";

  constructor(options = {}) {
    this.#options = { command: "memoir", env: {}, ...options };
  }

  /** Run any command: `run("log", ["-l", "3"])`. */
  run(command, args = [], { stdin } = {}) {
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      const line = JSON.stringify({ id, args: [command, ...args.map(String)], ...(stdin === undefined ? {} : { stdin }) });
      try {
        const child = this.#start();
        this.#waiting.set(id, { resolve, reject });
        child.ref();
        child.stdin.write(line + "\n");
      } catch (error) {
        reject(error);
      }
    });
  }

  /** Store a memory, at one or more paths, or at the one that memoir finds. */
  remember(content, { path, confidence, metadata, policy, kind, link, ...common } = {}) {
    const pairs = Object.entries(metadata ?? {}).flatMap(([name, value]) => [value].flat().map((one) => `${name}=${one}`));
    const args = [
      ...many("-p", path), ...one("--confidence", confidence), ...many("--meta", pairs),
      ...one("--merge-policy", policy), ...one("--kind", kind), ...many("--link", link), ...shared(common),
    ];
    return this.run("remember", ["-", ...args], { stdin: content });
  }

  /** Find the memories that answer a question. */
  recall(query, { limit, maxChars, mode, person, since, until, keys, strict, ...common } = {}) {
    const args = [
      ...one("--limit", limit), ...one("--max-chars", maxChars), ...one("--mode", mode), ...many("--person", person),
      ...one("--since", since), ...one("--until", until), ...many("--keys", keys), ...flag("--strict", strict),
      ...shared(common),
    ];
    return this.run("recall", ["-", ...args], { stdin: query });
  }

  /** Read memories by key, by glob, or with `prefix` everything below. */
  get(keys, { prefix, ...common } = {}) {
    return this.run("get", [...flag("--prefix", prefix), ...shared(common), "--", ...[keys].flat()]);
  }

  /** Count the memories below each path. */
  summarize({ depth, keys, ...common } = {}) {
    return this.run("summarize", [...one("--depth", depth), ...many("--keys", keys), ...shared(common)]);
  }

  /** Every version of a path, newest first. */
  blame(key, { limit, signatures, ...common } = {}) {
    return this.run("blame", [...one("--limit", limit), ...flag("--signatures", signatures), ...shared(common), "--", key]);
  }

  /** What differs between two revisions; by default what the last commit changed. */
  diff(from, to, { keys, ...common } = {}) {
    const revisions = [from, to].filter((revision) => revision !== undefined);
    return this.run("diff", [...many("--keys", keys), ...shared(common), ...revisions]);
  }

  /** End the process, once every command that was called is answered. */
  async close() {
    const child = this.#process;
    if (child === null) return;
    this.#process = null;
    const ended = new Promise((resolve) => child.once("close", resolve));
    child.ref();
    child.stdin.end();
    await ended;
  }

  async [Symbol.asyncDispose ?? Symbol("asyncDispose")]() {
    await this.close();
  }

  #start() {
    if (this.#process !== null) return this.#process;
    const { command, store, branch, global: isGlobal, cwd, env } = this.#options;
    const args = [...one("--store", store), ...one("--branch", branch), ...flag("--global", isGlobal), "batch"];
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "pipe"] });
    this.#process = child;
    this.#words = "";
    createInterface({ input: child.stdout, crlfDelay: Infinity }).on("line", (line) => this.#answer(child, line));
    child.stderr.setEncoding("utf8").on("data", (text) => { this.#words = (this.#words + text).slice(-4000); });
    child.stdin.on("error", () => {}); // the process has ended, which `close` reports
    child.once("error", (error) => this.#end(child, `${command} cannot be run: ${error.message}`));
    child.once("close", (status, signal) => this.#end(child, `memoir ended (${signal ?? status}) ${this.#words}`.trim()));
    return child;
  }

  #answer(child, line) {
    const { id, status, answer } = JSON.parse(line);
    const promise = this.#waiting.get(id);
    if (promise === undefined) return;
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) child.unref();
    if (answer.success) promise.resolve(answer);
    else promise.reject(new MemoirError(answer.error.message, { ...answer.error, status, answer }));
  }

  #end(child, reason) {
    if (this.#process === child) this.#process = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new MemoirError(reason));
  }
}

const one = (name, value) => (value === undefined || value === null ? [] : [`${name}=${value}`]);
const many = (name, values) => (values === undefined ? [] : [values].flat().flatMap((value) => [name, String(value)]));
const flag = (name, isSet) => (isSet ? [name] : []);
const shared = ({ namespace, at, branch, ...unknown }) => {
  const names = Object.keys(unknown);
  if (names.length) throw new TypeError(`unknown option: ${names[0]}`);
  return [...many("-n", namespace), ...one("--at", at), ...one("--branch", branch)];
};
