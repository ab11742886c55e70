"""Losses: what a phenopacket cannot say of a record, and what a journey cannot keep of a phenopacket.

Rules this module guarantees:

- Whatever is not listed as lost on the way to a phenopacket comes back from it unchanged. What is listed
  as beside comes back too, but stands where other readers do not look for it.
- What a foreign document holds and a journey cannot keep is named at reading, place by place.

    >>> sorted({limit.direction for limit in LOSSES})
    ['beside the phenopacket', 'from phenopacket', 'to phenopacket']
"""

from dataclasses import dataclass
from typing import Final, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """One thing that one side cannot say."""

    direction: Literal["to phenopacket", "beside the phenopacket", "from phenopacket"]
    """Which way it is lost, or that it is said where only this project looks."""
    what: str
    """What cannot be said."""
    instead: str
    """What happens to it."""


def _to(what: str, instead: str) -> Limit:
    return Limit(direction="to phenopacket", what=what, instead=instead)


def _beside(what: str, instead: str) -> Limit:
    return Limit(direction="beside the phenopacket", what=what, instead=instead)


def _from(what: str, instead: str) -> Limit:
    return Limit(direction="from phenopacket", what=what, instead=instead)


_LINE: Final = "the line of the event in `metaData.externalReferences`"
_NAMED: Final = "named as a loss"

LOSSES: Final = (
    _to("truth: clones, events and links that nobody recorded", "a record holds none"),
    _to("decisions, and links to and from them", "left out"),
    _to(
        "sex at birth, race, ethnicity, name, address, language, insurance, income, education, disability, "
        "distance to the centre",
        "left out: a phenopacket is pseudonymous",
    ),
    _to("which day is day 0", "a reader counts from the first cancer unless told otherwise"),
    _to("the words of every code but the one an event is told by", "the code alone is told"),
    _to("a code without words", "the code itself stands for them"),
    _to("whether a dose of a drug is a bound", "the number alone is told"),
    _to("an id of a gene that is not HGNC's", "the symbol alone is told"),
    _beside("the id of an event, and its order within a day", f"{_LINE}, `event/…`"),
    _beside("day of recording, source, confidence", f"{_LINE}, where they are not the usual ones"),
    _beside("codes", f"{_LINE}, where there is more than one or the section has no field"),
    _beside("day and end of clinical stages and of findings without a specimen", _LINE),
    _beside("notes", f"{_LINE}, where the section has no description"),
    _beside(
        "causal links",
        f"{_LINE} of the effect; response and adverse events of a treatment stand on it too",
    ),
    _beside("what sort of observation a laboratory value is", _LINE),
    _beside("bounds of a reference range beside a value without a number", _LINE),
    _beside("whether a measured marker is inherited", _LINE),
    _beside("staging system and edition", _LINE),
    _beside("line of therapy, relative dose", _LINE),
    _beside("radiotherapy and supportive care as such", _LINE),
    _beside("held treatments, unfinished operations, what supportive care is for", _LINE),
    _beside("sites of a disease beyond one and a side", _LINE),
    _beside("RECIST category of a death, cause of any other outcome", _LINE),
    _beside("origin, allele fraction, assay of a variant", "extensions of its descriptor"),
    _beside("a biomarker that is not there", "a measurement whose assay has a class of this project's"),
    _beside("a value that is a bound", "a quantity whose type has a class of this project's"),
    _beside("a unit that is not UCUM, words where a class is asked for", "a class of this project's"),
    _from("the time of day", f"the day in UTC; {_NAMED}"),
    _from("gestational ages, ontology classes as times", _NAMED),
    _from("an age", "the day it was reached; a date of birth that is inferred for it is named as a loss"),
    _from("a part without a time", f"placed on the last encounter, a cancer on the first day; {_NAMED}"),
    _from("ids of the document and of its parts", "only the subject's and those of `event/…` are kept"),
    _from("alternate ids, karyotypic sex, gender, species other than human", _NAMED),
    _from("what was looked for and not found: excluded features and diseases", _NAMED),
    _from("evidence of features, modifiers of symptoms, severities without a word for them", _NAMED),
    _from("the end of an interval of onset", f"the first day is kept; {_NAMED}"),
    _from("how and where a laboratory value was measured", _NAMED),
    _from("units that are not UCUM", f"kept as annotations; {_NAMED}"),
    _from("samples that no finding was made on, samples of somebody else", _NAMED),
    _from("origin, processing, storage, grade, procedure, markers, files of samples", _NAMED),
    _from("what was measured and seen on a sample", _NAMED),
    _from("what a variant has to do with the disease, ACMG class, actionability, summary", _NAMED),
    _from("a gene without a variant, a variant without a gene", _NAMED),
    _from(
        "VCF records, VRS variations other than copy numbers of a gene, allelic state, cross references",
        _NAMED,
    ),
    _from("structures that are neither fusions nor copy numbers", _NAMED),
    _from("whether a disease is the cancer", f"inferred where nothing says it; {_NAMED}"),
    _from("stages without a category in words", _NAMED),
    _from("doses after the first, cumulative dose, kind of prescription", _NAMED),
    _from("adverse events of a treatment without grade and day, a target that is no disease", _NAMED),
    _from("causes of death other than the cancer and toxicity", f"kept as `other`; {_NAMED}"),
    _from("days of survival", "counted from diagnosis and death"),
    _from("files", _NAMED),
    _from(
        "author, submitter, updates, external references, versions of terminologies",
        _NAMED,
    ),
    _from("an unknown field, a terminology without a resource", _NAMED),
    _from("an event that breaks a rule of the journey, such as one after death", _NAMED),
)
"""What one side cannot say of the other."""
