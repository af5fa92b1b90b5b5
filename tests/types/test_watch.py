"""What a watch hears, and how it ends work."""

from __future__ import annotations

import threading

import pytest

from shoal.errors import Cancelled, NotPrivate
from shoal.types import watch as watch_module
from shoal.types.watch import Progress, Watch


@pytest.fixture
def all_heard(monkeypatch):
    """Every report is passed on, however soon it follows the one before."""
    monkeypatch.setattr(watch_module, "EVERY", 0)


def test_work_is_heard_of_when_it_begins_and_when_it_ends():
    heard = []
    watch = Watch(heard.append)

    watch.begin("nodes", 3)
    watch.report(1, best=0.5)  # too soon after the one before
    watch.report(3, best=0.25)

    assert heard == [Progress(0, 3, "nodes"), Progress(3, 3, "nodes", 0.25)]


def test_what_threads_count_is_added_up(all_heard):
    heard = []
    watch = Watch(heard.append)
    watch.begin("records", 10)

    def work():
        watch.pulse().done[0] += 3

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    work()
    watch.report(1)

    assert heard[-1] == watch.progress == Progress(10, 10, "records")


def test_no_more_is_ever_done_than_there_is():
    watch = Watch()
    watch.begin("records", 5)

    watch.report(7)

    assert watch.progress.done == 5


def test_another_piece_of_work_begins_at_nothing():
    watch = Watch()
    watch.begin("records", 5)
    watch.pulse().done[0] += 4

    watch.begin("nodes", None)

    assert watch.progress == Progress(0, None, "nodes")


@pytest.mark.parametrize("method", ["check", "look"])
def test_whoever_looks_after_a_cancel_is_told_to_end(method):
    watch = Watch()
    thread = threading.Thread(target=watch.cancel)

    thread.start()
    thread.join()

    with pytest.raises(Cancelled, match="Nothing was written"):
        getattr(watch, method)()
    assert watch.pulse().stop[0]
    assert not issubclass(Cancelled, NotPrivate)


def test_a_listener_may_cancel_and_hears_no_more():
    heard = []

    def hear(progress):
        heard.append(progress)
        watch.cancel()

    watch = Watch(hear)
    with pytest.raises(Cancelled):
        watch.begin("records", 5)

    with pytest.raises(Cancelled):
        watch.report(5)
    assert len(heard) == 1


def test_kernels_that_were_halted_may_run_again_unless_cancelled():
    watch = Watch()
    pulse = watch.pulse()

    with watch.halted():
        assert pulse.stop[0]
    assert not pulse.stop[0]
    with watch.halted():
        watch.cancel()

    assert pulse.stop[0]
