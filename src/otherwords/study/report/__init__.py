"""Output for readers: tables, plots, drawn explanations, and self-contained pages."""

from otherwords.metrics.drawing import draw
from otherwords.study.report.correlation import pem_plots
from otherwords.study.report.plot import Plot, standalone
from otherwords.study.report.report import Layout, ReportPage, build, write_plots

__all__ = [
    "Layout",
    "Plot",
    "ReportPage",
    "build",
    "draw",
    "pem_plots",
    "standalone",
    "write_plots",
]
