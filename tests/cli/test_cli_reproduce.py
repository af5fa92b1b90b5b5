"""`shoal reproduce`, with a claim that needs no run."""

import json

from click.testing import CliRunner

from shoal.cli import cli


def reproduce(folder, *options):
    return CliRunner().invoke(cli, ["reproduce", "-o", str(folder), "--quiet", *options])


def test_verdicts_are_printed_and_the_page_is_written(tmp_path):
    result = reproduce(tmp_path, "--only", "C34")

    assert result.exit_code == 0, result.output
    assert result.output.startswith("1 claim confirmed: C34\n")
    assert "### C34" in (tmp_path / "reproduction.md").read_text(encoding="utf-8")


def test_verdicts_as_json(tmp_path):
    result = reproduce(tmp_path, "--only", "C34", "--json")

    assert json.loads(result.output) == {"C34": "confirmed"}


def test_without_runs_only_what_was_measured_is_judged(tmp_path):
    result = reproduce(tmp_path, "--quick", "--no-runs", "--only", "C34,C36", "--json")

    assert json.loads(result.output) == {"C34": "confirmed", "C36": "not testable"}


def test_a_claim_that_does_not_exist_is_refused(tmp_path):
    result = reproduce(tmp_path, "--only", "C99")

    assert result.exit_code != 0
    assert "C1 to C44" in str(result.exception)
