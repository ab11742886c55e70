"""The words and shape of care: events, codes, units, the journey graph, what is visible at a time."""

from oncoproof.journey.codes import Code, System
from oncoproof.journey.events import Event, Kind
from oncoproof.journey.labels import label
from oncoproof.journey.links import Link, Reason

__all__ = ["Code", "Event", "Kind", "Link", "Reason", "System", "label"]
