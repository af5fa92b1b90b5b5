"""What is said of a gain: whether it is there, and whether it comes of taking part."""

import pytest

from shoal.attacks.confidence import Estimate
from shoal.attacks.inference import Inference
from shoal.report.attack import inference_says
from shoal.types.unit import PERSON, RECORD

SURE, NONE, ANY = Estimate(0.2, 0.1, 0.3), Estimate(0.0, -0.1, 0.1), Estimate(0.5, 0.4, 0.6)


@pytest.mark.parametrize(
    ("gain", "from_others", "from_taking_part", "said"),
    [
        (NONE, NONE, NONE, "is no better than always guessing"),
        (SURE, SURE, NONE, "the same for {many} are not in the release"),
        (SURE, NONE, SURE, "only because the {one} is in the release"),
        (SURE, SURE, SURE, "for any {one}, and"),
    ],
)
@pytest.mark.parametrize(("unit", "many"), [(PERSON, "people who"), (RECORD, "records that")])
def test_the_sentence_says_where_a_gain_comes_from(
    gain, from_others, from_taking_part, said, unit, many
):
    found = Inference("ill", ANY, ANY, ANY, gain, from_others, from_taking_part)

    sentence = inference_says(found, unit)

    assert sentence.startswith("'ill': ")
    assert said.format(one=unit.one, many=many) in sentence
    assert sentence.endswith(".")
