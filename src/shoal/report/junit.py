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
    """One test case per model, and one per leak."""
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
            message = f"achieved {finding.achieved}; {words.failing(finding)}"
            ElementTree.SubElement(case, "failure", message=message)
    for leak in verdict.leaks:
        case = ElementTree.SubElement(suite, "testcase", name=f"no {leak.kind}")
        ElementTree.SubElement(case, "failure", message=words.leak(leak))
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"
