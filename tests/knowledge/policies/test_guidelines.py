"""Reading policies: what is wrong with a row is refused and named."""

from datetime import date
from typing import Any

import pytest

from oncoproof.errors import FormatError, IntegrityError
from oncoproof.knowledge.policies.guidelines import read_guideline
from oncoproof.knowledge.policies.library import PolicyTitle, make_policy
from oncoproof.knowledge.policies.options import Standing, drugs_of
from oncoproof.knowledge.policies.restrictions import load_restrictions, read_restrictions
from oncoproof.knowledge.policies.situations import load_situations, read_situations
from oncoproof.knowledge.subjects.subjects import Subjects

OPTION: dict[str, Any] = {
    "action": "dacarbazine", "standing": "acceptable", "weight": "weak", "since": "2000-01-01",
    "reason": "It is what is left.", "sources": ["guideline:esmo-melanoma"],
}  # fmt: skip


def _guideline(option: dict[str, Any], situation: str = "melanoma_first") -> dict[str, Any]:
    return {"disease": "melanoma", "situation": {situation: {"options": [option]}}}


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"action": "dacarbazin"}, "dacarbazin"),
        ({"action": "test:BRAFF"}, "BRAFF"),
        ({"until": "1999-01-01"}, "until"),
        ({"sources": []}, "no source"),
        ({"when": "plan_drugs has dacarbazine"}, "plan_drugs"),
        ({"when": "BRAF == v600x"}, "v600x"),
        ({"standing": "best"}, "best"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_wrong_option_is_refused(change: dict[str, Any], word: str) -> None:
    with pytest.raises((FormatError, IntegrityError), match=word):
        read_guideline(_guideline(OPTION | change), load_situations(), where="example")


def test_unknown_situation_is_refused() -> None:
    with pytest.raises(IntegrityError, match="melanoma_last"):
        read_guideline(_guideline(OPTION, "melanoma_last"), load_situations(), where="example")


def test_unknown_disease_is_refused() -> None:
    with pytest.raises(IntegrityError, match="glioma"):
        read_situations({"disease": "glioma"}, where="example")


@pytest.mark.parametrize("change", [{"drugs": ["cisplatine"]}, {"classes": ["platina"]}, {"spares": ["x"]}])
def test_wrong_restriction_is_refused(change: dict[str, Any]) -> None:
    row = {"when": "ecog >= 3", "reason": "Why.", "sources": ["x:y"], "since": date(2000, 1, 1)}
    with pytest.raises(IntegrityError):
        read_restrictions({"example": row | change})


def test_threshold_of_a_drug_restricts_it() -> None:
    found = [one for slug, one in load_restrictions().items() if slug.startswith("threshold:trametinib:lvef")]
    assert [one.covers(("dabrafenib", "trametinib")) for one in found] == [True]
    assert found[0].reason == "Trametinib is not given with ejection fraction below 50 %."


def test_one_file_for_a_disease() -> None:
    guideline = read_guideline(_guideline(OPTION), load_situations(), where="example")
    title = PolicyTitle("Example", "An example.", date(2000, 1, 1), ("guideline:esmo-melanoma",))
    with pytest.raises(IntegrityError, match="melanoma twice"):
        make_policy("example", title, [guideline, guideline], ())


def test_policy_of_one_row_falls_back_on_no_treatment() -> None:
    """The row holds from its day on; before it, and for whom it is ruled out, nothing is left but rest."""
    guideline = read_guideline(_guideline(OPTION), load_situations(), where="example")
    title = PolicyTitle("Example", "An example.", date(2000, 1, 1), ("guideline:esmo-melanoma",))
    policy = make_policy("example", title, [guideline], load_restrictions().values())
    patient = {"disease": "melanoma", "setting": "advanced", "line": 1, "ecog": 1, "BRAF": "wt"}
    subjects = Subjects.of_rows([patient, patient | {"pregnancy": True}, {"disease": "crc"}])
    later = policy.options(subjects, date(2010, 1, 1))
    assert [later.listed(row) for row in range(3)] == [
        {"dacarbazine": Standing.ACCEPTABLE},
        {"no_treatment": Standing.ACCEPTABLE, "dacarbazine": Standing.AVOIDED},
        {},
    ]
    assert policy.options(subjects, date(1999, 1, 1)).listed(0) == {"no_treatment": Standing.ACCEPTABLE}
    rest = policy.judge("no_treatment", subjects, as_of=date(2010, 1, 1), row=1)
    assert rest.reasons == ("Everything else the policy lists is ruled out.",)


def test_drugs_of_an_action() -> None:
    assert drugs_of("ipilimumab+nivolumab@low_dose") == ("ipilimumab", "nivolumab")
    assert drugs_of("no_treatment") == drugs_of("test:EGFR") == ()
