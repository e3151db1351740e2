"""Which turns somebody answers: those of some roles, or all."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ALL_ROLES", "RoleFilter"]


@dataclass(frozen=True)
class RoleFilter:
    """Admits the turns of some roles: of all unless `only` names some, and never of `excluded`."""

    only: frozenset[str] = frozenset()
    excluded: frozenset[str] = frozenset()

    @classmethod
    def parse(cls, only: str = "", excluded: str = "") -> RoleFilter:
        """Read two lists of roles, each separated by commas."""
        return cls(_names(only), _names(excluded))

    def admits(self, role: str) -> bool:
        """Return whether turns of this role are wanted."""
        return role not in self.excluded and (not self.only or role in self.only)

    @property
    def options(self) -> str:
        """The options of the command line that make this filter, each after a space."""
        given = (("--role", self.only), ("--except-role", self.excluded))
        return "".join(f" {name} {','.join(sorted(roles))}" for name, roles in given if roles)


def _names(text: str) -> frozenset[str]:
    return frozenset(name.strip() for name in text.split(",") if name.strip())


ALL_ROLES = RoleFilter()
