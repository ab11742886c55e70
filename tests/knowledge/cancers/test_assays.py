"""Assays: every laboratory marker can be measured, and accuracy is sound."""

import pytest

from figures import require_share, require_sound
from oncoproof.knowledge.cancers.assays import Assay, Specimen, assays_for, load_assays
from oncoproof.knowledge.cancers.biomarkers import BiomarkerKind, Origin, load_biomarkers
from oncoproof.knowledge.tables import Basis

EVERY = pytest.mark.parametrize("assay", load_assays().values(), ids=load_assays())


@EVERY
def test_figures_are_sound(assay: Assay) -> None:
    require_share(assay.failure)
    require_sound(assay.turnaround)
    assert assay.turnaround.unit == "d"
    assert assay.turnaround.low is not None
    assert assay.turnaround.high is not None
    assert assay.turnaround.low > 0
    for accuracy in assay.accuracy.values():
        require_share(accuracy.sensitivity)
        require_share(accuracy.specificity)
        assert accuracy.sensitivity.value + accuracy.specificity.value > 1


@EVERY
def test_measures_known_markers(assay: Assay) -> None:
    assert assay.accuracy
    for key in assay.accuracy:
        marker = load_biomarkers()[key]
        assert assay.measures(key)
        assert marker.kind is not BiomarkerKind.CLINICAL
        if assay.specimen is Specimen.BLOOD:
            assert Origin.GERMLINE in marker.origins


def test_every_laboratory_marker_can_be_measured() -> None:
    for key, marker in load_biomarkers().items():
        assert bool(assays_for(key)) == (marker.kind is not BiomarkerKind.CLINICAL), key


def test_unconfirmed_local_results() -> None:
    for name in ("ihc_mmr", "pcr_msi"):
        share = load_assays()[name].accuracy["MSI"].unconfirmed_positive_share
        assert share is not None
        assert (share.value, share.basis) == (0.14, Basis.READ)
    assert load_assays()["ihc_her2"].accuracy["HER2"].unconfirmed_positive_share is None


def test_plasma_is_faster_and_misses_more_than_tissue() -> None:
    tissue, plasma = load_assays()["tissue_ngs_panel"], load_assays()["ctdna_panel"]
    assert plasma.turnaround.value < tissue.turnaround.value
    for key in set(tissue.accuracy) & set(plasma.accuracy):
        assert plasma.accuracy[key].sensitivity.value < tissue.accuracy[key].sensitivity.value
