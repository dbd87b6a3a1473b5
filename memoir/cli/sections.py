"""The help page's sections: what belongs together, in the order in which a newcomer needs it."""

SECTIONS = {
    "Start": ("init", "clone", "status", "config"),
    "Remember": ("remember", "edit", "mv", "forget", "import", "classify", "consolidate", "taxonomy"),
    "Find and read": ("recall", "get", "ls", "grep", "summarize", "explain", "timeline", "why"),
    "Look back, take back": ("log", "show", "blame", "diff", "restore", "revert", "undo", "redo", "reflog"),
    "Branch and merge": ("branch", "checkout", "merge", "tag"),
    "Share": ("remote", "push", "fetch", "pull", "export"),
    "Maintain": ("fsck", "gc", "index", "embed", "version", "help"),
}

EXAMPLES = """\
Examples:
  memoir init
  memoir remember "Use pytest, not unittest." -p preferences.coding.testing
  memoir recall "how do we test?"
  memoir blame preferences.coding.testing
"""
