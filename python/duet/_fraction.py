# SPDX-License-Identifier: Apache-2.0
"""Fractions that are formatted as numbers are, f"{solution.gap:.2%}": fractions.Fraction itself does so from Python 3.12
on."""
import fractions
import sys

if sys.version_info >= (3, 12):
    Fraction = fractions.Fraction
else:
    class Fraction(fractions.Fraction):
        """What Duet returns before that; what is computed of it is a fractions.Fraction."""

        __slots__ = ()

        def __format__(self, spec: str) -> str:
            return format(float(self), spec) if spec else str(self)
