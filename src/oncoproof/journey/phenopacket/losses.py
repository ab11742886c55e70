"""What a phenopacket cannot say of a record, and what a journey cannot keep of a phenopacket.

Rules this module guarantees:

- The tables are complete as far as the property tests of the round trip know: what is not listed in
  `TOLD_NOT` comes back from this project's own phenopackets unchanged.

    >>> [each.where for each in TOLD_NOT][:2]
    ['Decision', 'Clone']
"""

from typing import Final

from oncoproof.journey.readings import Loss

TOLD_NOT: Final = (
    Loss("Decision", "decisions, and links to and from them"),
    Loss("Clone", "clones: they are truth, and never in a record"),
    Loss(
        "Patient",
        "sex at birth, race, ethnicity, name, address, language, insurance, income, education, disability, "
        "distance: a phenopacket is pseudonymous",
    ),
    Loss("Record.index", "which day is day 0: a reader counts from the first cancer unless told otherwise"),
    Loss("Code.display", "the words of every code but the one an event is told by"),
    Loss("Code", "the words of a code without words: the code itself stands for them"),
    Loss("DrugDose.dose.comparator", "whether a dose is a bound: the number alone is told"),
    Loss("Fusion.three_prime_id", "the id of an unnamed gene"),
)
"""What does not come back from a phenopacket that this project wrote."""

TOLD_BESIDE: Final = (
    Loss("Event.id", "as the id of a line of `metaData.externalReferences`, `event/…`"),
    Loss("Event.recorded, source, confidence", "in the line of the event, where they are not the usual ones"),
    Loss("Event.codes", "in the line of the event, where there is more than one or the section has no field"),
    Loss("Event.day, end", "in the line of the event, for clinical stages and findings without a specimen"),
    Loss("Event.note", "in the line of the event, where the section has no description"),
    Loss("Link", "in the line of the effect; response and adverse events of a treatment stand on it too"),
    Loss("Quantity.comparator", "in the line of the event: the number alone stands in the measurement"),
    Loss("Lab.category", "in the line of the event"),
    Loss("Lab.low, high", "in the line of the event, where the value is no number"),
    Loss("Biomarker.presence, origin", "in the line of the event, for measured markers"),
    Loss("Stage.method", "in the line of the event"),
    Loss("Treatment.line, dose_fraction", "in the line of the event"),
    Loss("Treatment.modality", "in the line of the event, for radiotherapy and supportive care"),
    Loss("Treatment.status", "in the line of the event, for held treatments and unfinished operations"),
    Loss("Treatment.intent", "in the line of the event, for supportive care"),
    Loss("Diagnosis.sites", "in the line of the event, beyond one site and a side"),
    Loss("Outcome.read, cause", "in the line of the event, where they are unusual for the outcome"),
)
"""What comes back only because this project says it in the lines of events; other readers miss it."""

READ_NOT: Final = (
    Loss("any timestamp", "the time of day: events have whole days"),
    Loss("any time element", "gestational ages and ontology classes as times"),
    Loss("subject", "alternate ids, karyotypic sex, gender, species other than human"),
    Loss("phenotypicFeatures", "features that were excluded; evidence; modifiers of symptoms"),
    Loss("phenotypicFeatures[].severity", "severities other than mild, moderate, severe and CTCAE grades"),
    Loss("phenotypicFeatures[].onset", "the end of an interval of onset"),
    Loss("measurements[].procedure", "how a laboratory value was measured"),
    Loss("measurements[].value.quantity", "units that are not UCUM: kept as annotations"),
    Loss("biosamples", "samples that no finding was made on; origin, processing, storage, grade, files"),
    Loss("biosamples[].measurements, phenotypicFeatures", "what was measured and seen on a sample"),
    Loss("interpretations[].summary", "the summary"),
    Loss("interpretations[]…gene", "a gene called without a variant"),
    Loss(
        "interpretations[]…variationDescriptor",
        "VCF records, VRS variations other than copy numbers of a gene, allelic state, cross references",
    ),
    Loss("interpretations[]…variantInterpretation", "ACMG class and actionability"),
    Loss("diseases", "diseases that were excluded; stages without a category in words"),
    Loss("medicalActions[].treatment", "doses after the first, cumulative dose"),
    Loss("medicalActions[].adverseEvents", "adverse events without grade and day"),
    Loss("medicalActions[].treatmentTarget", "a target that no disease of the document names"),
    Loss("subject.vitalStatus.causeOfDeath", "causes other than the cancer and toxicity: kept as `other`"),
    Loss("files", "files"),
    Loss("metaData", "submitter, updates, external references"),
    Loss("any event", "an event that breaks a rule of the journey, such as one after death"),
)
"""What a journey has no place for; a reader lists each with its path."""
