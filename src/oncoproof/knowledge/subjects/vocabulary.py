"""The project's vocabulary: the features of `features.toml`, the biomarkers, and what the tables list.

Rules this module guarantees:

- A word means one thing everywhere: drugs, classes, biomarkers, diseases, stages, assays and other
  medicines are those of their tables, never a second list.
- A biomarker is a feature of the same name, in capitals, with the values and groups of its table.

    >>> feature = load_vocabulary().feature("crcl_ml_min")
    >>> feature.kind.value, feature.unit, feature.low
    ('number', 'mL/min', 0.0)
    >>> "cetuximab" in load_vocabulary().feature("plan_drugs").values
    True
    >>> load_vocabulary().feature("EGFR").expand("mut")
    ('ex19del', 'l858r', 'ex20ins', 'uncommon')
"""

from collections.abc import Callable, Iterable
from functools import cache
from types import MappingProxyType
from typing import Any

from oncoproof.errors import IntegrityError
from oncoproof.knowledge.cancers.assays import load_assays
from oncoproof.knowledge.cancers.biomarkers import Biomarker, load_biomarkers
from oncoproof.knowledge.cancers.diseases import load_diseases
from oncoproof.knowledge.cancers.stages import AXES, load_stage_tables
from oncoproof.knowledge.medicines.comedications import comedication_groups, load_comedications
from oncoproof.knowledge.medicines.drug_classes import load_classes, load_umbrellas
from oncoproof.knowledge.medicines.drugs import load_drugs
from oncoproof.knowledge.medicines.regimens import load_regimens
from oncoproof.knowledge.subjects.features import Feature, FeatureKind, FeaturePart, Vocabulary
from oncoproof.knowledge.tables import build, read_toml

_ANY = "any"


@cache
def load_vocabulary() -> Vocabulary:
    """Every feature: those of `features.toml` in their order, then the biomarkers in theirs."""
    features = [*_read_features(), *_biomarker_features()]
    by_name = {feature.name: feature for feature in features}
    if len(by_name) < len(features):
        raise IntegrityError(
            where="features.toml",
            came="a name that is also a biomarker key",
            expected="each name once",
            remedy="rename the feature",
        )
    return Vocabulary(MappingProxyType(by_name))


def _read_features() -> Iterable[Feature]:
    tables = read_toml("features.toml", "features")
    origin = {"source": tables.pop("source"), "basis": tables.pop("basis")}
    for name, table in tables.items():
        yield _feature(name, {**origin, **table})


def _feature(name: str, table: dict[str, Any]) -> Feature:
    where = f"features.toml {name}"
    source = table.get("members_of", "")
    if source:
        stated = table.get("values", ())
        table = {**table, "values": tuple(dict.fromkeys((*_listed(source, where), *stated)))}
    if source == "histologies":
        table = {**table, "groups": _histology_groups()}
    return build(Feature, {"name": name, **table}, where=where)


def _biomarker_features() -> Iterable[Feature]:
    return (_biomarker_feature(marker) for marker in load_biomarkers().values() if not marker.is_open)


def _biomarker_feature(marker: Biomarker) -> Feature:
    return Feature(
        name=marker.key,
        kind=FeatureKind.NUMBER if marker.is_numeric else FeatureKind.CATEGORY,
        part=FeaturePart.BIOMARKER,
        about=f"{marker.name}.",
        words=marker.key.replace("_", " "),
        unit=marker.unit or "",
        low=marker.low,
        high=marker.high,
        values=marker.values,
        groups=marker.groups,
        source=marker.source,
        basis=marker.basis,
    )


_COARSE_STAGES = {
    "t": ("TX", "T1", "T2", "T3", "T4"),
    "n": ("NX", "N1", "N2", "N3"),
    "m": ("MX", "M1"),
    "group": (
        "I",
        "II",
        "III",
        "IV",
        "IA",
        "IB",
        "IC",
        "IIA",
        "IIB",
        "IIC",
        "IIIA",
        "IIIB",
        "IIIC",
        "IVA",
        "IVB",
    ),
}
"""Categories and groups as coarse as records write them, beside the finest of the stage tables."""


def _listed(table: str, where: str) -> tuple[str, ...]:
    """The values a table lists."""
    readers: dict[str, Callable[[], Iterable[str]]] = {
        "diseases": load_diseases,
        "sites": lambda: _of_diseases("metastatic_sites"),
        "settings": lambda: _of_diseases("settings"),
        "sides": lambda: _of_diseases("sides"),
        "histologies": lambda: _of_diseases("histologies"),
        "stage_t": lambda: _stage_categories("t"),
        "stage_n": lambda: _stage_categories("n"),
        "stage_m": lambda: _stage_categories("m"),
        "stage_groups": _stage_groups,
        "drugs": load_drugs,
        "classes": lambda: (*load_classes(), *load_umbrellas()),
        "regimens": load_regimens,
        "tests": _tests,
        "comedications": load_comedications,
        "comedication_groups": comedication_groups,
        "assays": lambda: (f"{key}:{assay}" for assay in load_assays() for key in load_biomarkers()),
    }
    if table not in readers:
        raise IntegrityError(
            where=where, came=f"table {table!r}", expected=f"one of {', '.join(readers)}", remedy="correct it"
        )
    return tuple(dict.fromkeys(readers[table]()))


def _of_diseases(part: str) -> Iterable[str]:
    return (value for disease in load_diseases().values() for value in getattr(disease, part))


def _stage_categories(axis: str) -> Iterable[str]:
    position = AXES.index(axis)
    fine = (word for table in load_stage_tables().values() for word in table.categories[position])
    return (*(word for word in fine if word != _ANY), *_COARSE_STAGES[axis])


def _stage_groups() -> Iterable[str]:
    fine = (group for table in load_stage_tables().values() for group in table.groups)
    return (*fine, *_COARSE_STAGES["group"])


def _tests() -> Iterable[str]:
    monitored = {step.test for drug in load_drugs().values() for step in drug.monitoring}
    return (*load_biomarkers(), *sorted(monitored))


def _histology_groups() -> dict[str, tuple[str, ...]]:
    return {
        name: members
        for disease in load_diseases().values()
        for name, members in disease.histology_groups.items()
        if name != _ANY
    }
