"""Files of other tools, as tests write them."""

from pathlib import Path


def write_files(folder: Path, files: dict[str, str]) -> Path:
    """Write some files below a folder, by their names; returns the folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
    return folder
