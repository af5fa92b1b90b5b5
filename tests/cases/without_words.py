"""A base of test models that are only ever asked whether groups hold."""

from __future__ import annotations

from shoal.types.model import PrivacyModel


class WithoutWords(PrivacyModel):
    """Says nothing of what it requires or found."""

    def achieved(self, stats):
        return 0.0

    def demand(self, unit=None):
        return ""

    def found(self, achieved, unit=None):
        return ""
