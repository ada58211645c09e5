"""The studio: local web pages to align words, judge paraphrases and look at scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from otherwords._lazy import attach

if TYPE_CHECKING:
    from otherwords.studio.agreement_result import AnnotatorAgreement as AnnotatorAgreement
    from otherwords.studio.agreement_result import compare_annotators as compare_annotators
    from otherwords.studio.desks import alignment_page as alignment_page
    from otherwords.studio.desks import judgement_page as judgement_page
    from otherwords.studio.desks import scores_page as scores_page
    from otherwords.studio.exported import ExportedRows as ExportedRows
    from otherwords.studio.exported import exported_rows as exported_rows
    from otherwords.studio.judges_result import JudgesResult as JudgesResult
    from otherwords.studio.judges_result import check_judges as check_judges
    from otherwords.studio.log import Log as Log
    from otherwords.studio.log import read_log as read_log
    from otherwords.studio.page import Page as Page
    from otherwords.studio.server import serve as serve

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "otherwords.studio.agreement_result": "AnnotatorAgreement compare_annotators",
        "otherwords.studio.desks": "alignment_page judgement_page scores_page",
        "otherwords.studio.exported": "ExportedRows exported_rows",
        "otherwords.studio.judges_result": "JudgesResult check_judges",
        "otherwords.studio.log": "Log read_log",
        "otherwords.studio.page": "Page",
        "otherwords.studio.server": "serve",
    },
)
