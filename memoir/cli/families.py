"""The families of commands: the one list for the help, the man page, the docs, `memoir.answers` and the tests.

The module in `memoir.answers` that makes a family's answers, and its test file, have the family's name.
"""

HEADINGS = {
    "write": "Write",
    "recall": "Recall",
    "read": "Read",
    "filing": "File and tidy",
    "sources": "Ingest conversations and documents",
    "layers": "Connect and understand",
    "code": "Keep up with the code",
    "history": "Look back and undo",
    "trust": "Prove and purge",
    "branches": "Branch and merge",
    "sync": "Share and transfer",
    "agents": "Work with agents",
    "explorer": "Look and serve",
    "store": "Set up and maintain",
}
"""The heading of each family in the help."""
FAMILIES = {
    "write": {
        "remember": "Store a memory at one or more paths.",
        "edit": "Change a memory in your editor.",
        "replace": "Replace an older memory by a newer one.",
        "mv": "Move a memory, or a whole prefix, to another path.",
        "forget": "Remove memories; history keeps them.",
        "restore": "Bring a memory back as it was at a revision.",
        "pin": "Pin memories: every agent's session begins with them.",
        "unpin": "Unpin memories.",
    },
    "recall": {
        "recall": "Find the memories that answer a question.",
        "explain": "Show why a memory ranks where it does for a question.",
        "timeline": "Show memories by the time they were learnt.",
        "eval": "Measure how well recall finds the expected memories.",
    },
    "read": {
        "get": "Read memories by path.",
        "ls": "List the paths under a prefix, with -l their memories.",
        "grep": "Find memories whose content matches a pattern.",
        "summarize": "Show what is stored, as counts and keys.",
    },
    "filing": {
        "suggest": "Find the paths that are nearest to a text.",
        "classify": "File the memories in the inbox.",
        "consolidate": "Mark near-duplicates as superseded.",
        "taxonomy": "Show and change the categories that memories are filed under.",
        "lexicon": "Show and change the store's own words: the project's names for things.",
    },
    "sources": {
        "ingest": "Store conversations and documents as segments, and the memories found in them.",
        "sources": "List the sources that were ingested, or remove one.",
    },
    "layers": {
        "entities": "List the people and things that memories name.",
        "related": "Show the memories related to one, and why.",
        "threads": "List the topics that memories came back to over time.",
        "thread": "Show one thread: its memories by date.",
        "insights": "Show or build insights: what memories mean as a whole.",
    },
    "code": {
        "about": "Show the memories about a file of the project.",
        "stale": "List the memories whose code has changed.",
        "confirm": "Confirm that a memory still holds for its present code.",
        "review": "Show how a change affects memory, for its review.",
    },
    "history": {
        "log": "Show the commits, or those that changed one path.",
        "show": "Show a commit, or a memory as it was.",
        "blame": "Show every version of a path: who, when, what.",
        "diff": "Compare two revisions.",
        "why": "Show what led to a memory, by its links.",
        "revert": "Undo one commit in a new one.",
        "undo": "Take back the branch's last change.",
        "redo": "Reverse an undo.",
        "reflog": "List the states that undo can reach.",
    },
    "trust": {
        "prove": "Print a proof that a commit has a memory at a key, or none.",
        "verify": "Check a proof; needs no store.",
        "purge": "Remove text from all history; nothing brings it back.",
    },
    "branches": {
        "branch": "List, create, rename or delete branches.",
        "checkout": "Switch to a branch.",
        "merge": "Merge another branch, memory by memory.",
        "tag": "List, create or delete tags.",
    },
    "sync": {
        "clone": "Clone a store from a URL.",
        "remote": "Add, remove, change and list remotes.",
        "push": "Send commits to a remote.",
        "fetch": "Get commits from a remote.",
        "pull": "Fetch, and merge into the current branch.",
        "sync": "Fetch, put your commits on top, and push.",
        "fold": "Merge writers' own refs into the remote's branch.",
        "import": "Import memories from JSON lines, or from another tool.",
        "export": "Export memories as JSON lines, or for another tool.",
    },
    "agents": {
        "setup": "Set up the host of an agent, such as Claude Code.",
        "prime": "Print what an agent should know when a session begins.",
        "hook": "Answer an event of an agent's host; never fails.",
        "capture": "Keep the texts of sessions, and remember what is worth it.",
        "doctor": "Check that everything works, and say how to repair it.",
        "batch": "Run many commands in one process: JSON lines in, JSON lines out.",
        "mcp": "Serve the store to an agent over the Model Context Protocol.",
    },
    "explorer": {
        "ui": "Open the explorer, the pages that show a store.",
        "serve": "Serve the store as an HTTP API.",
    },
    "store": {
        "init": "Create a store in a folder.",
        "status": "Describe the store.",
        "config": "Read and change settings.",
        "index": "Complete or rebuild the index that recall ranks by.",
        "embed": "Install and show the embedder, which turns texts into vectors.",
        "fsck": "Check every object and invariant of the store.",
        "gc": "Pack the store as small as possible.",
        "version": "Show the versions of memoir, Python, git and the store format.",
        "help": "Describe a command, or the whole command tree.",
    },
}
"""The commands of each family with their summaries, in the order of `memoir help --all`."""

COMMANDS = {name: summary for family in FAMILIES.values() for name, summary in family.items()}
"""The summary of each command, by its name, family after family."""

FIRST = frozenset((
    "init", "remember", "recall", "get", "ls", "summarize", "edit", "forget", "mv",
    "log", "diff", "blame", "undo", "branch", "merge", "sync", "setup",
))  # fmt: skip
"""The common commands, which `memoir --help` lists; `memoir help --all` lists every one."""
