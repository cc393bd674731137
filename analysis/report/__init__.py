"""The report of a study: tables as CSV and one HTML page that needs nothing else."""

from analysis.report.build import Report, write_report

__all__ = ["Report", "write_report"]
