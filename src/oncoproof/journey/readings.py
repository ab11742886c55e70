"""What reading a foreign document gives: the journey in it, and the parts that were not understood.

Rules this module guarantees:

- What a reader does not understand is named in `losses`, with the place where it stands; nothing is
  dropped in silence.

    >>> Loss("phenotypicFeatures[0].description", "words beside a feature").where
    'phenotypicFeatures[0].description'
"""

from dataclasses import dataclass

from oncoproof.journey.graph import Journey


@dataclass(frozen=True, slots=True)
class Loss:
    """A part of a document that has no place in a journey."""

    where: str
    """Path of the part within the document, for instance `biosamples[1].taxonomy`."""
    what: str
    """What stood there, in words."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of reading a document."""

    journey: Journey
    """What was understood."""
    losses: tuple[Loss, ...] = ()
    """What was not, in the order of the document."""
