"""Shoal anonymizes tables of people so that they can be shared.

>>> import shoal, polars as pl
>>> people = pl.DataFrame({"name": ["Ann", "Bob", "Cem", "Dee"], "age": [31, 38, 52, 55]})
>>> release = shoal.anonymize(people, identifiers=["name"], quasi=["age"],
...                           privacy=[shoal.KAnonymity(2)])
>>> release.frame["age"].to_list()
['[31, 38]', '[31, 38]', '[52, 55]', '[52, 55]']
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # what type checkers and editors see; else names are imported at their first use
    from typing import Any

    from shoal import catalog as catalog
    from shoal import datasets as datasets
    from shoal import errors as errors
    from shoal import testing as testing
    from shoal.api.anonymize import anonymize as anonymize
    from shoal.api.anonymize_in_database import anonymize_in_database as anonymize_in_database
    from shoal.api.check import check as check
    from shoal.api.compare import compare as compare
    from shoal.api.frontier import frontier as frontier
    from shoal.api.propose import propose as propose
    from shoal.comparison.comparison import Comparison as Comparison
    from shoal.comparison.frontier import Frontier as Frontier
    from shoal.errors import ShoalError as ShoalError
    from shoal.group.auto import Auto as Auto
    from shoal.group.cluster.k_member import KMember as KMember
    from shoal.group.cluster.k_member_p import KMemberP as KMemberP
    from shoal.group.cluster.mstk import Mstk as Mstk
    from shoal.group.cluster.oka import Oka as Oka
    from shoal.group.cluster.t_clustering import TClustering as TClustering
    from shoal.group.cluster.tgc import Tgc as Tgc
    from shoal.group.lattice.datafly import Datafly as Datafly
    from shoal.group.lattice.flash import Flash as Flash
    from shoal.group.lattice.improved_greedy import ImprovedGreedy as ImprovedGreedy
    from shoal.group.lattice.incognito import Incognito as Incognito
    from shoal.group.lattice.ola import Ola as Ola
    from shoal.group.lattice.samarati import Samarati as Samarati
    from shoal.group.local.sweep import Sweep as Sweep
    from shoal.group.partition.mondrian import Mondrian as Mondrian
    from shoal.hierarchies.date import Date as Date
    from shoal.hierarchies.date import dates as dates
    from shoal.hierarchies.flat import Flat as Flat
    from shoal.hierarchies.flat import flat as flat
    from shoal.hierarchies.intervals import Intervals as Intervals
    from shoal.hierarchies.intervals import intervals as intervals
    from shoal.hierarchies.levels import Levels as Levels
    from shoal.hierarchies.levels import levels as levels
    from shoal.hierarchies.library import Library as Library
    from shoal.hierarchies.library import library as library
    from shoal.hierarchies.prefix import Prefix as Prefix
    from shoal.hierarchies.prefix import prefix as prefix
    from shoal.hierarchies.tree import Tree as Tree
    from shoal.hierarchies.tree import tree as tree
    from shoal.metrics.average_risk import AverageRisk as AverageRisk
    from shoal.metrics.c_l import CL as CL
    from shoal.metrics.cavg import Cavg as Cavg
    from shoal.metrics.class_size import ClassSize as ClassSize
    from shoal.metrics.classification import Classification as Classification
    from shoal.metrics.correlation import Correlation as Correlation
    from shoal.metrics.dm import Dm as Dm
    from shoal.metrics.dm_star import DmStar as DmStar
    from shoal.metrics.entropy import Entropy as Entropy
    from shoal.metrics.entropy_monotone import EntropyMonotone as EntropyMonotone
    from shoal.metrics.fitness import Fitness as Fitness
    from shoal.metrics.highest_risk import HighestRisk as HighestRisk
    from shoal.metrics.il import Il as Il
    from shoal.metrics.iloss import Iloss as Iloss
    from shoal.metrics.level import Level as Level
    from shoal.metrics.loss import Loss as Loss
    from shoal.metrics.loss_geometric import LossGeometric as LossGeometric
    from shoal.metrics.marginals import Marginals as Marginals
    from shoal.metrics.ncp import Ncp as Ncp
    from shoal.metrics.precision import Precision as Precision
    from shoal.metrics.protection import Protection as Protection
    from shoal.metrics.query_error import QueryError as QueryError
    from shoal.metrics.severity_distance import SeverityDistance as SeverityDistance
    from shoal.metrics.utility import Utility as Utility
    from shoal.policy.policy import Policy as Policy
    from shoal.policy.tables import TablesPolicy as TablesPolicy
    from shoal.privacy.alpha_k import AlphaK as AlphaK
    from shoal.privacy.beta_likeness import BetaLikeness as BetaLikeness
    from shoal.privacy.delta_disclosure import DeltaDisclosure as DeltaDisclosure
    from shoal.privacy.delta_presence import DeltaPresence as DeltaPresence
    from shoal.privacy.distinct_l_diversity import DistinctLDiversity as DistinctLDiversity
    from shoal.privacy.entropy_l_diversity import EntropyLDiversity as EntropyLDiversity
    from shoal.privacy.k_anonymity import KAnonymity as KAnonymity
    from shoal.privacy.k_map import KMap as KMap
    from shoal.privacy.p_sensitive import PSensitive as PSensitive
    from shoal.privacy.recursive_cl_diversity import RecursiveClDiversity as RecursiveClDiversity
    from shoal.privacy.reidentification_risk import ReidentificationRisk as ReidentificationRisk
    from shoal.privacy.s_diversity import SDiversity as SDiversity
    from shoal.privacy.severity_closeness import SeverityCloseness as SeverityCloseness
    from shoal.privacy.t_closeness import TCloseness as TCloseness
    from shoal.proposals.proposal import Proposal as Proposal
    from shoal.read.severities import severity as severity
    from shoal.release.release import Release as Release
    from shoal.release.tables import TablesRelease as TablesRelease
    from shoal.risks.figures import Risk as Risk
    from shoal.risks.suda import Suda as Suda
    from shoal.runs.anonymize_tables import anonymize_tables as anonymize_tables
    from shoal.runs.attack import Attacks as Attacks
    from shoal.runs.attack import attack as attack
    from shoal.runs.check_tables import check_tables as check_tables
    from shoal.runs.explain import explain as explain
    from shoal.runs.measure import Measures as Measures
    from shoal.runs.measure import measure as measure
    from shoal.runs.risk import risk as risk
    from shoal.runs.suda import suda as suda
    from shoal.saved_recoding.recoding import Recoding as Recoding
    from shoal.types.explanation import Explanation as Explanation
    from shoal.types.tables_verdict import TablesVerdict as TablesVerdict
    from shoal.types.verdict import Verdict as Verdict
    from shoal.types.watch import Progress as Progress
    from shoal.types.watch import Watch as Watch

__version__ = "0.1.0"

_MODULES = ("catalog", "datasets", "errors", "testing")
# Public names and where they live.
_PLACES = {
    "anonymize": "shoal.api.anonymize",
    "anonymize_in_database": "shoal.api.anonymize_in_database",
    "anonymize_tables": "shoal.runs.anonymize_tables",
    "attack": "shoal.runs.attack",
    "Attacks": "shoal.runs.attack",
    "check": "shoal.api.check",
    "check_tables": "shoal.runs.check_tables",
    "compare": "shoal.api.compare",
    "Comparison": "shoal.comparison.comparison",
    "dates": "shoal.hierarchies.date",
    "explain": "shoal.runs.explain",
    "Explanation": "shoal.types.explanation",
    "flat": "shoal.hierarchies.flat",
    "frontier": "shoal.api.frontier",
    "Frontier": "shoal.comparison.frontier",
    "intervals": "shoal.hierarchies.intervals",
    "levels": "shoal.hierarchies.levels",
    "library": "shoal.hierarchies.library",
    "measure": "shoal.runs.measure",
    "Measures": "shoal.runs.measure",
    "Policy": "shoal.policy.policy",
    "prefix": "shoal.hierarchies.prefix",
    "Progress": "shoal.types.watch",
    "Proposal": "shoal.proposals.proposal",
    "propose": "shoal.api.propose",
    "Recoding": "shoal.saved_recoding.recoding",
    "Release": "shoal.release.release",
    "Risk": "shoal.risks.figures",
    "risk": "shoal.runs.risk",
    "severity": "shoal.read.severities",
    "ShoalError": "shoal.errors",
    "Suda": "shoal.risks.suda",
    "suda": "shoal.runs.suda",
    "TablesPolicy": "shoal.policy.tables",
    "TablesRelease": "shoal.release.tables",
    "TablesVerdict": "shoal.types.tables_verdict",
    "tree": "shoal.hierarchies.tree",
    "Verdict": "shoal.types.verdict",
    "Watch": "shoal.types.watch",
}
# Of the catalog: algorithms, models, metrics and hierarchies. Other packages add more.
_CLASSES = (
    "AlphaK",
    "Auto",
    "AverageRisk",
    "BetaLikeness",
    "Cavg",
    "CL",
    "Classification",
    "ClassSize",
    "Correlation",
    "Datafly",
    "Date",
    "DeltaDisclosure",
    "DeltaPresence",
    "DistinctLDiversity",
    "Dm",
    "DmStar",
    "Entropy",
    "EntropyLDiversity",
    "EntropyMonotone",
    "Fitness",
    "Flash",
    "Flat",
    "HighestRisk",
    "Il",
    "Iloss",
    "ImprovedGreedy",
    "Incognito",
    "Intervals",
    "KAnonymity",
    "KMap",
    "KMember",
    "KMemberP",
    "Level",
    "Levels",
    "Library",
    "Loss",
    "LossGeometric",
    "Marginals",
    "Mondrian",
    "Mstk",
    "Ncp",
    "Oka",
    "Ola",
    "Precision",
    "Prefix",
    "Protection",
    "PSensitive",
    "QueryError",
    "RecursiveClDiversity",
    "ReidentificationRisk",
    "Samarati",
    "SDiversity",
    "SeverityCloseness",
    "SeverityDistance",
    "Sweep",
    "TCloseness",
    "TClustering",
    "Tgc",
    "Tree",
    "Utility",
)
__all__ = [*_MODULES, *_PLACES, *_CLASSES]


def __dir__() -> list[str]:
    from shoal.catalog import class_names

    return sorted({*__all__, *class_names(), "__version__", "__doc__", "__path__"})


if not TYPE_CHECKING:  # a type checker would take any name for one that is there

    def __getattr__(name: str) -> Any:
        if name in _MODULES:
            return importlib.import_module(f"shoal.{name}")
        if name in _PLACES:
            return getattr(importlib.import_module(_PLACES[name]), name)
        if name[:1].isupper():  # lower-case names are modules, not there yet
            found = importlib.import_module("shoal.catalog").find_class(name)
            if found is not None:
                return found
        raise AttributeError(f"module 'shoal' has no attribute {name!r}{_nearest(name)}")

    def _nearest(name: str) -> str:
        from shoal.errors import nearest

        return nearest(name, __dir__())
