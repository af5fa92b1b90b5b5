"""Recodings with models about whole tables: references, severities, populations."""

import pytest

import shoal
from conformance.tables import MODELS, patients, policy
from shoal.errors import InputError
from shoal.saved_recoding.recoding import Recoding
from tiers import part

ABOUT_COLUMNS = sorted(name for name, options in MODELS.items() if "column" in options)
ABOUT_POPULATIONS = sorted(name for name, options in MODELS.items() if "population" in options)


def recoding_of(model, n_records=200):
    rules = policy("flash", model, suppression=0.5)
    return rules, rules.anonymize(patients(n_records)).recoding


@pytest.mark.parametrize("model", part([*ABOUT_COLUMNS, *ABOUT_POPULATIONS], 4))
def test_new_records_by_themselves_keep_the_model(model):
    rules, recoding = recoding_of(model)

    release = recoding.apply(patients(300, seed=5))

    assert release.verdict.holds
    assert shoal.check(release.frame, rules).holds


@pytest.mark.parametrize("model", part([*ABOUT_COLUMNS, *ABOUT_POPULATIONS], 4))
def test_a_recoding_is_written_and_read_back_with_its_model(model, tmp_path):
    _, recoding = recoding_of(model)

    recoding.write(tmp_path / "release.recoding.json")

    assert Recoding.load(tmp_path / "release.recoding.json") == recoding


@pytest.mark.parametrize("model", part(ABOUT_COLUMNS, 3))
def test_new_records_hide_in_an_earlier_release(model):
    rules = policy("flash", model, suppression=0.5)
    earlier = rules.anonymize(patients(200))

    release = earlier.recoding.apply(patients(60, seed=5), earlier=earlier.frame)

    assert release.verdict.holds
    assert release.verdict.n_records == len(earlier.frame) + len(release.frame)


@pytest.mark.parametrize("model", ABOUT_POPULATIONS)
def test_a_population_and_an_earlier_release_together_are_refused(model):
    rules = policy("flash", model, suppression=0.5)
    earlier = rules.anonymize(patients(200))

    with pytest.raises(InputError, match="population"):
        earlier.recoding.apply(patients(60, seed=5), earlier=earlier.frame)
