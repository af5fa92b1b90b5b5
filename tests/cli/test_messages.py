"""No message shows a cell: every kind of error, on a table whose every cell is a secret."""

from __future__ import annotations

import gzip
import traceback
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import shoal
from shoal.errors import ShoalError
from shoal.read.files import read_file
from shoal.runs.anonymize import anonymize
from shoal.runs.check import check

SECRET = "xyzzy"  # part of every cell, in whatever case
HEADER = "name,age,town,born,disease"


def cell(column: str, i: int) -> str:
    return f"{SECRET}-{column}-{i}"


def rows(n: int = 6) -> list[str]:
    return [",".join(cell(column, i) for column in HEADER.split(",")) for i in range(n)]


def table(*lines: str) -> str:
    return "\n".join([HEADER, *(lines or rows())]) + "\n"


def policy(
    *, age="quasi", town="quasi", born="keep", disease="sensitive", k=2, more="", columns=""
) -> str:
    return (
        f"columns:\n  name: identifier\n  age: {age}\n  town: {town}\n  born: {born}\n"
        f"  disease: {disease}\n{columns}privacy:\n  - {{model: k-anonymity, k: {k}}}\n{more}"
    )


def hierarchy(text: str) -> str:
    return f"{{role: quasi, hierarchy: {text}}}"


L4 = "  - {model: distinct-l-diversity, column: disease, l: 7}\n"
BROKEN_TABLES = {
    "short line": table(*rows(), f"{SECRET},{SECRET}"),
    "long line": table(*rows(), ",".join([SECRET] * 9)),
    "short line after quotes": table(f'"{SECRET}\n{SECRET}",1,2,3,4', SECRET),
    "blank line": table(rows()[0], "", rows()[1]),
    "unclosed quote": table(*rows(), f'{SECRET},"{SECRET},{SECRET},{SECRET},{SECRET}', *rows()),
    "text after quote": table(f'{SECRET},"{SECRET}"{SECRET},1,2,3', *rows()),
    "empty": "",
    "header alone": HEADER + "\n",
    "not utf-8": table(*rows()).encode() + f"{SECRET}é,1,2,3,4\n".encode("cp1252"),
    "half utf-16": table(*rows()).encode("utf-16")[:-1],
    "cut gzip": gzip.compress(table(*rows(500)).encode())[:-20],
    "no parquet": b"PAR1" + table(*rows()).encode(),
    "one record": table(*rows(1)),
    "carriage returns": table(*rows()).replace("\n", "\r"),
    "nul": table(*rows(), f"{SECRET}\0,1,2,3"),
    "digits of other scripts": table(*(f"{SECRET},1٢{i},{SECRET},3,4" for i in range(4))),
    "impossible time": table(*(f"{SECRET},2021-03-05T25:{i}9,{SECRET},3,4" for i in range(4))),
}
BAD_POLICIES = {
    "forgotten column": policy().replace("  born: keep\n", ""),
    "unknown column": policy(columns="  bron: keep\n"),
    "intervals of text": policy(age=hierarchy("{intervals: [5]}")),
    "dates of text": policy(age=hierarchy("{date: [year]}")),
    "no leaves": policy(age=hierarchy("{tree: {A: [b, c]}}")),
    "no leaves to suppress": policy(age=hierarchy("{tree: [b]}"), more="unknown: suppress\n"),
    "no file": policy(age=hierarchy("nofile.csv")),
    "two parents": policy(age=hierarchy("two-parents.csv")),
    "leaf twice": policy(age=hierarchy("twice.csv")),
    "node twice": policy(age=hierarchy("node-twice.csv")),
    "empty cell": policy(age=hierarchy("empty-cell.csv")),
    "hierarchy not utf-8": policy(age=hierarchy("latin.csv")),
    "tree of secrets twice": policy(age=hierarchy(f"{{tree: {{A: [{SECRET}], B: [{SECRET}]}}}}")),
    "mean of text": policy(age="{role: quasi, publish: mean}"),
    "range of text": policy(age="{role: quasi, publish: range}"),
    "node without hierarchy": policy(age="{role: quasi, publish: node}"),
    "k too large": policy(k=99),
    "k of zero": policy(k=0),
    "too diverse": policy(more=L4),
    "missing is an error": policy(more=f"missing: error\nmissing_values: [{cell('age', 1)}]\n"),
    "missing is suppressed": policy(
        more=f"missing: suppress\nmissing_values: [{cell('age', 1)}]\n"
    ),
    "model on a quasi-identifier": policy(more=L4.replace("disease", "age")),
    "unknown key": policy(more="supression: 1\n"),
    "not yaml": policy(more="seed: {\n"),
}  # fmt: skip
HIERARCHIES = {
    "two-parents.csv": f"{SECRET};A;*\n{SECRET};B;*\n",
    "twice.csv": f"{SECRET};A;*\n{SECRET};A;*\n",
    "node-twice.csv": f"a;{SECRET};A;*\nb;{SECRET};B;*\n",
    "empty-cell.csv": f"{SECRET};;*\n",
    "latin.csv": f"{SECRET}é;*\n".encode("cp1252"),
}
CASES = {f"table: {name}": (content, policy()) for name, content in BROKEN_TABLES.items()} | {
    f"policy: {name}": (table(), text) for name, text in BAD_POLICIES.items()
}
SUCCEEDS = {"table: carriage returns", "table: digits of other scripts", "table: impossible time"}


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(content: str | bytes, rules: str) -> None:
        for name, text in {"table.csv": content, "policy.yaml": rules, **HIERARCHIES}.items():
            Path(name).write_bytes(text.encode() if isinstance(text, str) else text)

    return write


def has_secret(text: str) -> bool:
    return SECRET in text.casefold()


@pytest.mark.parametrize("name", CASES)
def test_no_message_of_the_command_shows_a_cell(files, run, name):
    files(*CASES[name])

    result = run("anonymize", "table.csv", "-p", "policy.yaml", "-o", "release.csv")

    assert result.code in (1, 2) or name in SUCCEEDS
    assert not has_secret(result.stdout + result.stderr)


@pytest.mark.parametrize("name", sorted(CASES.keys() - SUCCEEDS))
def test_no_exception_shows_a_cell(files, name):
    files(*CASES[name])

    with pytest.raises(ShoalError) as caught:
        anonymize(read_file("table.csv"), shoal.Policy.load("policy.yaml"))

    shown = [str(caught.value), repr(caught.value), *map(str, caught.value.args)]
    shown += traceback.format_exception_only(caught.value)
    assert not has_secret(" ".join(shown))


@pytest.mark.parametrize("name", sorted(CASES.keys() - SUCCEEDS))
def test_no_traceback_shows_a_cell(files, name):
    """What a caller's log would show, with the exceptions that an error came from."""
    files(*CASES[name])

    with pytest.raises(ShoalError) as caught:
        anonymize(read_file("table.csv"), shoal.Policy.load("policy.yaml"))

    messages, error = [], caught.value
    while error is not None:
        messages.append(str(error))
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    assert not has_secret(" ".join(messages))


@pytest.mark.parametrize("name", BROKEN_TABLES)
def test_no_message_of_check_shows_a_cell(files, run, name):
    files(BROKEN_TABLES[name], policy())

    result = run("check", "table.csv", "-p", "policy.yaml", "--junit", "result.xml")

    assert result.code in (1, 2)
    assert not has_secret(result.stdout + result.stderr)
    assert not Path("result.xml").exists() or not has_secret(Path("result.xml").read_text())


def test_neither_verdict_nor_leaks_show_a_cell(files, run):
    files(table(), policy(more=L4))

    result = run("check", "table.csv", "-p", "policy.yaml", "--original", "table.csv", "--json")

    assert result.code == 1
    assert not has_secret(result.stdout + result.stderr)


def test_neither_summary_nor_notes_show_a_cell(files, run):
    files(table(*rows(40)), policy())

    for arguments in (["--json"], []):
        result = run("anonymize", "table.csv", "-p", "policy.yaml", "-o", "release.csv", *arguments)
        assert result.code == 0
        assert not has_secret(result.stdout + result.stderr)


def test_the_data_given_as_the_policy_is_not_shown(files, run):
    files(table(), policy())

    result = run("anonymize", "table.csv", "-p", "table.csv", "-o", "release.csv")

    assert result.code == 2
    assert not has_secret(result.stdout + result.stderr)


@pytest.mark.parametrize("line", [f"*{SECRET}a,b", f"!{SECRET}!a b"])
def test_data_that_yaml_reads_as_something_special_is_not_shown(files, run, line):
    files(f"a: {line}\n" + line, policy())

    result = run("anonymize", "table.csv", "-p", "table.csv", "-o", "release.csv")

    assert result.code == 2
    assert not has_secret(result.stdout + result.stderr)


def test_a_leaf_that_stands_twice_in_a_tree_is_not_shown(files, run):
    files(table(), policy(age=hierarchy(f"{{tree: {{{SECRET}: , {SECRET}: }}}}")))

    result = run("anonymize", "table.csv", "-p", "policy.yaml", "-o", "release.csv")

    assert result.code == 2
    assert not has_secret(result.stdout + result.stderr)


@pytest.mark.parametrize("name", sorted(SUCCEEDS - {"table: carriage returns"}))
def test_text_that_cannot_be_parsed_raises_nothing_with_a_cell_in_it(files, name):
    files(*CASES[name])

    anonymize(read_file("table.csv"), shoal.Policy.load("policy.yaml"))


def test_an_internal_error_says_where_but_not_what(files, run, monkeypatch):
    files(table(), policy())

    def fail(*arguments, **how):
        raise KeyError(cell("name", 1))

    monkeypatch.setattr("shoal.runs.prepare.encode", fail)
    result = run("anonymize", "table.csv", "-p", "policy.yaml", "-o", "release.csv", "--quiet")

    assert result.code == 2
    assert "internal error (KeyError at test_messages.py" in result.stderr
    assert not has_secret(result.stdout + result.stderr)
    assert not Path("release.csv").exists()


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame({"x": [[SECRET], [SECRET]]}),
        pl.DataFrame({"x": [SECRET.encode(), SECRET.encode()]}),
        pl.DataFrame({"x": [SECRET]}),
        pl.DataFrame({"y": [SECRET, SECRET]}),
        pd.DataFrame({"x": pd.Series([1, SECRET, 2.5, SECRET], dtype=object)}),
        pd.DataFrame({"x": pd.Series([{SECRET}, {SECRET}], dtype=object)}),
        [SECRET],
        {"x": SECRET},
    ],
    ids=lambda frame: type(frame).__module__ + str(getattr(frame, "dtypes", ""))[:20],
)
def test_no_error_about_a_frame_shows_a_cell(frame):
    error = None
    try:
        shoal.anonymize(frame, quasi=["x"], privacy=[shoal.KAnonymity(2)])
    except ShoalError as raised:
        error = raised

    assert not has_secret(f"{error} {error!r} {error and error.__cause__}")


def test_checking_a_frame_shows_no_cell():
    rules = shoal.Policy.of_roles(quasi=["x"], privacy=[shoal.KAnonymity(2)])
    frame = pl.DataFrame({"x": [SECRET, SECRET + "2"]})

    verdict = rules.check(frame)

    assert not verdict.holds
    assert not has_secret(f"{verdict} {verdict.as_dict()}")


def test_a_file_that_was_read_for_checking_shows_no_cell(files):
    files(table(), policy())
    rules = shoal.Policy.load("policy.yaml")

    verdict = check(read_file("table.csv"), rules, original=read_file("table.csv"))

    assert not verdict.holds
    assert not has_secret(str(verdict))
