import type { Answers, Failure } from "./answers.js";

export type * from "./answers.js";

export interface Options {
  /** The program; by default `memoir`, found on the PATH. */
  command?: string;
  /** The folder that holds `.memoir/`; by default the nearest one above `cwd`. */
  store?: string;
  /** The branch to read and write, without switching to it. */
  branch?: string;
  /** Use the user's own store. */
  global?: boolean;
  /** Where the process runs. */
  cwd?: string;
  /** Further environment variables. */
  env?: Record<string, string>;
}

export interface Common {
  namespace?: string | string[];
  /** A revision or date to read at. */
  at?: string;
  branch?: string;
}

export interface RememberOptions extends Omit<Common, "at"> {
  path?: string | string[];
  confidence?: number;
  metadata?: Record<string, string | number | (string | number)[]>;
  policy?: "append" | "replace" | "confidence_gated" | "reject" | "llm_merge";
  kind?: string;
  /** `EDGE=PATH`, such as `derives_from=debugging.ci.timeouts`. */
  link?: string | string[];
}

export interface RecallOptions extends Common {
  limit?: number;
  maxChars?: number;
  mode?: "simple" | "single" | "tiered" | "deep" | "agent";
  person?: string | string[];
  since?: string;
  until?: string;
  /** Patterns of paths. */
  keys?: string | string[];
  /** Leave out what has no evidence. */
  strict?: boolean;
}

/** A command that failed. */
export class MemoirError extends Error {
  readonly code: Failure["error"]["code"];
  readonly hint: string | null;
  /** The exit status that the command would have had. */
  readonly status: number;
  /** The whole answer; null if the process itself failed. */
  readonly answer: Failure | null;
}

/** memoir, for one store: one process, which starts with the first command. */
export class Memoir {
  constructor(options?: Options);
  remember(content: string, options?: RememberOptions): Promise<Answers["remember"]>;
  recall(query: string, options?: RecallOptions): Promise<Answers["recall"]>;
  get(keys: string | string[], options?: Common & { prefix?: boolean }): Promise<Answers["get"]>;
  summarize(options?: Common & { depth?: number; keys?: string | string[] }): Promise<Answers["summarize"]>;
  blame(key: string, options?: Common & { limit?: number; signatures?: boolean }): Promise<Answers["blame"]>;
  diff(from?: string, to?: string, options?: Omit<Common, "at"> & { keys?: string | string[] }): Promise<Answers["diff"]>;
  /** Run any command: its name, its arguments, and what it reads as standard input. */
  run<Name extends keyof Answers>(
    command: Name,
    args?: readonly (string | number)[],
    options?: { stdin?: string },
  ): Promise<Answers[Name]>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
