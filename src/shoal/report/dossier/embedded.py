"""The JSON twin inside the page, and read back from it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from shoal.errors import InputError
from shoal.report.fragments import Html
from shoal.report.summarise import Facts

START = '<script type="application/json" id="dossier">'  # data, which no browser runs
END = "</script>"
TWIN = re.compile(re.escape(START) + r"(.*?)" + re.escape(END), re.DOTALL)
LARGEST = 200_000_000  # bytes; a dossier has well below one million
WHAT = {"format", "audience", "made"}


def twin(facts: Facts) -> str:
    """The facts as the text of a file."""
    return json.dumps(facts, indent=1, ensure_ascii=False) + "\n"


def embedded(facts: Facts) -> Html:
    """The facts as an element of the page; no text in them can end it."""
    text = json.dumps(facts, ensure_ascii=True)
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return Html(f"{START}{text}{END}")


def read_dossier(path: Path) -> Facts:
    """The facts of a dossier, from its page or its JSON twin."""
    try:
        if path.stat().st_size > LARGEST:
            raise InputError(f"{path}: this file is too large for a dossier.")
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise _not_a_dossier(path) from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}).") from None
    return facts_of_text(text, path)


def facts_of_text(text: str, path: Path) -> Facts:
    found = TWIN.findall(text)
    if len(found) > 1 or (not found and text.lstrip()[:1] != "{"):
        raise _not_a_dossier(path)
    try:
        facts = json.loads(found[0] if found else text)
    except (ValueError, RecursionError):
        raise _not_a_dossier(path) from None
    if not _is_dossier(facts):
        raise _not_a_dossier(path)
    return dict(facts)


def _is_dossier(facts: Any) -> bool:
    if not isinstance(facts, dict) or not isinstance(facts.get("dossier"), dict):
        return False
    return set(facts["dossier"]) >= WHAT and isinstance(facts.get("files"), list)


def _not_a_dossier(path: Path) -> InputError:
    return InputError(
        f"{path} is not a dossier of Shoal, or was changed. `shoal anonymize --report` writes one."
    )
