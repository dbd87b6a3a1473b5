"""Writes the files that are made from others: completions, man pages, schemas, tables of the docs, evidence.

    python scripts/generate.py            writes completions/, man/, docs/schema/, the tables of docs/,
                                          clients/typescript/answers.d.ts, memoir/*.pyi,
                                          memoir/filing/evidence_default.txt and memoir/english/lexicon/table.txt
    python scripts/generate.py --check    lists the files that differ, and exits 1 if there are any

`manpages.py` reads the command tree and `docs/manual.toml`, `schemas.py` the types of the answers, `tables.py` the
settings and the errors; the default taxonomy gives the classifier's evidence. Nothing depends on the day: the same
sources give the same bytes.
"""

import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

import lexicon
import manpages
import openapi
import schemas
import tables
import typescript
from typer._completion_shared import get_completion_script

import memoir
from memoir import types
from memoir.filing.evidence import DEFAULT_FILE, compiled
from memoir.taxonomy import catalogue

PROJECT = Path(__file__).resolve().parent.parent
MANUAL = PROJECT / "docs" / "manual.toml"
SCHEMA = PROJECT / "docs" / "schema"


def main(arguments: list[str]) -> int:
    """Write the files, or with `--check` only compare them; returns the exit status."""
    schemas = schema_files()
    own = {**completions(), **man_pages(), **schemas, **types_of_client(schemas)}
    files = {**own, **tables_of_docs(), **evidence_file(), **lexicon_file(), **openapi_file(), **stubs()}
    stale_paths = sorted({path for path in [*files, *_present()] if _read(path) != files.get(path)})
    for path in stale_paths:
        sys.stdout.write(f"{path.relative_to(PROJECT)}\n")
        if "--check" not in arguments:
            _write(path, files.get(path))
    return int(bool(stale_paths) and "--check" in arguments)


def _present() -> list[Path]:
    paths = [path for folder in ("completions", "man") for path in (PROJECT / folder).glob("[!.]*")]
    return paths + list(SCHEMA.glob("*.json"))


def _read(path: Path) -> str | None:
    return path.read_text("utf-8") if path.exists() else None


def _write(path: Path, text: str | None) -> None:
    if text is None:
        path.unlink()
    else:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")


_BASH = r"""_memoir_completion() {
    local IFS=$'\n' words=() last=-1 word line=${COMP_LINE:0:COMP_POINT}
    # bash ends a word at each colon: join what the line has together, and answer with what follows the last colon.
    for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
        if [[ $last -ge 0 && $word${words[last]} == *[:=]* && $line == *"${words[last]}$word"* ]] &&
            [[ $word || $line != *" " ]]; then words[last]+=$word
        else words[++last]=$word
        fi
    done
    COMPREPLY=( $( env COMP_WORDS="${words[*]}" COMP_CWORD=$last _MEMOIR_COMPLETE=complete_bash $1 ) )
    [[ $COMP_WORDBREAKS != *:* || ${words[last]} != *:* ]] || COMPREPLY=( "${COMPREPLY[@]#"${words[last]%:*}:"}" )
}

complete -o default -F _memoir_completion memoir
"""


def completions() -> dict[Path, str]:
    """The scripts, one a shell; but for bash they are Typer's. They ask memoir, so they know every option and key."""
    names = {"zsh": "_memoir", "fish": "memoir.fish"}
    scripts = {PROJECT / "completions" / name: _completion(shell) for shell, name in names.items()}
    scripts[PROJECT / "completions" / "memoir.bash"] = _BASH
    zsh = PROJECT / "completions" / "_memoir"
    # zsh loads the file as the function _memoir at the first Tab: it has to answer that one too.
    scripts[zsh] = scripts[zsh].replace(
        "compdef _memoir_completion memoir",
        'if [ "$funcstack[1]" = "_memoir" ]; then\n  _memoir_completion\nfi\n'
        # Sourced in a shell without a completion system, as in 'zsh -f', it brings that along.
        "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i -D }\n"
        "compdef _memoir_completion memoir",
    )
    return scripts


def _completion(shell: str) -> str:
    return get_completion_script(prog_name="memoir", complete_var="_MEMOIR_COMPLETE", shell=shell) + "\n"


def man_pages() -> dict[Path, str]:
    """memoir(1), and a page for every command."""
    manual = tomllib.loads(MANUAL.read_text("utf-8"))
    return {PROJECT / "man" / f"{name}.1": text for name, text in manpages.pages(manual)}


def schema_files() -> dict[Path, str]:
    """A schema for every command's answers, for the shapes that they share, and for the lines of streams."""
    return {SCHEMA / f"{name}.json": text for name, text in schemas.schemas()}


def types_of_client(schemas: Mapping[Path, str]) -> dict[Path, str]:
    """The types of the answers for the client in TypeScript."""
    texts = {path.stem: text for path, text in schemas.items()}
    return {PROJECT / "clients" / "typescript" / "answers.d.ts": typescript.types(texts)}


def tables_of_docs() -> dict[Path, str]:
    """The pages of docs/ that contain generated parts, with these parts made anew."""
    pages = [path for path in (PROJECT / "docs").rglob("*.md") if tables.MARK in path.read_text("utf-8")]
    return {path: tables.renew(path.read_text("utf-8")) for path in pages}


def openapi_file() -> dict[Path, str]:
    """The description of the HTTP API, as the server sends it."""
    return {openapi.FILE: openapi.document()}


def stubs() -> dict[Path, str]:
    """The public names as type checkers read them: `memoir` and `memoir.types` import each only when it is used."""
    return {Path(module.__file__ or "").with_suffix(".pyi"): _stub(module) for module in (memoir, types)}


def _stub(module: ModuleType) -> str:
    homes = dict.fromkeys(module.HOMES.values())
    names = {home: [name for name in module.HOMES if module.HOMES[name] == home] for home in homes}
    lines = [f"from {home} import {', '.join(f'{name} as {name}' for name in names[home])}" for home in homes]
    head = f'"""Made of the table in `{Path(module.__file__ or "").name}` by scripts/generate.py."""'
    own = ["from memoir import types as types"] if module is memoir else []
    return "\n".join([head, "", *own, *lines, "", "HOMES: dict[str, str]", "__all__: list[str]", ""])


def lexicon_file() -> dict[Path, str]:
    """The compiled lexicon."""
    return {lexicon.FILE: lexicon.text()}


def evidence_file() -> dict[Path, str]:
    """What speaks for each category of the default taxonomy, in the form that the classifier reads."""
    return {DEFAULT_FILE: compiled(catalogue.default()).dumps()}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
