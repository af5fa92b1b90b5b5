"""Classifiers of scikit-learn, and how well they do."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from shoal.errors import BadOption
from shoal.types.arrays import FloatArray, Int64Array

Learner = Callable[[FloatArray, Int64Array, FloatArray], Int64Array]  # learn, and guess of others
ROUNDS, FEWEST_IN_LEAF = 300, 10
OF_95_PER_CENT = 1.96  # standard deviations


class Accuracy(NamedTuple):
    """The mean over classes of the share that was recognised, and its 95 % interval."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, truth: Int64Array, guessed: Int64Array) -> Accuracy:
        """
        >>> Accuracy.of(np.array([0, 0, 0, 1]), np.array([0, 0, 0, 0])).value
        0.5
        """
        is_right = truth == guessed
        classes = np.unique(truth)
        rates = np.array([is_right[truth == value].mean() for value in classes])
        sizes = np.array([(truth == value).sum() for value in classes])
        # Classes are drawn independently, so their variances add up.
        deviation = float(np.sqrt((rates * (1 - rates) / sizes).sum())) / len(classes)
        value, off = float(rates.mean()), OF_95_PER_CENT * deviation
        return cls(value, max(0.0, value - off), min(1.0, value + off))


def learner_of(name: str, seed: int) -> Learner:
    """The learner of a name. Raises `BadOption` where scikit-learn is not installed."""
    try:
        from sklearn.linear_model import LogisticRegression
        from sklearn.tree import DecisionTreeClassifier
    except ImportError:
        raise BadOption(
            "classification needs scikit-learn. Install it with `pip install shoal[sklearn]`."
        ) from None
    made: Callable[[], Any] = {
        "logistic": lambda: LogisticRegression(class_weight="balanced", max_iter=ROUNDS),
        "tree": lambda: DecisionTreeClassifier(
            class_weight="balanced", min_samples_leaf=FEWEST_IN_LEAF, random_state=seed
        ),
    }[name]

    def learn(figures: FloatArray, classes: Int64Array, others: FloatArray) -> Int64Array:
        from threadpoolctl import threadpool_limits  # of scikit-learn

        if len(np.unique(classes)) < 2:
            return np.full(len(others), classes[0] if len(classes) else -1)
        # One thread: several add numbers up in an order of their own.
        with threadpool_limits(1), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it did not quite converge
            guessed: Int64Array = made().fit(figures, classes).predict(others)
        return guessed

    return learn
