"""Recipes: what a regulation or a custom asks of a policy, with the source of each number.

A number that no regulation has is called a convention, with whose it is. See docs/recipes.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

import polars as pl

from shoal.errors import PolicyError, nearest
from shoal.proposals.hierarchies import is_age, is_birth_year
from shoal.proposals.libraries import fits
from shoal.proposals.profile import Profile
from shoal.proposals.proposal import Suggestion
from shoal.read.called import words_of
from shoal.read.zip_codes import three_digits

OLDEST = 90
RELEASED = ("quasi", "sensitive", "keep")
PLACES = """
    address block borough cities city ciudad citta cidade commune county district gemeinde hamlet
    kreis municipality neighborhood neighbourhood ort parish place precinct settlement stad stadt
    street suburb town township tract village ville ward wohnort zip zone
"""
ZIPS = "zip zips zipcode zipcodes"
PARTS_OF_A_YEAR = "date dates day days month months monat mois mes week weeks woche quarter quartal"
# 2023-05, 2023-W05, 2023Q1, 202305, 05/2023; not any number with a fraction
YEAR_AND_MORE = (
    r"^\s*((18|19|20)\d{2}[-/. ]?([QHWqhw]\d{1,2}|[01]?\d)|[01]?\d[-/.](18|19|20)\d{2})\s*$"
)
MOST_LOOKED_AT = 10_000
DATES = ("date", "datetime")
SAFE_HARBOR_AGES = "45 CFR 164.514(b)(2)(i)(C): ages over 89 are one group, 90 or older"
AS_IN_SAFE_HARBOR = "a convention, after the ages of HIPAA Safe Harbor"
NO_SHARE = "No regulation says how many records may be left out. {} is a convention of Shoal's."


@dataclass(frozen=True)
class Recipe:
    """What `shoal init --for` fills in, and why.

    `k` is the smallest group, `threshold` the highest risk that the policy's context states.
    `oldest` says why ages end at 90, if they do. `years_only` says why dates become years.
    `no_places` says why places smaller than a state are withheld.
    """

    name: str
    about: str
    k: int
    k_reason: str
    suppression: float
    threshold: float | None = None
    threshold_reason: str = ""
    oldest: str = ""
    years_only: str = ""
    no_places: str = ""
    says: tuple[str, ...] = ()

    @property
    def suppression_reason(self) -> str:
        return NO_SHARE.format(f"{self.suppression:g}")


RECIPES: Mapping[str, Recipe] = {
    recipe.name: recipe
    for recipe in (
        Recipe(
            "ema",
            "Clinical data for publication by EMA Policy 0070 or Health Canada PRCI",
            k=12,
            k_reason="1/12 = 0.083 is the highest risk of a group that is not above 0.09. A group "
            "of 11, often named with 0.09, has 0.0909",
            threshold=0.09,
            threshold_reason="EMA/90915/2016 (external guidance on Policy 0070) and Health Canada "
            "PRCI: 0.09 in most circumstances",
            suppression=0.01,
            oldest=AS_IN_SAFE_HARBOR,
            says=(
                "They ask for an anonymisation report with initial risk, threshold and residual "
                "risk: `shoal anonymize --report`. Fill in `context` below.",
                "Other dates than those of birth are generalised. Offsets, which the guidance "
                "also names, are not made here.",
            ),
        ),
        Recipe(
            "hipaa-safe-harbor",
            "Health data of the United States by 45 CFR 164.514(b)(2), Safe Harbor",
            k=5,
            k_reason="Safe Harbor has no k. 5 is the classic least cell (a convention, El Emam), "
            "and k: 1 would be Safe Harbor and no more",
            suppression=0.0,
            oldest=SAFE_HARBOR_AGES,
            years_only="45 CFR 164.514(b)(2)(i)(C): of dates, the year only",
            no_places="45 CFR 164.514(b)(2)(i)(B): no place smaller than a state, but for the "
            "first three digits of a ZIP code",
            says=(
                "Check that all 18 kinds of identifiers are identifier or drop, and that you know "
                "of nothing else that identifies somebody (164.514(b)(2)(ii)).",
                "Look for places smaller than a state, and for months, weeks and days: they are "
                "known by the names of columns and by how dates are written, not by meaning.",
                "Of ZIP codes, the first three digits stay, and areas where 20,000 people or fewer "
                "live are 000: `zip3: census`, by the censuses of 2000 and 2010. Compare with the "
                "present figures of the Census Bureau; `zip3: [055, 192]` adds areas that are "
                "small today, or have no residents.",
            ),
        ),
        Recipe(
            "hipaa-expert",
            "Health data of the United States by 45 CFR 164.514(b)(1), expert determination",
            k=20,
            k_reason="The rule has no number: the risk must be very small. 20 (0.05) is a "
            "convention for public patient data (El Emam); others cite 0.09 or 0.04",
            threshold=0.05,
            threshold_reason="a convention for public patient data (El Emam, cells of 20). The "
            "rule says very small, and the expert decides",
            suppression=0.01,
            oldest=AS_IN_SAFE_HARBOR,
            says=(
                "An expert must determine that the risk is very small, and document methods and "
                "results: fill in `expert` under `context`, and use `shoal anonymize --report`.",
            ),
        ),
        Recipe(
            "ehds",
            "Secondary use of health data by Regulation (EU) 2025/327, European Health Data Space",
            k=12,
            k_reason="The regulation has no number. 0.09 of EMA Policy 0070 is taken by "
            "convention, and 1/12 = 0.083 is not above it",
            threshold=0.09,
            threshold_reason="a convention: the regulation has no number, EMA Policy 0070 has 0.09",
            suppression=0.01,
            oldest=AS_IN_SAFE_HARBOR,
            says=(
                "Whether data are anonymous is decided by Recital 26 of the GDPR: by all means "
                "reasonably likely to be used. `shoal attack` tries singling out and inference.",
            ),
        ),
        Recipe(
            "open-data",
            "A public file that anybody may download",
            k=20,
            k_reason="No regulation has a number. 20 (0.05) is the convention for public files of "
            "patients (El Emam); the Canadian public discharge file (CIHI) used 0.04 to 0.05",
            threshold=0.05,
            threshold_reason="a convention: CIHI's public file of hospital discharges, 0.04 to "
            "0.05 (BMC Medical Informatics and Decision Making 2011, 11:53)",
            suppression=0.01,
            oldest=AS_IN_SAFE_HARBOR,
            says=("A public file cannot be called back. Let somebody try to find people in it.",),
        ),
        Recipe(
            "internal-test",
            "Test data inside the organisation, under its controls",
            k=3,
            k_reason="No regulation has a number. 3 (0.33) is the least cell in use (a convention, "
            "IHSN and World Bank guide; the default of sdcMicro)",
            suppression=0.05,
            says=("Not for anybody outside: the risk of a record is up to one in three.",),
        ),
    )
}


def recipe_of(name: str) -> Recipe:
    """The recipe of this name."""
    if name not in RECIPES:
        raise PolicyError(
            f"unknown recipe {name!r}{nearest(name, RECIPES)} Recipes are {', '.join(RECIPES)}."
        )
    return RECIPES[name]


def fitted(suggestion: Suggestion, profile: Profile, recipe: Recipe, today: date) -> Suggestion:
    """A suggestion as a recipe has it."""
    if suggestion.role in RELEASED:
        if recipe.no_places and _has_zip_codes(profile):
            reason = f"{suggestion.reason}; three digits, 000 for small areas ({recipe.no_places})"
            hierarchy = {"library": "us-zip"}
            return Suggestion(suggestion.name, "quasi", hierarchy, reason, zip3=True)
        if recipe.no_places and _is_small_place(profile):
            return _withheld(suggestion, recipe.no_places)
        if recipe.years_only and _is_part_of_a_year(profile):
            return _withheld(suggestion, recipe.years_only)
    if suggestion.role != "quasi":
        return suggestion
    if recipe.oldest and profile.means("birth") and profile.kind in DATES:
        return replace(
            suggestion,
            hierarchy=None,
            bounds=None,
            age_on=today.isoformat(),
            top=OLDEST,
            reason=f"{suggestion.reason}; read as an age, up to {OLDEST}+ ({recipe.oldest})",
        )
    if recipe.years_only and (is_birth_year(profile) or "yob" in words_of(profile.name)):
        return _withheld(suggestion, f"{recipe.oldest}; a year of birth tells it")
    if recipe.years_only and profile.kind in DATES:
        return replace(
            suggestion,
            hierarchy=None,
            bounds={"grid": "year"},
            reason=f"{suggestion.reason}; years only ({recipe.years_only})",
        )
    if recipe.oldest and (is_age(profile) or words_of(profile.name) == ["years", "old"]):
        reason = f"{suggestion.reason}; up to {OLDEST}+ ({recipe.oldest})"
        return replace(suggestion, hierarchy=None, top=OLDEST, reason=reason)
    return suggestion


def _has_zip_codes(profile: Profile) -> bool:
    """Whether all of its values are ZIP codes of the United States, and it is called so."""
    if not (_is_called(profile, ZIPS) or profile.looks.look == "postcode"):
        return False
    read = three_digits(profile.series, (), profile.missing_values).drop_nulls()
    found = read.filter(~read.is_in(["", *profile.missing_values])).unique()
    return len(found) > 0 and fits("us-zip", found.to_list())


def _is_small_place(profile: Profile) -> bool:
    """Whether it is a postcode, coordinates, or called by a word for a place within a state."""
    is_postcode = profile.means("postcode") or profile.looks.look == "postcode"
    return is_postcode or profile.means("place") or _is_called(profile, PLACES)


def _is_part_of_a_year(profile: Profile) -> bool:
    """Whether it tells a month, a week or the like, and is not a date that can be cut to years."""
    if profile.kind in DATES:
        return False
    if _is_called(profile, PARTS_OF_A_YEAR):
        return True
    if profile.kind == "number":
        return False
    texts = profile.series.drop_nulls().cast(pl.String, strict=False).head(MOST_LOOKED_AT)
    return 2 * int(texts.str.contains(YEAR_AND_MORE).sum()) > len(texts)


def _is_called(profile: Profile, words: str) -> bool:
    return not set(words.split()).isdisjoint(words_of(profile.name))


def _withheld(suggestion: Suggestion, why: str) -> Suggestion:
    reason = f"{suggestion.reason}; withheld ({why})"
    return Suggestion(suggestion.name, "drop", None, reason)
