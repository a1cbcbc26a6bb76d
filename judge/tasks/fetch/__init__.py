"""Downloads the official DevAI data: resumable, checked, and only what is missing."""

from judge.tasks.fetch.fetch import Fetched, Progress, check, fetch
from judge.tasks.fetch.http import Http
from judge.tasks.fetch.sources import SOURCES, Remote

__all__ = ["SOURCES", "Fetched", "Http", "Progress", "Remote", "check", "fetch"]
