"""What a desktop and a terminal learn of a window that is open: its class, its icon, no remark."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BIGGEST_ICON = 128 * 128

WINDOW = """
import subprocess, sys
from app.application import make_application
application = make_application()
from PySide6.QtWidgets import QWidget
window = QWidget()
window.show()
for _ in range(20):
    application.processEvents()
names = ["WM_CLASS", "_KDE_NET_WM_DESKTOP_FILE", "_NET_WM_NAME", "32c", "_NET_WM_ICON"]
asked = ["xprop", "-len", "1000000", "-notype", "-id", str(int(window.winId())), *names]
print(subprocess.run(asked, capture_output=True, text=True, check=True).stdout)
"""
LOCALES = """
import os, sys
from app.application import make_application
for named in sys.argv[1:]:
    child = os.fork()
    if not child:
        name, _, value = named.partition("=")
        os.environ[name] = value
        make_application()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
"""
CHROMIUM_IN_GERMAN = """
import logging, sys
logging.basicConfig(stream=sys.stdout, level=logging.INFO)
from app.application import make_application
application = make_application()
from app.views.sign_in.browser import make_profile
from app.views.sign_in.browser_lockdown import hush
hush()
profile = make_profile()
print("made")
from PySide6.QtCore import QDate, QLocale
from PySide6.QtWebEngineCore import QWebEnginePage
from app.runtime.words import tr
date = QLocale().toString(QDate(2024, 3, 9), QLocale.FormatType.ShortFormat)
print(tr("Back"), date, flush=True)
page = QWebEnginePage(profile)
page.loadFinished.connect(lambda _: (print("loaded", flush=True), application.quit()))
page.setHtml("<p>")
application.exec()
del page
"""


LOCALE = ("LANG", "LC_ALL", "LC_CTYPE", "PYTHONCOERCECLOCALE")


def run(script: str, *arguments: str, **locale: str) -> subprocess.CompletedProcess[str]:
    before = {name: value for name, value in os.environ.items() if name not in LOCALE}
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        cwd=ROOT,
        env=(before | locale) if locale else dict(os.environ),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.skipif(
    not os.environ.get("DISPLAY") or shutil.which("xprop") is None, reason="asks an X server"
)
def test_a_desktop_knows_each_window_by_the_name_of_its_entry() -> None:
    done = run(WINDOW)
    assert (done.returncode, done.stderr) == (0, "")
    assert 'WM_CLASS = "frontdesk", "frontdesk"' in done.stdout
    assert '_KDE_NET_WM_DESKTOP_FILE = "frontdesk"' in done.stdout
    assert '_NET_WM_NAME = "Front Desk"' in done.stdout
    icon = done.stdout.partition("_NET_WM_ICON")[2]
    assert len(re.findall(r"\d+", icon)) > BIGGEST_ICON


@pytest.mark.skipif(sys.platform != "linux", reason="the others have no such locale")
def test_a_system_without_a_locale_gets_no_remark_in_the_terminal() -> None:
    # Python sets one itself where it is allowed to, which a program without it does not see.
    named = ("LANG=", "LANG=C", "LC_ALL=POSIX", "LANG=de_XX.UTF-8")
    done = run(LOCALES, *named, PYTHONCOERCECLOCALE="0", LANG="")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(sys.platform != "linux", reason="the others have no such locale")
def test_chromium_starts_without_a_word_and_in_the_language_of_a_locale_the_system_lacks() -> None:
    done = run(CHROMIUM_IN_GERMAN, PYTHONCOERCECLOCALE="0", LC_ALL="de_XX.UTF-8")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-3:] == ["made", "Zurück 09.03.24", "loaded"]
