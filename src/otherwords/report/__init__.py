"""What readers look at: tables, plots, drawn explanations, and pages that stand alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from otherwords._lazy import attach

if TYPE_CHECKING:
    from otherwords.report.paper_plots import pem_plots as pem_plots
    from otherwords.report.plot import Plot as Plot
    from otherwords.report.plot import standalone as standalone
    from otherwords.report.report_page import ReportPage as ReportPage
    from otherwords.report.report_page import build as build
    from otherwords.report.report_page import write_plots as write_plots
    from otherwords.report.spans import draw as draw

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "otherwords.report.paper_plots": "pem_plots",
        "otherwords.report.plot": "Plot standalone",
        "otherwords.report.report_page": "ReportPage build write_plots",
        "otherwords.report.spans": "draw",
    },
)
