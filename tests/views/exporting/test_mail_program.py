"""Whether there is a mail program, as the desktop notes it, and what it is handed."""

import sys
from pathlib import Path

import pytest

from app.views.exporting.mail_program import open_mail
from tests.views.mail_program import MailProgram
from tests.views.mail_program import bare_desktop as bare_desktop  # noqa: PLC0414 - a fixture here
from tests.views.mail_program import mail_links as mail_links  # noqa: PLC0414 - as above

LINUX = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="other systems say themselves that there is none"
)


@LINUX
@pytest.mark.parametrize(
    "place",
    [
        "xdg_config_home/mimeapps.list",
        "xdg_config_dirs/gnome-mimeapps.list",
        "xdg_data_home/applications/mimeapps.list",
        "xdg_data_dirs/applications/mimeinfo.cache",
        "xdg_data_dirs/applications/defaults.list",
    ],
)
def test_a_program_that_the_desktop_notes_gets_the_link(
    mail_links: MailProgram, bare_desktop: Path, place: str
) -> None:
    note = bare_desktop / place
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text("[Default Applications]\nx-scheme-handler/mailto=evolution.desktop;\n")
    assert open_mail("mailto:?bcc=ada@x.org,zoe%2B1@x.org")
    assert mail_links.opened == ["mailto:?bcc=ada@x.org,zoe%2B1@x.org"]


@LINUX
@pytest.mark.parametrize("noted", ["", "x-scheme-handler/mailto=;", "x-scheme-handler/http=a.b"])
def test_without_one_the_link_goes_nowhere(
    mail_links: MailProgram, bare_desktop: Path, noted: str
) -> None:
    (bare_desktop / "xdg_config_home/mimeapps.list").write_text(
        f"[Default Applications]\n{noted}\n"
    )
    assert not open_mail("mailto:ada@x.org")
    assert mail_links.opened == []
