"""Documents are converted in a process of their own, and what is made to harm is refused."""

import tracemalloc
import zlib
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from memoir.errors import InvalidInput
from memoir.secrets.secrets import strip_private
from memoir.sources import conversion
from memoir.sources.conversion import convert
from memoir.sources.reading import read_source

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


def archive(parts: dict[str, str | bytes]) -> bytes:
    data = BytesIO()
    with ZipFile(data, "w", ZIP_DEFLATED) as file:
        for name, text in parts.items():
            file.writestr(name, text)
    return data.getvalue()


@pytest.fixture
def markitdown() -> None:
    pytest.importorskip("markitdown", reason="the extra 'documents' is not installed")


@pytest.mark.usefixtures("markitdown")
def test_a_docx_becomes_markdown() -> None:
    text = convert("guide.docx", archive(dict(PARTS))).decode()

    assert text.split("\n\n") == ["# Guide", "The server listens on port 8443."]


@pytest.mark.usefixtures("markitdown")
def test_html_in_any_charset_becomes_markdown() -> None:
    page = '<html><head><meta charset="iso-8859-1"></head><body><h1>Café</h1><p>Öffnet um acht.</p></body></html>'

    assert convert("page.HTML", page.encode("latin-1")).decode() == "# Café\n\nÖffnet um acht."


@pytest.mark.usefixtures("markitdown")
def test_what_is_private_in_a_page_does_not_come_out_of_its_conversion() -> None:
    page = "<h1>Plan</h1><p>We sail.</p><Private><p>Mine.</p></private>"
    page += "<p>&lt;private&gt;Mine.&lt;/private&gt; At dawn.</p>"

    text, passages = strip_private(convert("page.html", page.encode()).decode())

    assert text == "# Plan\n\nWe sail.\n\n…\n\n… At dawn."
    assert len(passages) == 2


@pytest.mark.usefixtures("markitdown")
def test_a_damaged_document_is_refused() -> None:
    with pytest.raises(InvalidInput, match="cannot be converted"):
        convert("guide.docx", archive({"word/document.xml": "<w:document"}))


@pytest.mark.usefixtures("markitdown")
def test_what_is_named_like_a_pdf_and_is_none_or_is_damaged_is_refused() -> None:
    with pytest.raises(InvalidInput, match="is not a PDF file"):
        convert("guide.pdf", b"Some text.\n")
    with pytest.raises(InvalidInput, match="cannot be converted"):
        convert("guide.pdf", b"%PDF-1.4\nSome text.\n")


def test_a_document_without_text_is_said_to_be_perhaps_a_scan() -> None:
    with pytest.raises(InvalidInput, match="has no text; if it is a scan"):
        read_source("scan.pdf", " \n")


def loud_pdf(size: int) -> bytes:
    """A PDF of three pages, which asks sixty times for a shade of grey that has a long name instead of a number."""
    drawing = zlib.compress((b"/" + b"F" * size + b" g ") * 20)
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 3 0 R/Resources<<>>>>"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count 3/Kids[4 0 R 5 0 R 6 0 R]>>",
        b"<</Length %d/Filter/FlateDecode>>stream\n%b\nendstream" % (len(drawing), drawing),
        *[page] * 3,
    ]
    body = b"".join(b"%d 0 obj\n%b\nendobj\n" % each for each in enumerate(objects, 1))
    return b"%PDF-1.4\n" + body + b"trailer<</Root 1 0 R>>\n%%EOF"


@pytest.mark.usefixtures("markitdown")
def test_what_a_converter_complains_of_takes_no_memory() -> None:
    tracemalloc.start()
    try:
        assert convert("loud.pdf", loud_pdf(200_000)).strip() == b""
        assert tracemalloc.get_traced_memory()[1] < 12 << 20, "the complaints are 12 MB"
    finally:
        tracemalloc.stop()


def test_a_zip_bomb_is_not_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversion, "find_spec", lambda name: True)
    monkeypatch.setattr(conversion, "_convert_apart", lambda *document: pytest.fail("it was opened"))
    bomb = archive({"word/document.xml": b"0" * (5 << 20)})

    with pytest.raises(InvalidInput, match="unpacks to more than 4 MiB"):
        convert("bomb.docx", bomb, most_unpacked=4 << 20)
    with pytest.raises(InvalidInput, match="not a DOCX file"):
        convert("no.docx", b"no archive")


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversion, "find_spec", lambda name: None)

    with pytest.raises(InvalidInput) as error:
        convert("guide.pdf", b"")

    assert error.value.hint == "install it: pip install 'memoir[documents]'"


def test_a_converter_that_cannot_be_loaded_is_not_blamed_on_the_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "markitdown.py").write_text("import nothing_of_that_name")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(conversion, "find_spec", lambda name: True)

    with pytest.raises(InvalidInput, match="which cannot be loaded"):
        convert("a.html", b"<p>text</p>")


def test_the_folder_that_one_works_in_brings_no_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("memoir/__init__.py", "memoir/sources/__init__.py", "memoir/sources/conversion.py", "resource.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"open({str(tmp_path / 'harm')!r}, 'w')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(conversion, "find_spec", lambda name: True)

    with suppress(InvalidInput):  # markitdown may be missing
        convert("a.html", b"<p>text</p>")

    assert not (tmp_path / "harm").exists()
