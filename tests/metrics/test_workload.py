"""Queries that users write themselves, and queries for sums and means of kept numbers."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from naive.queries import estimate, estimated_sum, true_count, true_sum
from shoal.errors import BadOption, InputError, PolicyError

JOBS = {"care": ["nurse", "doctor"], "else": ["cook", "maid"]}


def people():
    return pl.DataFrame(
        {
            "age": [20, 21, 24, 25, 40, 42, 47, 48],
            "job": ["nurse", "doctor", "cook", "maid"] * 2,
            "visits": [1, 2, None, 4, 5, 6, 7, 80],
        }
    )


def release(k=4):
    return shoal.anonymize(
        people(),
        quasi={"age": None, "job": shoal.tree(JOBS)},
        keep=["visits"],
        privacy=[shoal.KAnonymity(k)],
    )


def written(tmp_path, text):
    path = tmp_path / "queries.csv"
    path.write_text(text)
    return str(path)


DOMAINS = {"age": (20, 48), "job": ["nurse", "doctor", "cook", "maid"]}
AGES, ALL_JOBS = (20, 48), DOMAINS["job"]
# As a file has them, and as the twin wants them.
QUERIES = {
    '"[20, 24]",care': {"age": (20, 24), "job": JOBS["care"]},
    '"[40, 48]",': {"age": (40, 48), "job": ALL_JOBS},
    ',"{cook, nurse}"': {"age": AGES, "job": ["cook", "nurse"]},
    "42,doctor": {"age": (42, 42), "job": ["doctor"]},
}


def cells(row):
    return row | {"job": "*" if row["job"] == "*" else "{" + ", ".join(JOBS[row["job"]]) + "}"}


def error(true, estimated):
    return abs(true - estimated) / true


@pytest.mark.parametrize("line", QUERIES)
def test_a_query_of_a_file_errs_as_record_by_record(tmp_path, line):
    found, query = release(), QUERIES[line]
    released = [cells(row) for row in found.published.rows(named=True)]

    measured = found.measure("query-error", workload=written(tmp_path, f"age,job\n{line}\n"))

    true = true_count(people().rows(named=True), query)
    assert measured == pytest.approx(error(true, estimate(released, query, DOMAINS)))


@pytest.mark.parametrize("answer", ["sum", "mean"])
def test_sums_and_means_of_kept_numbers_err_as_record_by_record(tmp_path, answer):
    found = release()
    released = [cells(row) for row in found.published.rows(named=True)]
    file = written(tmp_path, "\n".join(["age,job", *QUERIES]))

    measured = found.measure("query-error", workload=file, answer=answer, of="visits")

    errors = []
    for query in QUERIES.values():
        (total, n), (about, m) = (
            true_sum(people().rows(named=True), query, "visits"),
            estimated_sum(released, query, DOMAINS, "visits"),
        )
        errors.append(error(total / n, about / m) if answer == "mean" else error(total, about))
    assert measured == pytest.approx(sum(errors) / len(errors))


def refuse_or_measure(found, file):
    shoal.QueryError(workload=file).refuse(found.policy.columns)  # what is wrong with columns
    found.measure("query-error", workload=file)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("age,jab\n20,nurse\n", r"line 1: the table has no column 'jab'; did you mean 'job'"),
        ("age,visits\n20,1\n", r"line 1: 'visits' is not a quasi-identifier"),
        ("age,job\n20,nurse\n\n21,pilot\n", r"line 4: the condition on 'job' means no value"),
        ("age,job\n20,nurse,1\n", r"line 2: 3 conditions, but the first line names 2"),
        ("age,job\n", r"queries.csv has no queries"),
    ],
)
def test_a_file_of_queries_that_is_wrong_says_where_and_shows_no_value(tmp_path, text, message):
    with pytest.raises((BadOption, InputError), match=message) as caught:
        refuse_or_measure(release(), written(tmp_path, text))

    assert "pilot" not in str(caught.value)


def test_a_file_of_queries_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputError, match=r"none.csv cannot be read"):
        release().measure("query-error", workload=str(tmp_path / "none.csv"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"answer": "sum"}, "of is the column"),
        ({"of": "visits"}, "of is the column"),
        ({"answer": "sum", "of": "visit"}, "'visit' must be a column .* did you mean 'visits'"),
        ({"workload": "a.csv", "columns": ["age"]}, "columns are those of the workload"),
    ],
)
def test_options_of_queries_that_do_not_go_together_are_refused(options, message):
    with pytest.raises((BadOption, PolicyError), match=message):
        release().measure("query-error", **options)


def test_text_has_no_sum():
    frame = people().with_columns(city=pl.lit("Bonn"))
    found = shoal.anonymize(
        frame, quasi=["age"], keep=["city"], drop=["job", "visits"], privacy=[shoal.KAnonymity(2)]
    )

    with pytest.raises(BadOption, match="'city' has no numbers"):
        found.measure("query-error", answer="sum", of="city")
