"""The studio: local web pages to align words and judge paraphrases."""

from otherwords.study.studio.alignment_page import AlignmentSource, open_alignment_page
from otherwords.study.studio.annotators import AnnotatorAgreement, compare_annotators
from otherwords.study.studio.export import ExportedRows, export_rows
from otherwords.study.studio.judgement_page import TaskOptions, open_judgement_pages
from otherwords.study.studio.judges import JudgesResult, check_judges
from otherwords.study.studio.log import Log, read_log
from otherwords.study.studio.page import Page

__all__ = [
    "AlignmentSource",
    "AnnotatorAgreement",
    "ExportedRows",
    "JudgesResult",
    "Log",
    "Page",
    "TaskOptions",
    "check_judges",
    "compare_annotators",
    "export_rows",
    "open_alignment_page",
    "open_judgement_pages",
    "read_log",
]
