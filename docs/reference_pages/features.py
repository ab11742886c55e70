"""The page of features: what may be said of a subject, from the vocabulary of the rules."""

from oncoproof.knowledge.subjects import Feature, FeatureKind, FeaturePart, load_vocabulary
from reference_pages.markdown import cell, code, table
from reference_pages.records import words_of_fields

_INTRODUCTION = """# Features

What rules, policies and `oncoproof knowledge validate` may speak about. A feature that is not stated is not
known, which is not the same as no. The features stand in `src/oncoproof/knowledge/data/features.toml`,
biomarkers and pharmacogenes in `biomarkers.toml` beside it; where a table lists the values (every drug,
every regimen), the table is named here.
"""

_VALUES_MAX = 16
"""Lists longer than this are shown by their first members."""


def features_page() -> str:
    """Every feature, by the part of the subject that it describes."""
    return "\n".join([_INTRODUCTION, *(_section(part) for part in FeaturePart)])


def _section(part: FeaturePart) -> str:
    about = words_of_fields(FeaturePart)[part.name]
    features = load_vocabulary().of_part(part)
    rows = (
        (code(feature.name), code(feature.kind.value), _values(feature), cell(feature.about))
        for feature in features
    )
    return f"## {part.value.capitalize()}\n\n{about}\n\n" + table(("feature", "kind", "values", "what"), rows)


def _values(feature: Feature) -> str:
    if feature.kind is FeatureKind.NUMBER:
        unit = "" if feature.unit == "1" else f" {code(feature.unit)}"
        return f"{feature.low:g} to {feature.high:g}{unit}"
    if feature.members_of:
        return f"{feature.members_of.replace('_', ' ')} of the knowledge base"
    shown = ", ".join(map(code, feature.values[:_VALUES_MAX]))
    more = f" and {len(feature.values) - _VALUES_MAX} more" if len(feature.values) > _VALUES_MAX else ""
    groups = "; ".join(
        f"{code(word)} = {', '.join(map(code, members))}" for word, members in _groups(feature)
    )
    return shown + more + (f"; {groups}" if groups else "")


def _groups(feature: Feature) -> list[tuple[str, tuple[str, ...]]]:
    return [(word, members) for word, members in feature.groups.items() if len(members) <= _VALUES_MAX]
