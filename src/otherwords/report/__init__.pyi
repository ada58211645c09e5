from otherwords.report.paper_plots import pem_plots as pem_plots
from otherwords.report.plot import Plot as Plot
from otherwords.report.plot import standalone as standalone
from otherwords.report.report_page import ReportPage as ReportPage
from otherwords.report.report_page import build as build
from otherwords.report.report_page import write_plots as write_plots
from otherwords.report.spans import draw as draw
