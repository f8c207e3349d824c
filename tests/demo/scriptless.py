"""A browser without scripts, for walking through the account's own pages by their buttons."""

from html.parser import HTMLParser

import httpx

from app.demo.credentials import ADMINISTRATOR, CLIENT_ID
from app.demo.options import REDIRECT_URI


class Page(HTMLParser):
    """What a page holds: its forms with their fields and buttons, its labels and its text."""

    def __init__(self, response: httpx.Response) -> None:
        super().__init__()
        self.response = response
        self.forms: dict[str, dict[str, str]] = {}
        self.buttons: dict[str, tuple[str, dict[str, str]]] = {}
        self.labels: set[str] = set()
        self.focus: str | None = None
        self.text = ""
        self.scripts = 0
        self._action = ""
        self._button: dict[str, str] | None = None
        self.feed(response.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.scripts += tag == "script" or any(name.startswith("on") for name in given)
        if tag == "form":
            self._action = given["action"]
            self.forms[self._action] = {}
        elif tag == "input":
            self.forms[self._action][given["name"]] = given.get("value", "")
            if "autofocus" in given:
                self.focus = given["name"]
        elif tag == "button":
            self._button = {given["name"]: given["value"]} if "name" in given else {}
        elif tag == "label":
            self.labels.add(given["for"])

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._button is not None:
            self.buttons[data.strip()] = (self._action, self._button)
            self._button = None


class Browser:
    """Follows forms by the words on their buttons, keeping cookies."""

    def __init__(self, client: httpx.Client) -> None:
        self.client = client
        self.page: Page

    def open(self, **query: str | None) -> Page:
        asked = {
            "type": "user_agent",
            "client_id": CLIENT_ID,
            "redirect_uri": REDIRECT_URI,
            "scope": "ManagePeople",
            **query,
        }
        given = {name: value for name, value in asked.items() if value is not None}
        return self._show(self.client.get("/oauth", params=given))

    def press(self, label: str, **typed: str) -> Page:
        action, own = self.page.buttons[label]
        data = {**self.page.forms[action], **typed, **own}
        return self._show(self.client.post(action, data=data))

    def sign_in(self, user: str = ADMINISTRATOR.email, password: str | None = None) -> Page:
        return self.press("Sign in", user=user, password=password or ADMINISTRATOR.password)

    def _show(self, response: httpx.Response) -> Page:
        assert response.headers["cache-control"] == "no-store"
        self.page = Page(response)
        return self.page
