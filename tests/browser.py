"""A real browser without a window, to look at pages with: Chromium, spoken to through two pipes."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
PROGRAM = next((found for name in NAMES if (found := shutil.which(name))), None)
needs_browser = pytest.mark.skipif(
    PROGRAM is None, reason="Chromium is not installed: apt-get install chromium"
)


class Browser:
    """One page at a time. Use it in a `with`."""

    def __init__(self) -> None:
        assert PROGRAM is not None
        heard, self._to = os.pipe()
        self._from, said = os.pipe()

        def connect() -> None:
            # Chromium reads from 3 and writes to 4, which may be numbers of these very pipes.
            first, second = os.dup(heard), os.dup(said)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self._process = subprocess.Popen(
            [PROGRAM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--remote-debugging-pipe", "--no-first-run", "--hide-scrollbars", "about:blank"],
            preexec_fn=connect, close_fds=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(heard)
        os.close(said)
        self._n, self._rest = 0, b""
        self.errors: list[str] = []  # of scripts, and what the page's own rules refuse
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        attached = self._call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._to)
        os.close(self._from)

    def call(self, method: str, **given: Any) -> dict[str, Any]:
        return self._call(method, session=self._session, **given)

    def open(self, path: Path, *, width: int, dark: bool = False, scripts: bool = True) -> None:
        """Load a file in a window of so many pixels."""
        self.errors.clear()
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=900, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Page.navigate", url=path.resolve().as_uri())
        while self._message().get("method") != "Page.loadEventFired":
            pass

    def evaluate(self, expression: str) -> Any:
        """What a script of ours returns from the page."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in found:
            raise AssertionError(found["exceptionDetails"])
        return found["result"].get("value")

    def screenshot(self, path: Path) -> None:
        """The whole page as a png file."""
        found = self.call("Page.captureScreenshot", captureBeyondViewport=True, format="png")
        path.write_bytes(base64.b64decode(found["data"]))

    def _call(self, method: str, session: str | None = None, **given: Any) -> dict[str, Any]:
        self._n += 1
        number = self._n
        message = {"id": number, "method": method, "params": given}
        message |= {} if session is None else {"sessionId": session}
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == number:
                if "error" in answer:
                    raise AssertionError(answer["error"])
                result: dict[str, Any] = answer["result"]
                return result

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            got = os.read(self._from, 1 << 20)
            if not got:
                raise AssertionError("the browser ended")
            self._rest += got
        text, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        if message.get("method") == "Runtime.exceptionThrown":
            self.errors.append(message["params"]["exceptionDetails"]["text"])
        if message.get("method") == "Log.entryAdded":
            entry = message["params"]["entry"]
            if entry["level"] == "error":
                self.errors.append(entry["text"])
        return message
