"""What a listener hears of stages that end well, fail, or are cancelled."""

from __future__ import annotations

import pytest

from shoal.errors import Cancelled
from shoal.runs.stages import Stages
from shoal.types.watch import Progress, Watch


class Noted:
    def __init__(self):
        self.heard = []

    def began(self, stage):
        self.heard.append(stage)

    def progressed(self, progress):
        self.heard.append(progress)

    def ended(self, stage, seconds, ending):
        assert seconds >= 0
        self.heard.append((stage, ending))


def test_a_listener_hears_when_a_stage_begins_and_ends_and_how_far_it_is():
    noted = Noted()
    stages = Stages(noted)

    with stages("group"):
        stages.watch.begin("nodes", 2)

    assert noted.heard == ["group", Progress(0, 2, "nodes"), ("group", "done")]
    assert stages.seconds.keys() == {"group"}


@pytest.mark.parametrize(
    ("error", "ending"),
    [(ValueError, "failed"), (Cancelled, "cancelled"), (KeyboardInterrupt, "cancelled")],
)
def test_a_stage_that_fails_ends_for_the_listener_too(error, ending):
    noted = Noted()

    with pytest.raises(error), Stages(noted)("group"):
        raise error

    assert noted.heard == ["group", ("group", ending)]


def test_after_a_cancel_the_present_stage_ends_and_no_other_begins():
    noted = Noted()
    stages = Stages(noted)

    with pytest.raises(Cancelled), stages("recode"):
        stages.watch.cancel()
    with pytest.raises(Cancelled), stages("write"):
        pytest.fail("it began")

    assert noted.heard == ["recode", ("recode", "cancelled")]


def test_a_watch_of_the_callers_own_is_used():
    watch = Watch()

    assert Stages(watch=watch).watch is watch
