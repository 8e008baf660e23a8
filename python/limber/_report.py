"""Reports: a result as a page with animation, plots and tables, in a file or in a notebook cell."""
from __future__ import annotations

import contextlib
import html
import os
import shutil
import tempfile
import time
import webbrowser
from typing import Optional

_HEIGHT = 640  # pixels, in a notebook
_FOLDERS = "limber-view-"  # the same prefix as for `limber view`
_READ = 60  # s after which a browser has read a page


def folder_for_page() -> str:
    """Makes a temporary folder for a page, and removes the folders of earlier calls."""
    with contextlib.suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            if entry.name.startswith(_FOLDERS) and entry.is_dir(follow_symlinks=False):
                about = entry.stat(follow_symlinks=False)
                if about.st_uid == os.geteuid() and time.time() - about.st_mtime > _READ:
                    shutil.rmtree(entry.path, ignore_errors=True)
    return tempfile.mkdtemp(prefix=_FOLDERS)


class Report:
    """The report of a result, made by Result.report: an HTML page. In a notebook it is shown in the cell.

    >>> import limber
    >>> report = limber.load("examples/slider-crank/slider-crank.yaml").run().report()
    >>> report.html[:15]
    '<!doctype html>'
    """

    def __init__(self, page: str, path: Optional[str]) -> None:
        self.html = page  #: the page
        self.path = path  #: its file, or None
        self.height = _HEIGHT  #: of the cell, in pixels

    def open(self) -> None:
        """Opens the file of the report in a browser."""
        if self.path is not None:
            webbrowser.open("file://" + os.path.abspath(self.path))

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{html.escape(self.html)}" width="100%" height="{self.height}" '
                'style="border: 1px solid #ccc" allowfullscreen></iframe>')

    def __repr__(self) -> str:
        return f"<limber.Report {self.path or 'in memory'}>"
