"""What proposes a policy: a policy is taken from it wherever one is asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any


class Proposes(ABC):
    """Something that a policy can be made of."""

    @abstractmethod
    def policy(self) -> Any:
        """The policy that is proposed."""
