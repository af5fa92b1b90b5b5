"""The transformer for scikit-learn."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import shoal
from shoal.sklearn import Anonymizer


@parametrize_with_checks([Anonymizer()])
def test_it_passes_the_checks_of_scikit_learn(estimator, check):
    check(estimator)


def features(n=120):
    rng = np.random.default_rng(3)
    return np.column_stack([rng.normal(50, 9, n), rng.exponential(4, n), rng.integers(0, 3, n)])


@pytest.mark.parametrize("k", [2, 5, 30])
def test_every_training_row_looks_like_others(k):
    hidden = Anonymizer(k=k).fit_transform(features())

    _, sizes = np.unique(hidden, axis=0, return_counts=True)
    assert sizes.min() >= k


def test_numbers_become_middles_of_intervals_that_they_are_in():
    table = features()
    fitted = Anonymizer(k=3).fit(table)

    hidden = fitted.transform(table)

    half = 2.0**fitted.levels_ * fitted.step_ / 2
    assert (np.abs(hidden - table) <= half + 1e-9).all()
    assert fitted.verdict_.holds


def test_new_rows_fall_into_the_intervals_of_the_training_table():
    fitted = Anonymizer(k=3).fit(features())
    beyond = np.array([[-1e300, 1e9, 7.0], [1e300, -5.0, 1.0]])

    hidden = fitted.transform(beyond)

    table = features()
    assert (hidden >= table.min(axis=0)).all()
    assert (hidden <= table.max(axis=0)).all()


def test_it_works_in_a_pipeline_and_keeps_names():
    frame = pd.DataFrame(features(), columns=["age", "days", "stage"])
    y = (frame["age"] > 50).astype(int)
    model = make_pipeline(Anonymizer(k=4).set_output(transform="pandas"), LogisticRegression())

    model.fit(frame, y)

    assert model.score(frame, y) > 0.7
    assert list(model[0].get_feature_names_out()) == ["age", "days", "stage"]


def test_other_models_may_be_asked_for():
    risk = [{"model": "reidentification-risk", "highest": 0.1}]

    hidden = Anonymizer(privacy=risk).fit_transform(features())

    assert np.unique(hidden, axis=0, return_counts=True)[1].min() >= 10


@pytest.mark.parametrize("wrong", [{"k": 0}, {"k": "five"}, {"algorithm": "mondrian"}])
def test_what_makes_no_sense_is_a_shoal_error(wrong):
    with pytest.raises(shoal.ShoalError):
        Anonymizer(**wrong).fit(features())
