"""Words that are near in meaning, and short forms with long ones: a question may have one, and a memory the other.

The list of synonyms was made from a model's vectors of single words (`scripts/distil.py`), so it has
opposites and words for the same sort of thing as well.
"""

from pathlib import Path

from memoir.english.lexicon.table import contents, lines_after

# Short forms of the trade, and what they stand for.
_TABLE = """
a11y: accessibility
admin: administrator
app: application
arg: argument
args: arguments
async: asynchronous
auth: authentication
authn: authentication
authz: authorization
ci: continuous integration
cli: command line
config: configuration
creds: credentials
cve: vulnerability
db: database
dep: dependency
deps: dependencies
dev: development
dir: directory
doc: documentation
docs: documentation
e2e: end to end
env: environment
eol: end of life
fmt: format
func: function
gc: garbage collection
i18n: internationalization
impl: implementation
infra: infrastructure
js: javascript
k8s: kubernetes
l10n: localization
lib: library
libs: libraries
lts: long term support
mr: merge request
msg: message
msrv: minimum supported version
mvp: minimum viable product
ns: namespace
oom: out of memory
os: operating system
param: parameter
params: parameters
perf: performance
pr: pull request
prod: production
py: python
ref: reference
refs: references
regex: regular expression
repo: repository
sdk: development kit
spec: specification
src: source
stdlib: standard library
tmp: temporary
ts: typescript
ttl: time to live
tz: timezone
ui: user interface
util: utility
var: variable
vars: variables
vm: virtual machine
vuln: vulnerability
wip: draft
"""
_PAIRS = tuple(line.split(": ") for line in _TABLE.split("\n") if line)


def other_forms(words: str) -> list[str]:
    """The words of the other forms, short or long, of what stands in some words in small letters, each once."""
    text = f" {words} "
    forms = [long for short, long in _PAIRS if f" {short} " in text]
    forms += [short for short, long in _PAIRS if f" {long} " in text]
    return [word for word in dict.fromkeys(" ".join(forms).split()) if f" {word} " not in text]


FILE = Path(__file__).with_name("synonyms.txt")
"""Sorted lines: a word in small letters, and its synonyms, the nearest first. None is a form of another in its line."""


def synonyms(word: str) -> list[str]:
    """The synonyms of a word in small letters, the nearest first; most rare words have none."""
    lines = lines_after(contents(FILE, "the list of synonyms"), f"{word} ")
    return lines[0].split() if lines else []
