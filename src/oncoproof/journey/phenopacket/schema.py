"""The GA4GH Phenopacket Schema 2.0 as values to check with: fields, types, choices, requirements.

One text per message, one word per field: `name:Type` (text where no type is named), then `*` where it
repeats, `!` where the specification requires it, `~` where a journey has no place for it (a reader
names it as a loss), and `@choice` where at most one field of that choice may be set. The specification
also requires the parts of a dose interval, of a reference range, the end of a time interval and the id
of a variation descriptor; its own examples leave them out, and so may documents here.

Rules this module guarantees:

- Names, types, choices and numbers of enumerations are those of the `phenopackets` package; a test
  compares them with its descriptors.
- A field is found by its JSON name and by its protobuf name: `metaData` and `meta_data` are one.

    >>> MESSAGES["OntologyClass"]
    'id! label!'
    >>> SCHEMA["Phenopacket"].fields["meta_data"].name
    'metaData'
"""

import re
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

MESSAGES: dict[str, str] = {
    "Phenopacket": (
        "id! subject:Individual phenotypicFeatures:PhenotypicFeature* measurements:Measurement* "
        "biosamples:Biosample* interpretations:Interpretation* diseases:Disease* "
        "medicalActions:MedicalAction* files:File*~ metaData:MetaData!"
    ),
    "Individual": (
        "id! alternateIds*~ dateOfBirth:timestamp timeAtLastEncounter:TimeElement "
        "vitalStatus:VitalStatus sex:Sex karyotypicSex:KaryotypicSex~ gender:OntologyClass~ "
        "taxonomy:OntologyClass"
    ),
    "TimeElement": (
        "gestationalAge:GestationalAge@element age:Age@element ageRange:AgeRange@element "
        "ontologyClass:OntologyClass@element timestamp:timestamp@element "
        "interval:TimeInterval@element"
    ),
    "GestationalAge": ("weeks:int32 days:int32"),
    "Age": ("iso8601duration!"),
    "AgeRange": ("start:Age! end:Age!"),
    "OntologyClass": ("id! label!"),
    "TimeInterval": ("start:timestamp! end:timestamp"),
    "VitalStatus": (
        "status:VitalStatusStatus timeOfDeath:TimeElement causeOfDeath:OntologyClass "
        "survivalTimeInDays:uint32"
    ),
    "PhenotypicFeature": (
        "description type:OntologyClass! excluded:bool severity:OntologyClass "
        "modifiers:OntologyClass* onset:TimeElement resolution:TimeElement evidence:Evidence*~"
    ),
    "Evidence": ("evidenceCode:OntologyClass! reference:ExternalReference"),
    "ExternalReference": ("id reference description"),
    "Measurement": (
        "description assay:OntologyClass! value:Value@measurement_value "
        "complexValue:ComplexValue@measurement_value timeObserved:TimeElement procedure:Procedure"
    ),
    "Value": ("quantity:Quantity@value ontologyClass:OntologyClass@value"),
    "Quantity": ("unit:OntologyClass! value:double referenceRange:ReferenceRange"),
    "ReferenceRange": ("unit:OntologyClass! low:double high:double"),
    "ComplexValue": ("typedQuantities:TypedQuantity*"),
    "TypedQuantity": ("type:OntologyClass! quantity:Quantity!"),
    "Procedure": ("code:OntologyClass! bodySite:OntologyClass performed:TimeElement"),
    "Biosample": (
        "id! individualId derivedFromId~ description sampledTissue:OntologyClass "
        "sampleType:OntologyClass~ phenotypicFeatures:PhenotypicFeature*~ measurements:Measurement*~ "
        "taxonomy:OntologyClass timeOfCollection:TimeElement histologicalDiagnosis:OntologyClass "
        "tumorProgression:OntologyClass tumorGrade:OntologyClass~ pathologicalStage:OntologyClass "
        "pathologicalTnmFinding:OntologyClass* diagnosticMarkers:OntologyClass*~ procedure:Procedure~ "
        "files:File*~ materialSample:OntologyClass sampleProcessing:OntologyClass~ "
        "sampleStorage:OntologyClass~"
    ),
    "File": ("uri! individualToFileIdentifiers:map fileAttributes:map"),
    "Interpretation": ("id! progressStatus:ProgressStatus diagnosis:Diagnosis! summary~"),
    "Diagnosis": ("disease:OntologyClass! genomicInterpretations:GenomicInterpretation*"),
    "GenomicInterpretation": (
        "subjectOrBiosampleId! interpretationStatus:InterpretationStatus gene:GeneDescriptor@call "
        "variantInterpretation:VariantInterpretation@call"
    ),
    "GeneDescriptor": ("valueId! symbol! description~ alternateIds*~ alternateSymbols*~ xrefs*~"),
    "VariantInterpretation": (
        "acmgPathogenicityClassification:AcmgPathogenicityClassification~ "
        "therapeuticActionability:TherapeuticActionability~ variationDescriptor:VariationDescriptor!"
    ),
    "VariationDescriptor": (
        "id variation:Variation label description~ geneContext:GeneDescriptor "
        "expressions:Expression* vcfRecord:VcfRecord~ xrefs*~ alternateLabels*~ extensions:Extension* "
        "moleculeContext:MoleculeContext structuralType:OntologyClass vrsRefAlleleSeq~ "
        "allelicState:OntologyClass~"
    ),
    "Variation": (
        "allele:Allele~@variation haplotype:Haplotype~@variation copyNumber:CopyNumber@variation "
        "text:Text~@variation variationSet:VariationSet~@variation"
    ),
    "Allele": (
        "Id curie@location chromosomeLocation:ChromosomeLocation@location "
        "sequenceLocation:SequenceLocation@location sequenceState:SequenceState@state "
        "literalSequenceExpression:LiteralSequenceExpression@state "
        "derivedSequenceExpression:DerivedSequenceExpression@state "
        "repeatedSequenceExpression:RepeatedSequenceExpression@state"
    ),
    "ChromosomeLocation": ("Id speciesId chr! interval:CytobandInterval!"),
    "CytobandInterval": ("start! end!"),
    "SequenceLocation": (
        "Id sequenceId! sequenceInterval:SequenceInterval@interval simpleInterval:SimpleInterval@interval"
    ),
    "SequenceInterval": (
        "startNumber:Number@start startIndefiniteRange:IndefiniteRange@start "
        "startDefiniteRange:DefiniteRange@start endNumber:Number@end "
        "endIndefiniteRange:IndefiniteRange@end endDefiniteRange:DefiniteRange@end"
    ),
    "Number": ("value:uint64"),
    "IndefiniteRange": ("value:uint64 comparator!"),
    "DefiniteRange": ("min:uint64 max:uint64"),
    "SimpleInterval": ("start:uint64 end:uint64"),
    "SequenceState": ("sequence"),
    "LiteralSequenceExpression": ("sequence"),
    "DerivedSequenceExpression": ("location:SequenceLocation! reverseComplement:bool"),
    "RepeatedSequenceExpression": (
        "literalSequenceExpression:LiteralSequenceExpression@seq_expr "
        "derivedSequenceExpression:DerivedSequenceExpression@seq_expr number:Number@count "
        "indefiniteRange:IndefiniteRange@count definiteRange:DefiniteRange@count"
    ),
    "Haplotype": ("Id members:HaplotypeMember*!"),
    "HaplotypeMember": ("allele:Allele@value curie@value"),
    "CopyNumber": (
        "Id allele:Allele~@subject haplotype:Haplotype~@subject gene:Gene@subject "
        "literalSequenceExpression:LiteralSequenceExpression~@subject "
        "derivedSequenceExpression:DerivedSequenceExpression~@subject "
        "repeatedSequenceExpression:RepeatedSequenceExpression~@subject curie~@subject "
        "number:Number@copies indefiniteRange:IndefiniteRange~@copies "
        "definiteRange:DefiniteRange~@copies"
    ),
    "Gene": ("geneId!"),
    "Text": ("Id definition!"),
    "VariationSet": ("Id members:VariationSetMember*"),
    "VariationSetMember": (
        "curie@value allele:Allele@value haplotype:Haplotype@value copyNumber:CopyNumber@value "
        "text:Text@value variationSet:VariationSet@value"
    ),
    "Expression": ("syntax! value! version~"),
    "VcfRecord": ("genomeAssembly! chrom! pos:uint64! id ref! alt! qual filter info"),
    "Extension": ("name! value"),
    "Disease": (
        "term:OntologyClass! excluded:bool onset:TimeElement resolution:TimeElement "
        "diseaseStage:OntologyClass* clinicalTnmFinding:OntologyClass* primarySite:OntologyClass "
        "laterality:OntologyClass"
    ),
    "MedicalAction": (
        "procedure:Procedure@action treatment:Treatment@action "
        "radiationTherapy:RadiationTherapy@action therapeuticRegimen:TherapeuticRegimen@action "
        "treatmentTarget:OntologyClass treatmentIntent:OntologyClass "
        "responseToTreatment:OntologyClass adverseEvents:OntologyClass* "
        "treatmentTerminationReason:OntologyClass"
    ),
    "Treatment": (
        "agent:OntologyClass! routeOfAdministration:OntologyClass doseIntervals:DoseInterval* "
        "drugType:DrugType cumulativeDose:Quantity~"
    ),
    "DoseInterval": ("quantity:Quantity scheduleFrequency:OntologyClass interval:TimeInterval"),
    "RadiationTherapy": ("modality:OntologyClass! bodySite:OntologyClass dosage:int32 fractions:int32"),
    "TherapeuticRegimen": (
        "externalReference:ExternalReference@identifier ontologyClass:OntologyClass@identifier "
        "startTime:TimeElement endTime:TimeElement regimenStatus:RegimenStatus"
    ),
    "MetaData": (
        "created:timestamp! createdBy! submittedBy~ resources:Resource*! updates:Update*~ "
        "phenopacketSchemaVersion! externalReferences:ExternalReference*"
    ),
    "Resource": ("id! name! url version namespacePrefix! iriPrefix"),
    "Update": ("timestamp:timestamp! updatedBy comment"),
}
"""Fields by message."""

ENUMS: dict[str, str] = {
    "Sex": "UNKNOWN_SEX FEMALE MALE OTHER_SEX",
    "KaryotypicSex": "UNKNOWN_KARYOTYPE XX XY XO XXY XXX XXYY XXXY XXXX XYY OTHER_KARYOTYPE",
    "VitalStatusStatus": "UNKNOWN_STATUS ALIVE DECEASED",
    "ProgressStatus": "UNKNOWN_PROGRESS IN_PROGRESS COMPLETED SOLVED UNSOLVED",
    "InterpretationStatus": "UNKNOWN_STATUS REJECTED CANDIDATE CONTRIBUTORY CAUSATIVE",
    "AcmgPathogenicityClassification": (
        "NOT_PROVIDED BENIGN LIKELY_BENIGN UNCERTAIN_SIGNIFICANCE LIKELY_PATHOGENIC PATHOGENIC"
    ),
    "TherapeuticActionability": "UNKNOWN_ACTIONABILITY NOT_ACTIONABLE ACTIONABLE",
    "MoleculeContext": "unspecified_molecule_context genomic transcript protein",
    "DrugType": "UNKNOWN_DRUG_TYPE PRESCRIPTION EHR_MEDICATION_LIST ADMINISTRATION_RELATED_TO_PROCEDURE",
    "RegimenStatus": "UNKNOWN_STATUS STARTED COMPLETED DISCONTINUED",
}
"""Names by enumeration; the first is the default."""

REQUIRED_CHOICES: dict[str, str] = {
    "TimeElement": "element",
    "Measurement": "measurement_value",
    "Value": "value",
    "GenomicInterpretation": "call",
    "MedicalAction": "action",
    "TherapeuticRegimen": "identifier",
    "Variation": "variation",
    "Allele": "location state",
    "SequenceLocation": "interval",
    "SequenceInterval": "start end",
    "RepeatedSequenceExpression": "seq_expr count",
    "HaplotypeMember": "value",
    "CopyNumber": "subject copies",
    "VariationSetMember": "value",
}
"""By message, the choices of which one field must be set."""


Document: TypeAlias = dict[str, Any]
"""A message of a phenopacket as JSON: what it may hold is the schema's to say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of a message."""

    name: str
    """Its JSON name."""
    type: str
    """Message, enumeration or scalar."""
    is_repeated: bool
    """Whether it is a list."""
    has_place: bool
    """Whether a journey has a place for it."""
    is_plain: bool
    """Whether it is neither a list nor without a place: the many that need no more than their own check."""
    choice: str
    """Choice it belongs to; empty = none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message of the schema."""

    name: str
    """Its name."""
    fields: dict[str, Field]
    """Fields by JSON name and by protobuf name."""
    required: tuple[str, ...]
    """JSON names of the fields that must be there."""
    has_choices: bool
    """Whether it has fields of which at most one may be set."""
    required_choices: tuple[str, ...]
    """The choices of which one field must be set."""


_FIELD: Final = re.compile(
    r"(?P<name>\w+)(?::(?P<type>\w+))?(?P<repeated>\*)?(?P<required>!)?(?P<placeless>~)?(?:@(?P<choice>\w+))?"
)


def _field(word: str) -> tuple[Field, bool]:
    match = _FIELD.fullmatch(word)
    if match is None:  # pragma: no cover  # the table is fixed
        raise AssertionError(word)
    kind = match["type"] or "string"
    field = Field(
        name=match["name"],
        type=kind,
        is_repeated=match["repeated"] is not None,
        has_place=match["placeless"] is None,
        is_plain=match["repeated"] is None and match["placeless"] is None,
        choice=match["choice"] or "",
    )
    return field, match["required"] is not None


def snake_case(name: str) -> str:
    """The protobuf name of a field with this JSON name."""
    return re.sub(r"([A-Z])", lambda match: "_" + match[1].lower(), name)


def _message(name: str, text: str) -> Message:
    read = [_field(word) for word in text.split()]
    fields = {field.name: field for field, _ in read}
    fields |= {snake_case(field.name): field for field, _ in read}
    return Message(
        name=name,
        fields=fields,
        required=tuple(field.name for field, is_required in read if is_required),
        has_choices=any(field.choice for field, _ in read),
        required_choices=tuple(REQUIRED_CHOICES.get(name, "").split()),
    )


SCHEMA: Final = {name: _message(name, text) for name, text in MESSAGES.items()}
"""Messages by name."""

NAMES: Final = {name: tuple(text.split()) for name, text in ENUMS.items()}
"""Names of enumerations, in the order of their numbers."""
