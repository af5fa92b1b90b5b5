"""No release of any algorithm loses less than the bound says is possible."""

from __future__ import annotations

import pytest

from cases.bounded import bounded
from conformance.tables import KINDS, MODELS_OF_PEOPLE, patients, policy, visits
from tiers import part, seeds


@pytest.mark.parametrize("seed", seeds(1, thorough=3))
@pytest.mark.parametrize("suppression", [0, 0.1])
def test_no_release_is_below_the_bound(algorithm, suppression, seed):
    rules = bounded(policy(algorithm, options={"k": 4}, suppression=suppression))

    release = rules.anonymize(patients(50, seed))

    assert 0 < release.bound.value <= release.measures["loss"]
    assert release.summary()["gap"] >= 1


@pytest.mark.parametrize("seed", seeds(1, thorough=2))
def test_no_release_is_below_the_bound_whatever_the_model(algorithm, model, seed):
    release = bounded(policy(algorithm, model)).anonymize(patients(60, seed))

    assert (release.bound.value or 0) <= release.measures["loss"]


@pytest.mark.parametrize("kind", part(["both", "constant", "varying"], 1))
def test_no_release_of_people_with_several_records_is_below_the_bound(algorithm, kind):
    rules = policy(algorithm, options=MODELS_OF_PEOPLE["k-anonymity"], person="name")

    release = bounded(rules).anonymize(visits(25, varying=KINDS[kind]))

    assert 0 < release.bound.value <= release.measures["loss"]
