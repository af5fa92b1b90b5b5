"""What ranges, sets and means tell besides what they cover."""

from __future__ import annotations

from shoal.report.dossier.section import Section, advice, figure
from shoal.report.summarise import Facts
from shoal.report.tables import disclosed_table


def told(facts: Facts) -> Section | None:
    """None if no cell tells more than it covers, or the reader is not to know how many do."""
    if not facts["discloses"]["columns"]:
        return None
    return Section(
        "told",
        "What cells tell besides",
        "WP216: inference.",
        (
            figure(
                "A range from the lowest to the highest value of a group ends at values that "
                "somebody has, and a set lists such values. Where a group has no more records than "
                "that, all its values in the column are known. A mean limits the value of the last "
                "member to who knows the others. Groups, and k, are not affected.",
                disclosed_table(facts),
            ),
            advice(
                "If that is too much:",
                "give the column a hierarchy, or set `bounds: grid` for ranges of numbers and "
                "dates.",
            ),
        ),
    )
