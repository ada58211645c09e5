"""The studio: local web pages to align words, judge paraphrases and look at scores."""

from otherwords.study.studio.agreement_result import AnnotatorAgreement, compare_annotators
from otherwords.study.studio.desks import alignment_page, judgement_page, scores_page
from otherwords.study.studio.exported import ExportedRows, exported_rows
from otherwords.study.studio.judges_result import JudgesResult, check_judges
from otherwords.study.studio.lead import lead_page
from otherwords.study.studio.log import Log, read_log
from otherwords.study.studio.page import Page

__all__ = [
    "AnnotatorAgreement",
    "ExportedRows",
    "JudgesResult",
    "Log",
    "Page",
    "alignment_page",
    "check_judges",
    "compare_annotators",
    "exported_rows",
    "judgement_page",
    "lead_page",
    "read_log",
    "scores_page",
]
