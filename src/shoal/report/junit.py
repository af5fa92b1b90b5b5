"""A verdict as JUnit XML, which build servers read."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

from shoal.errors import ShoalError
from shoal.report import words
from shoal.report.printable import printable_lines
from shoal.types.verdict import Leak, Verdict

MARK = '<testsuite name="shoal check '


def is_junit(path: Path) -> bool:
    """Whether a file was written by an earlier check."""
    try:
        return MARK in path.read_text(encoding="utf-8")[:200]
    except (OSError, UnicodeDecodeError):
        return False


def junit_text(verdict: Verdict, *, name: str) -> str:
    """One test case per model and per leak, and a skipped one where rows may not be people."""
    failures = sum(not finding.holds for finding in verdict.findings) + len(verdict.leaks)
    suite = ElementTree.Element(
        "testsuite",
        name=f"shoal check {name}",
        tests=str(len(verdict.findings) + len(verdict.leaks)),
        failures=str(failures),
    )
    for finding in verdict.findings:
        of = f" of {finding.column}" if finding.column else ""
        required = ", ".join(f"{key} = {value}" for key, value in finding.required.items())
        case = ElementTree.SubElement(suite, "testcase", name=f"{finding.model}{of}: {required}")
        if not finding.holds:
            message = f"achieved {finding.achieved}; {words.failing(finding, verdict.unit)}"
            ElementTree.SubElement(case, "failure", message=message)
    for leak in verdict.leaks:
        case = ElementTree.SubElement(suite, "testcase", name=f"no {leak.kind}{_in(leak)}")
        ElementTree.SubElement(case, "failure", message=words.leak(leak))
    if words.standing(verdict) == "rows":
        suite.attrib |= {"tests": str(len(suite) + 1), "skipped": "1"}
        case = ElementTree.SubElement(suite, "testcase", name="people are counted, not rows")
        ElementTree.SubElement(case, "skipped", message=words.headline(verdict))
    return _written(suite)


def _in(leak: Leak) -> str:
    return f" in {leak.column}" if leak.column else ""


def junit_of_error(error: ShoalError, *, name: str) -> str:
    """One test case that could not be run: the release, its policy or another file is wrong."""
    suite = ElementTree.Element(
        "testsuite", name=f"shoal check {name}", tests="1", failures="0", errors="1"
    )
    case = ElementTree.SubElement(suite, "testcase", name="the release can be checked")
    message = printable_lines(str(error))
    ElementTree.SubElement(case, "error", message=message, type=type(error).__name__)
    return _written(suite)


def _written(suite: ElementTree.Element) -> str:
    """The text, in which no two cases have one name: a build server would show the last only."""
    seen: Counter[str] = Counter()
    for case in suite:
        name = case.attrib["name"]
        seen[name] += 1
        if seen[name] > 1:
            case.attrib["name"] = f"{name} ({seen[name]})"
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"
