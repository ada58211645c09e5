import contextlib
import gzip
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from otherwords.corpus.formats import is_wmt
from otherwords.corpus.rows import Row
from otherwords.corpus.wmt import WmtFile, WmtSegment, read_wmt, rows
from otherwords.errors import InputError

patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

XML = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="tiny">
  <collection id="news">
  <doc origlang="de" id="d1">
    <src lang="de"><p>
      <seg id="1">Füchse &amp; Hasen.</seg>
      <seg id="2">Sie
        schlafen.</seg></p></src>
    <ref lang="en" translator="A"><p><seg id="1">Foxes and hares.</seg></p>
      <p><seg id="2">They sleep.</seg></p></ref>
    <ref lang="en" translator="B"><p><seg id="1">Fox, hare.</seg><seg id="2">Asleep.</seg></p></ref>
    <hyp system="s1" language="en"><p><seg id="1">Foxes &lt;3 hares.</seg>
      <seg id="2"> They are <b>asleep</b>.</seg></p></hyp>
    <hyp system="s2" language="en"><p><seg id="2">Sleep.</seg><seg id="1">Foxes.</seg></p></hyp>
  </doc>
  <doc origlang="de" id="d2">
    <src lang="de"><p><seg id="1">Gut.</seg></p></src>
    <ref lang="en" translator="A"><p><seg id="1">Good.</seg></p></ref>
    <hyp system="s1" language="en"><p><seg id="1">Fine.</seg></p></hyp>
  </doc>
  <doc origlang="de" id="d3">
    <hyp system="s1" language="en"><p><seg id="1">Lost.</seg></p></hyp>
  </doc>
  </collection>
</dataset>
"""

REFSET = """<REFSET setid="tiny" srclang='any' trglang=en>
<DOC docid=d1 sysid="ref one">
<hl>
<seg id=1>Foxes & hares &quot;play&quot; &#39;here&apos; R&amp;D.</seg>
</hl>
<p>
<SEG ID="2">
They
sleep.
</SEG>
</p>
</DOC>
</REFSET>
"""
TSTSET = """<tstset trglang="en" setid="tiny" srclang="any">
<doc sysid="s1" docid="d1" genre="news">
<seg id="1"> <unk> &lt;3 a < b &nonsense; </seg>
<seg id="2">Asleep.</seg>
</doc>
</tstset>
"""
SRCSET = """<srcset setid="tiny" srclang="any">
<doc docid="d1">
<seg id="1">Füchse</seg>
<seg id="2">Schlaf</seg>
</doc>
</srcset>
"""


@pytest.fixture
def read(tmp_path: Path):
    def reader(content: str | bytes, name: str = "a.sgm") -> WmtFile:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_wmt(path)

    return reader


def test_xml(read):
    file = read(XML)
    assert file.sources == [
        WmtSegment("Füchse & Hasen.", "d1", "1"),
        WmtSegment("Sie schlafen.", "d1", "2"),
        WmtSegment("Gut.", "d2", "1"),
    ]
    assert [segment.line for segment in file.sources] == [6, 7, 17]
    assert list(file.references) == ["A", "B"]
    assert [segment.text for segment in file.systems["s1"]] == [
        "Foxes <3 hares.",
        "They are asleep.",
        "Fine.",
        "Lost.",
    ]


def test_rows_of_one_file(read):
    first, second, fine, lost, *other = rows(read(XML))
    assert first == Row(
        "Foxes <3 hares.", ("Foxes and hares.", "Fox, hare."), "Füchse & Hasen.", "s1", "d1:1", "d1"
    )
    assert second.references == ("They sleep.", "Asleep.")
    assert fine.references == ("Good.",), "translator B did not do this document"
    assert (lost.references, lost.source) == ((), None)
    assert [(row.item, row.hypothesis) for row in other] == [("d1:2", "Sleep."), ("d1:1", "Foxes.")]


def test_sgml_is_forgiven_much(read):
    file = read(REFSET)
    assert file.references == {
        "ref one": [
            WmtSegment("Foxes & hares \"play\" 'here' R&D.", "d1", "1"),
            WmtSegment("They sleep.", "d1", "2"),
        ]
    }
    assert [segment.line for segment in file.references["ref one"]] == [4, 7]


def test_unknown_tags_and_entities_are_text(read):
    assert read(TSTSET).systems["s1"][0].text == "<unk> <3 a < b &nonsense;"


def test_rows_of_three_files(read):
    system, reference, source = read(TSTSET), read(REFSET), read(SRCSET)
    assert list(rows(system, [reference], source))[1] == Row(
        "Asleep.", ("They sleep.",), "Schlaf", "s1", "d1:2", "d1"
    )


def test_the_name_of_a_set_holds_unless_the_document_has_its_own(read):
    content = (
        '<mteval><tstset sysid="all"><doc docid="1" sysid="own"><seg id="1">a</seg></doc>'
        '<doc docid="2"><seg id="1">b</seg></doc></tstset>'
        '<refset refid="r"><doc docid="1"><seg id="1">c</seg></doc></refset></mteval>'
    )
    for head in ("", '<?xml version="1.0"?><!DOCTYPE mteval SYSTEM "mteval-xml-v1.3.dtd">'):
        file = read(head + content)
        assert list(file.systems) == ["own", "all"]
        assert list(file.references) == ["r"]


def test_names_that_are_missing(read):
    file = read(TSTSET.replace('sysid="s1"', "") + REFSET.replace('sysid="ref one"', ""))
    assert (list(file.systems), list(file.references)) == (["system"], ["reference"])


def test_entities_that_a_dtd_would_define(read):
    content = (
        '<?xml version="1.0"?><!DOCTYPE tstset SYSTEM "x.dtd"><tstset><doc docid="d">'
        '<seg id="1">a&eacute;b&strange;</seg></doc></tstset>'
    )
    assert read(content).systems["system"][0].text == "aéb&strange;"


@pytest.mark.parametrize(
    "content",
    [
        "\ufeff" + XML,
        XML.replace("\n", "\r\n"),
        gzip.compress(XML.encode()),
        XML.replace("utf-8", "iso-8859-1").encode("latin-1"),
    ],
    ids=["bom", "crlf", "gzip", "latin-1"],
)
def test_the_same_in_other_wrapping(read, content):
    assert read(content) == read(XML)


BAD = {
    "E401": (XML.replace("</src>", "", 1), 15, "not well-formed XML: mismatched tag"),
    "E401 bare": (XML.replace("&amp;", "&"), 6, "a bare & must be written &amp;"),
    "E401 cut": (XML[:400], None, "not well-formed XML"),
    "E402 no doc": ('<refset><seg id="1">a</seg></refset>', 1, "outside of a <doc>"),
    "E402 no side": (
        '<dataset><doc id="d">\n<seg id="1">a</seg></doc></dataset>',
        2,
        "outside of <src>",
    ),
    "E403 seg": (REFSET.replace('ID="2"', ""), 7, "a <seg> without an id, in document 'd1'"),
    "E403 doc": (REFSET.replace("docid=d1", ""), 2, "a <doc> without an id"),
    "E404": (REFSET.replace('"2"', "1"), 7, "segment '1' of document 'd1' comes twice"),
    "E405 open": (TSTSET.replace("</seg>", "", 1), 3, "is not closed"),
    "E405 last": ('<tstset><doc docid="d">\n<seg id=1>a', 2, "is not closed"),
    "E405 close": (TSTSET.replace('<seg id="1">', ""), 3, "a </seg> without its <seg>"),
    "E406": ("<?xml version='1.0'?><TEI/>", None, "no <dataset>"),
    "E101": (REFSET.encode() + b"\n\xff", 15, "not UTF-8"),
    "E101 declared": ("<?xml version='1.0' encoding='x-none'?><dataset/>", 1, "'x-none'"),
    "E101 utf-16": ("<?xml version='1.0' encoding='utf-16'?><dataset/>", 1, "'utf-16'"),
}


@pytest.mark.parametrize("case", BAD)
def test_errors_say_where_and_what(read, case):
    content, line, message = BAD[case]
    with pytest.raises(InputError, match=message) as caught:
        read(content)
    assert caught.value.code == case.split()[0]
    if line is not None:
        assert caught.value.line == line
    assert caught.value.path.endswith("a.sgm")


def test_xml_errors_have_a_column(read):
    with pytest.raises(InputError) as caught:
        read('<dataset>\n <doc id="d"></dataset>')
    assert (caught.value.line, caught.value.column) == (2, len(' <doc id="d"></d'))


@pytest.mark.parametrize(
    ("system", "reference", "message"),
    [
        (TSTSET, REFSET.replace('"2"', "3"), "reference 'ref one' lacks segment '2' of .* 'd1'"),
        (TSTSET.replace('id="2"', 'id="1x"'), REFSET, "reference .* lacks segment '1x'"),
        (TSTSET.replace("Asleep.</seg>", "</seg>\n<seg id=3>x</seg>"), REFSET, "lacks segment '3'"),
        (TSTSET.replace('"d1"', '"d9"'), REFSET, "lacks segment '1' of document 'd9'"),
        (TSTSET, REFSET.replace("</DOC>", "<seg id=3>x</seg>"), "system 's1' lacks segment '3'"),
    ],
)
def test_segments_must_match(read, system, reference, message):
    with pytest.raises(InputError, match=message):
        list(rows(read(system), [read(reference)]))


def test_a_segment_missing_inside_a_document_of_one_file(read):
    with pytest.raises(InputError, match="system 's2' lacks segment '2' of document 'd1'"):
        list(rows(read(XML.replace('<seg id="2">Sleep.</seg>', ""))))


def test_rows_need_a_system(read):
    with pytest.raises(InputError, match="no system output here"):
        list(rows(read(REFSET)))


def test_truncated_gzip(read):
    with pytest.raises(InputError, match="truncated or damaged") as caught:
        read(gzip.compress(XML.encode())[:-12])
    assert caught.value.code == "E102"


def test_is_wmt():
    for content in (XML, REFSET, TSTSET, SRCSET, "\ufeff\n<mteval>", "<!-- c -->\n<dataset>"):
        assert is_wmt(content.encode())
    for content in (b"", b"<p>hello</p>", b"the <dataset", b'{"hypothesis": "<dataset>"}'):
        assert not is_wmt(content)


pieces = st.sampled_from(
    ["<tstset>", "<doc docid=1>", "<seg id=1>", "</seg>", "</doc>", "&#xd800;", "<?xml?>", "<seg",
     "<dataset>", '<doc id="', "\n", "&amp;", "a", "'", '"', ">", "</dataset>", "&#0;", "\x00"]
)  # fmt: skip


@patient
@given(st.lists(pieces, max_size=12).map("".join))
def test_any_markup_is_read_or_refused(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("wmt") / "a.xml"
    path.write_text(content)
    with contextlib.suppress(InputError):
        list(rows(read_wmt(path)))


def test_a_reference_file_without_references(read, refused):
    """A system given as reference is named, not read as no references."""
    path = read(TSTSET).path
    said = refused("score", "-m", "bleu", "-r", path, path)
    assert "a.sgm: no references here; they must be in <ref> or <refset>" in said
