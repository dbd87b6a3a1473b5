"""Documents are converted in a process of their own, and what is made to harm is refused."""

from contextlib import suppress
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from memoir.errors import InvalidInput
from memoir.layers import conversion
from memoir.layers.conversion import convert

OFFICE = "http://schemas.openxmlformats.org"
PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{OFFICE}/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/word/document.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{OFFICE}/package/2006/relationships"><Relationship Id="r" '
    f'Type="{OFFICE}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    "word/document.xml": f'<w:document xmlns:w="{OFFICE}/wordprocessingml/2006/main"><w:body>'
    '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Guide</w:t></w:r></w:p>'
    "<w:p><w:r><w:t>The server listens on port 8443.</w:t></w:r></w:p></w:body></w:document>",
}


def archive(path: Path, parts: dict[str, str | bytes]) -> Path:
    with ZipFile(path, "w", ZIP_DEFLATED) as file:
        for name, text in parts.items():
            file.writestr(name, text)
    return path


def test_a_docx_becomes_markdown(tmp_path: Path) -> None:
    pytest.importorskip("markitdown", reason="the extra 'documents' is not installed")

    text = convert(archive(tmp_path / "guide.docx", dict(PARTS))).decode()

    assert text.split("\n\n") == ["# Guide", "The server listens on port 8443."]


def test_a_damaged_document_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("markitdown", reason="the extra 'documents' is not installed")

    with pytest.raises(InvalidInput, match="cannot be converted"):
        convert(archive(tmp_path / "guide.docx", {"word/document.xml": "<w:document"}))


def test_a_zip_bomb_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversion, "find_spec", lambda name: True)
    monkeypatch.setattr(conversion, "_convert_apart", lambda file: pytest.fail("it was opened"))
    monkeypatch.setattr(conversion, "MAX_UNPACKED", 4 << 20)
    bomb = archive(tmp_path / "bomb.docx", {"word/document.xml": b"0" * (5 << 20)})

    with pytest.raises(InvalidInput, match="unpacks to more than 4 MiB"):
        convert(bomb)
    (tmp_path / "no.docx").write_text("no archive")
    with pytest.raises(InvalidInput, match="not a DOCX file"):
        convert(tmp_path / "no.docx")


def test_without_the_extra_the_error_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversion, "find_spec", lambda name: None)

    with pytest.raises(InvalidInput) as error:
        convert(tmp_path / "guide.pdf")

    assert error.value.hint == "install it: pip install 'memoir[documents]'"


def test_the_folder_that_one_works_in_brings_no_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("memoir/__init__.py", "memoir/layers/__init__.py", "memoir/layers/limits.py", "resource.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"open({str(tmp_path / 'harm')!r}, 'w')")
    (tmp_path / "a.html").write_text("<p>text</p>")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(conversion, "find_spec", lambda name: True)

    with suppress(InvalidInput):  # markitdown may be missing
        convert(Path("a.html"))

    assert not (tmp_path / "harm").exists()
