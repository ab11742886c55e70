"""Words for an event: the short text that timelines, pictures and messages show.

>>> from oncoproof.journey.contents import Performance, Scale
>>> from oncoproof.journey.events import Source
>>> label(Event(id="e1", day=0, recorded=0, source=Source.CLINICAL,
...             content=Performance(scale=Scale.ECOG, score=1)))
'ECOG 1'
"""

from functools import singledispatch

from oncoproof.journey.codes import Code
from oncoproof.journey.contents import (
    AdverseEvent,
    Biomarker,
    Clone,
    Decision,
    Diagnosis,
    Imaging,
    Lab,
    Modality,
    Outcome,
    Performance,
    Stage,
    Symptom,
    Treatment,
)
from oncoproof.journey.events import Event
from oncoproof.journey.omics import (
    CopyNumber,
    Expression,
    Fusion,
    Hrd,
    Methylation,
    Msi,
    Pdl1,
    Pharmacogene,
    Presence,
    SmallVariant,
    Tmb,
)
from oncoproof.journey.units import Quantity


def label(event: Event) -> str:
    """A few words that say what the event is."""
    return _words(event.content, event)


def name(event: Event) -> str:
    """What the event's codes call it; its kind where they call it nothing."""
    return next((_code_words(code) for code in event.codes), event.kind.replace("_", " "))


def _code_words(code: Code) -> str:
    return code.display or code.code.replace("_", " ")


@singledispatch
def _words(content: object, event: Event) -> str:  # noqa: ARG001  fallback of a dispatch
    return name(event)


@_words.register
def _(content: Diagnosis, event: Event) -> str:
    sites = ", ".join(_code_words(site) for site in content.sites)
    return f"{name(event)} ({sites})" if sites else name(event)


@_words.register
def _(content: Stage, event: Event) -> str:  # noqa: ARG001  one signature for all kinds
    parts = [content.t, content.n, content.m]
    group = f"stage {content.group}" if content.group else "stage"
    return " ".join([group, *(part for part in parts if part)])


@_words.register
def _(content: Biomarker, event: Event) -> str:  # noqa: ARG001  one signature for all kinds
    words = _finding(content.finding)
    if content.presence is Presence.PRESENT:
        return words
    if content.presence is Presence.ABSENT and words == getattr(content.finding, "gene", ""):
        return f"{words} wild type"
    return f"{words} {content.presence.replace('_', ' ')}"


@_words.register
def _(content: Lab, event: Event) -> str:
    return f"{name(event)} {_value(content.value)}"


def _value(value: Quantity | Code | str | None) -> str:
    if value is None:
        return "not obtained"
    if isinstance(value, Quantity):
        return f"{value.comparator}{value.value:g} {value.unit}"
    return value if isinstance(value, str) else _code_words(value)


@_words.register
def _(content: Imaging, event: Event) -> str:  # noqa: ARG001  one signature for all kinds
    diameters = [lesion.diameter_mm for lesion in content.lesions if lesion.is_target and lesion.diameter_mm]
    parts = [content.modality.replace("_", " ").upper()]
    if content.read is not None:
        parts.append(content.read.upper())
    if diameters:
        parts.append(f"{sum(diameters):.0f} mm")
    return " ".join(parts)


@_words.register
def _(content: Symptom, event: Event) -> str:
    return f"{content.severity} {name(event)}" if content.severity else name(event)


@_words.register
def _(content: Performance, event: Event) -> str:  # noqa: ARG001  one signature for all kinds
    scale = "ECOG" if content.scale == "ecog" else "Karnofsky"
    return f"{scale} {content.score}"


@_words.register
def _(content: Treatment, event: Event) -> str:
    words = name(event)
    if not event.codes and content.modality is Modality.DRUG and content.drugs:
        words = " + ".join(_code_words(dose.drug) for dose in content.drugs)
    if content.dose_fraction != 1.0:
        words += f" at {content.dose_fraction:.0%}"
    return words


@_words.register
def _(content: AdverseEvent, event: Event) -> str:
    return f"{name(event)} grade {content.grade}"


@_words.register
def _(content: Decision, event: Event) -> str:
    words = f"{content.maker}: {name(event)}"
    return words if content.task == "therapy" else f"{words} ({content.task.replace('_', ' ')})"


@_words.register
def _(content: Outcome, event: Event) -> str:  # noqa: ARG001  one signature for all kinds
    words = content.type.replace("_", " ")
    detail = content.read.upper() if content.read else content.cause
    return f"{words} ({detail})" if detail else words


@_words.register
def _(content: Clone, event: Event) -> str:
    mechanism = _code_words(event.codes[0]) if event.codes else ""
    words = f"{content.kind.replace('_', ' ')} clone"
    return f"{words}: {mechanism}" if mechanism else words


@singledispatch
def _finding(finding: object) -> str:
    return type(finding).__name__


@_finding.register
def _(finding: SmallVariant) -> str:
    return " ".join(
        part for part in (finding.gene, finding.protein or finding.coding or finding.genomic) if part
    )


@_finding.register
def _(finding: Fusion) -> str:
    return f"{finding.five_prime or '?'}::{finding.three_prime} fusion"


@_finding.register
def _(finding: CopyNumber) -> str:
    return f"{finding.gene} {finding.change.replace('_', ' ')}"


@_finding.register
def _(finding: Expression) -> str:
    return f"{finding.gene} {finding.level}"


@_finding.register
def _(finding: Pdl1) -> str:
    return f"PD-L1 {finding.score.upper()} {finding.percent:g} %"


@_finding.register
def _(finding: Msi) -> str:
    return f"microsatellites {finding.status}"


@_finding.register
def _(finding: Tmb) -> str:
    return f"TMB {finding.per_megabase:g}/Mb"


@_finding.register
def _(finding: Hrd) -> str:
    return f"HRD {finding.status}"


@_finding.register
def _(finding: Methylation) -> str:
    return f"{finding.gene or 'tumour'} {finding.methylation_class}"


@_finding.register
def _(finding: Pharmacogene) -> str:
    detail = finding.diplotype or finding.phenotype
    return f"{finding.gene} {detail}".strip()
