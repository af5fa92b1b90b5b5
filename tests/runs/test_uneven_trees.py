"""Whole runs with trees of uneven depth, recounted from the cells and the tree as given."""

from collections import defaultdict

import duckdb
import numpy as np
import polars as pl
import pytest

import naive
import shoal
from cases.uneven import WAYS, random_tree, spec_of
from naive import trees
from shoal import catalog
from shoal.policy.policy import Policy
from tiers import part, seeds

ALGORITHMS = sorted(catalog.names("algorithm"))
MEASURES = ("il", "iloss", "loss", "ncp", "precision")
TOLERANCE = 1e-9
WRITTEN = [(algorithm, WAYS[i % len(WAYS)]) for i, algorithm in enumerate(ALGORITHMS)]


class Case:
    """Records with a job and an illness, each a leaf of a random tree, the number to know them."""

    def __init__(self, seed, way):
        self.rng = np.random.default_rng([seed, len(way)])
        self.jobs, self.ills = random_tree(self.rng), random_tree(self.rng)
        self.job_spec = spec_of(self.jobs, self.rng, way)
        self.ill_spec = spec_of(self.ills, self.rng, way)
        n = int(self.rng.integers(20, 60))
        self.frame = pl.DataFrame(
            {
                "job": self._some(trees.leaves(self.jobs), n),
                "ill": self._some(trees.leaves(self.ills), n),
                "id": [str(i) for i in range(n)],
            }
        )

    def _some(self, leaves, n):
        return [leaves[i] for i in self.rng.integers(len(leaves), size=n)]

    def policy(self, algorithm, *models, suppression=0.2):
        return Policy.of_roles(
            quasi={"job": self.job_spec},
            sensitive={"ill": self.ill_spec},
            keep=["id"],
            privacy=[shoal.KAnonymity(2), *models],
            algorithm=algorithm,
            suppression=suppression,
        )


def recounted(case, release):
    """Groups of the release: the jobs, the cell and the illnesses of each."""
    groups = defaultdict(list)
    jobs, ills = case.frame["job"].to_list(), case.frame["ill"].to_list()
    for cell, number in release.frame.select("job", "id").iter_rows():
        groups[cell].append((jobs[int(number)], ills[int(number)]))
    return groups


@pytest.mark.parametrize("seed", seeds(1, thorough=6))
@pytest.mark.parametrize(("algorithm", "way"), WRITTEN)
def test_every_algorithm_publishes_and_measures_by_the_tree(algorithm, way, seed):
    case = Case(seed, way)
    release = case.policy(algorithm).anonymize(case.frame)
    groups = recounted(case, release)

    for cell, members in groups.items():
        jobs = [job for job, _ in members]
        below = trees.find(case.jobs, cell)
        assert len(members) >= 2
        assert set(jobs) <= set(trees.leaves({cell: below}))
        if "levels" not in release.summary():
            assert cell == trees.lowest_node(case.jobs, jobs)
    cells = [[cell] for cell, members in groups.items() for _ in members]
    n_suppressed = len(case.frame) - len(cells)
    expected = naive.measures(
        [trees.InTree(case.frame["job"].to_list(), case.jobs)],
        [*cells, *[None] * n_suppressed],
        [*(cell for (cell,) in cells), *[None] * n_suppressed],
        k=2,
    )
    for name in MEASURES:
        assert release.measures[name] == pytest.approx(expected[name]), name


@pytest.mark.parametrize("seed", seeds(1, thorough=6))
@pytest.mark.parametrize("way", ["short rows", "tree", "either repeated"])
@pytest.mark.parametrize("algorithm", part(ALGORITHMS, 4))
def test_models_that_look_at_a_tree_hold_in_what_is_published(algorithm, way, seed):
    case = Case(seed, way)
    models = shoal.SDiversity("ill", 0.8, 1), shoal.TCloseness("ill", 0.4, distance="hierarchical")

    release = case.policy(algorithm, *models, suppression=1.0).anonymize(case.frame)

    groups = [[ill for _, ill in members] for members in recounted(case, release).values()]
    released = [ill for group in groups for ill in group]
    for group in groups:
        alike = trees.s_diversity(case.ills, group, 1, has_missing=False)
        assert alike <= 0.8 + TOLERANCE
        for table in (released, case.frame["ill"].to_list()):
            far = trees.earth_movers_distance(case.ills, group, table)
            assert far <= 0.4 + TOLERANCE


@pytest.mark.parametrize("seed", seeds(1, thorough=6))
@pytest.mark.parametrize("way", WAYS)
def test_a_recoding_its_sql_and_a_written_policy_keep_the_tree(way, seed, tmp_path):
    case = Case(seed, way)
    policy = case.policy("flash")
    release = policy.anonymize(case.frame)

    policy.write(tmp_path / "policy.yaml")
    again = shoal.Policy.load(tmp_path / "policy.yaml").anonymize(case.frame)
    release.recoding.write(tmp_path / "recoding.json")
    applied = shoal.Recoding.load(tmp_path / "recoding.json").apply(case.frame)

    assert again.frame.equals(release.frame)
    assert applied.frame.sort("id").equals(release.frame.sort("id"))
    with duckdb.connect() as connection:
        connection.register("data", case.frame.to_arrow())
        by_sql = connection.sql(release.recoding.sql()).pl()
    assert by_sql.sort("id").equals(release.frame.sort("id"))
