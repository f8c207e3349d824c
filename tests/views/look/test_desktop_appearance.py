"""A desktop that asks for high contrast, or for less motion, through its portal is heard."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a portal is asked on Linux alone")

PROGRAM = """
import json
import sys
import threading
from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

told = json.loads(sys.argv[1])
ready = threading.Event()
PLACE = DBusAddress("/org/freedesktop/portal/desktop", interface="org.freedesktop.portal.Settings")


def portal():
    bus = open_dbus_connection("SESSION")
    bus.send_and_get_reply(message_bus.RequestName("org.freedesktop.portal.Desktop"))
    ready.set()
    while True:
        asked = bus.receive()
        if asked.header.message_type is not MessageType.method_call:
            continue
        member = asked.header.fields[HeaderFields.member]
        if member == "ReadAll":
            all_of_it = {}
            for name, value in told.items():
                namespace, key = name.split(" ")
                all_of_it.setdefault(namespace, {})[key] = tuple(value)
            bus.send(new_method_return(asked, "a{sa{sv}}", (all_of_it,)))
        elif member == "Read" and " ".join(asked.body) in told:
            value = tuple(told[" ".join(asked.body)])
            bus.send(new_method_return(asked, "v", (("v", value),)))
            changed = (*asked.body, ("u", 0))
            if "then" in sys.argv:
                bus.send(new_signal(PLACE, "SettingChanged", "ssv", changed))
        else:
            bus.send(new_error(asked, "org.freedesktop.portal.Error.NotFound"))


threading.Thread(target=portal, daemon=True).start()
ready.wait(10)

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from app.views.look import theme
from app.views.look.theme import Theme, motion, tokens

application = QApplication([])
theme._SEEN_MS = 0
worn = Theme(application)
worn.follow_desktop()
QTimer.singleShot(700, application.quit)
application.exec()
print(json.dumps({"scheme": tokens().scheme, "motion": motion()}))
"""
CONTRAST = "org.freedesktop.appearance contrast"
REDUCED = "org.freedesktop.appearance reduced-motion"
ANIMATIONS = "org.gnome.desktop.interface enable-animations"


def seen(told: dict[str, tuple[str, object]], *then: str) -> dict[str, object]:
    """What a window wears on a desktop whose portal says this."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(told), *then],
        cwd=ROOT,
        env=os.environ | {"XDG_CURRENT_DESKTOP": "GNOME"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return answer


def test_a_desktop_that_asks_for_high_contrast_and_less_motion_has_both() -> None:
    asked = seen({CONTRAST: ("u", 1), REDUCED: ("u", 1)})
    assert asked == {"scheme": "light-contrast", "motion": False}


def test_an_older_desktop_without_animations_has_nothing_moved() -> None:
    assert seen({ANIMATIONS: ("b", False)}) == {"scheme": "light", "motion": False}


def test_a_desktop_that_says_otherwise_later_is_followed() -> None:
    assert seen({REDUCED: ("u", 1)}, "then") == {"scheme": "light", "motion": True}
