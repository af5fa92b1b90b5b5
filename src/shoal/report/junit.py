"""A verdict as JUnit XML, which build servers read."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from shoal.report import words
from shoal.types.verdict import Verdict

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
        case = ElementTree.SubElement(suite, "testcase", name=f"no {leak.kind}")
        ElementTree.SubElement(case, "failure", message=words.leak(leak))
    if words.standing(verdict) == "rows":
        suite.attrib |= {"tests": str(len(suite) + 1), "skipped": "1"}
        case = ElementTree.SubElement(suite, "testcase", name="people are counted, not rows")
        ElementTree.SubElement(case, "skipped", message=words.headline(verdict))
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"
