"""The page of data files: each file of the knowledge base with its columns, from the records that read it.

Rules this module guarantees:

- CSV files and their records are found in the code, by the calls that read them.
- TOML files have a shape that only their reader knows; it is told here, and the fields are still the
  record's own.
- A file of the data folder that is on neither list is an error.
"""

import ast
import importlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from types import ModuleType

from oncoproof.errors import IntegrityError
from oncoproof.knowledge.tables import Figure
from reference_pages.markdown import cell, code, first_line
from reference_pages.records import CSV, TOML, TRIALS, Notation, field_table, parts_of, words_of_fields

_SOURCE = Path(str(files("oncoproof.knowledge")))
_DATA = _SOURCE / "data"

_INTRODUCTION = """# Data files

Every file of the knowledge base with its columns. All paths are below `src/oncoproof/knowledge/data/`. The
first line of a CSV file and the first key of a TOML file name its format and version,
`oncoproof.knowledge.TOPIC/1`. *None* and *empty* mean a blank cell in CSV and a key left out in TOML. A
column or key that is not listed here is refused.
"""


@dataclass(frozen=True, kw_only=True)
class Block:
    """A table within a file, read as one kind of record."""

    name: str
    """How the file opens it, for instance `[SLUG]`; empty = the rows of a CSV file."""
    record: str
    """Name of the data class, in the module that reads the file."""
    skip: str = ""
    """The field that is the name of the table."""
    words: Mapping[str, str] = field(default_factory=dict[str, str])
    """Words for fields that have none in their class."""


@dataclass(frozen=True, kw_only=True)
class DataFile:
    """One data file, or several of one kind."""

    path: str
    """Below the data folder; words in capitals stand for any name."""
    module: str
    """The module that reads it, below `oncoproof.knowledge`."""
    blocks: tuple[Block, ...]
    """What it holds."""
    notation: Notation = TOML
    """How fields are written."""
    more: str = ""
    """What else it holds, in words."""


_OPTION_WORDS = {
    "biomarkers": "Keys of the biomarkers to test.",
    "at": "Situations in which the tests are asked for while they are not known.",
    "classes": "Classes to keep away from.",
}

_TOML_FILES = (
    DataFile(
        path="diseases.toml",
        module="cancers.diseases",
        blocks=(Block(name="[SLUG]", record="Disease", skip="slug"),),
    ),
    DataFile(
        path="biomarkers.toml",
        module="cancers.biomarkers",
        blocks=(Block(name="[KEY]", record="Biomarker", skip="key"),),
    ),
    DataFile(
        path="classes.toml",
        module="medicines.drug_classes",
        blocks=(
            Block(name="[umbrella.SLUG]", record="Umbrella", skip="slug"),
            Block(name="[class.SLUG]", record="DrugClass", skip="slug"),
        ),
    ),
    DataFile(
        path="drugs.toml",
        module="medicines.drugs",
        blocks=(Block(name="[SLUG]", record="Drug", skip="slug"),),
        more="A part without `source` and `basis` of its own takes those of its drug; `targets` left out are "
        "those of the class.",
    ),
    DataFile(
        path="regimens.toml",
        module="medicines.regimens",
        blocks=(Block(name='["ID"]', record="Regimen", skip="id"),),
    ),
    DataFile(
        path="features.toml",
        module="subjects.vocabulary",
        blocks=(Block(name="[NAME]", record="Feature", skip="name"),),
        more="`source` and `basis` at the head of the file hold for every feature that names none.",
    ),
    DataFile(
        path="safety_rules/TOPIC.toml",
        module="rules.rules",
        blocks=(Block(name="[ID]", record="RuleText"),),
    ),
    DataFile(
        path="policies/POLICY/policy.toml",
        module="policies.library",
        blocks=(Block(name="", record="PolicyTitle"),),
    ),
    DataFile(
        path="policies/POLICY/DISEASE.toml",
        module="policies.guidelines",
        blocks=(
            Block(name="[situation.SLUG] options", record="_OptionRow", words=_OPTION_WORDS),
            Block(name="[[test]]", record="_TestRow", words=_OPTION_WORDS),
        ),
        more="`disease` is the slug of the disease. The rows of `fallback` have the keys of an option.",
    ),
    DataFile(
        path="policies/situations/DISEASE.toml",
        module="policies.situations",
        blocks=(Block(name="[SLUG]", record="_SituationRow"),),
        more="`disease` is the slug of the disease. Situations are asked in the order of the file.",
    ),
    DataFile(
        path="policies/restrictions.toml",
        module="policies.restrictions",
        blocks=(Block(name="[SLUG]", record="_RestrictionRow", words=_OPTION_WORDS),),
    ),
    DataFile(
        path="civic_names.toml",
        module="civic.treatment_names",
        blocks=(
            Block(name="[[disease]]", record="_DiseaseRow"),
            Block(name="[[variant]]", record="_VariantRow"),
        ),
        more="`[therapies]` gives a therapy's name its drugs or classes, joined by `+`; `[patterns]` names "
        "pieces of patterns that variants repeat.",
    ),
)

_PUBLIC = {
    "_OptionRow": "policies.options.Option",
    "_TestRow": "policies.options.Option",
    "_SituationRow": "policies.situations.Situation",
    "_RestrictionRow": "policies.restrictions.Restriction",
}
"""The class whose words describe a row that only its reader knows."""

_TRIALS = DataFile(
    path="trials.csv",
    module="trials.trial_table",
    blocks=(Block(name="", record="TrialArm"),),
    notation=TRIALS,
    more="A combination is drugs or classes joined by `+`, some of them a choice: "
    "`choice:(cisplatin|carboplatin)+pemetrexed`. A condition is `KEY=value|value` or `KEY=low..high`. A "
    "publication is `PMID 29151359` or a DOI. The first line may be missing.",
)


def data_files_page() -> str:
    """Every data file of the knowledge base, by room."""
    found = [*_csv_files(), *_TOML_FILES, _TRIALS]
    _require_all(found)
    rooms = sorted({_room(file) for file in found}, key=_ROOMS.index)
    sections = (_section(room, [file for file in found if _room(file) == room]) for room in rooms)
    return "\n".join([_INTRODUCTION, _figures(), *sections])


_ROOMS = (
    "",
    "cancers",
    "populations",
    "courses",
    "medicines",
    "subjects",
    "trials",
    "evidence",
    "rules",
    "policies",
    "civic",
)
"""The rooms in the order of the data flow; the first is the bibliography beside them."""


_NO_ROOMS = ("tables", "inventory")
"""What reads data files without telling of them: the reader itself, and who takes stock of all."""


def _room(file: DataFile) -> str:
    return file.module.rpartition(".")[0]


def _figures() -> str:
    about = (
        "## Figures\n\nA number that can be defended. In TOML it is a table with these keys; in CSV it is\n"
        "spread over columns of these names, after the name of the figure and `_` where it has one."
        "\n\n"
    )
    return about + field_table(Figure, CSV, heading="key")


def _csv_files() -> Iterator[DataFile]:
    """The CSV files, by the calls of `read_csv` in the code."""
    for path in sorted(_SOURCE.rglob("*.py")):
        dotted = ".".join(path.relative_to(_SOURCE).with_suffix("").parts)
        if "read_csv(" not in path.read_text(encoding="utf-8") or dotted.startswith(_NO_ROOMS):
            continue
        module = _module(dotted)
        for name, record in _read_csv_calls(path, module):
            yield DataFile(path=name, module=dotted, blocks=(Block(name="", record=record),), notation=CSV)


def _read_csv_calls(path: Path, module: ModuleType) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "read_csv":
            name, _, record = node.args
            yield _text(name, module), ast.unparse(record)


def _text(node: ast.expr, module: ModuleType) -> str:
    """A literal, or a constant of the module."""
    return str(getattr(module, node.id) if isinstance(node, ast.Name) else ast.literal_eval(node))


def _module(dotted: str) -> ModuleType:
    return importlib.import_module(f"oncoproof.knowledge.{dotted}")


def _require_all(found: list[DataFile]) -> None:
    told = [file.path for file in found]
    for path in sorted(_DATA.rglob("*.*")):
        name = str(path.relative_to(_DATA))
        if path.suffix in {".csv", ".toml"} and not any(_is_of(name, pattern) for pattern in told):
            raise IntegrityError(
                where="docs/reference_pages/data_files.py",
                came=name,
                expected="a file that read_csv reads or that is listed",
                remedy="list it with its record",
            )


def _is_of(name: str, pattern: str) -> bool:
    """Whether a file is of a pattern in which words in capitals stand for any name."""
    names, words = name.split("/"), pattern.split("/")
    return len(names) == len(words) and all(
        word.partition(".")[0].isupper() or word == part for part, word in zip(names, words, strict=True)
    )


def _section(room: str, members: list[DataFile]) -> str:
    heading = room.capitalize() or "Sources"
    return f"## {heading}\n\n" + "\n".join(map(_file, sorted(members, key=lambda file: file.path)))


def _file(file: DataFile) -> str:
    module = _module(file.module)
    path = f"knowledge/{file.module.replace('.', '/')}.py"
    about = f"### {file.path}\n\n{cell(first_line(module.__doc__))} Read by `{path}`.\n"
    blocks = [_block(block, module, file.notation) for block in file.blocks]
    parts = dict.fromkeys(part for block in file.blocks for part in _parts(block, module, file))
    inner = [
        f"#### {part.__name__}\n\n{first_line(part.__doc__)}\n\n"
        + field_table(part, file.notation, heading="key")
        for part in parts
    ]
    return "\n".join([about, *([f"{file.more}\n"] if file.more else []), *blocks, *inner])


def _parts(block: Block, module: ModuleType, file: DataFile) -> list[type[object]]:
    return [] if file.notation is TRIALS else parts_of(getattr(module, block.record))


def _block(block: Block, module: ModuleType, notation: Notation) -> str:
    record: type[object] = getattr(module, block.record)
    public = _PUBLIC.get(block.record)
    words = dict(block.words)
    if public is not None:
        home, _, name = public.rpartition(".")
        words |= words_of_fields(getattr(_module(home), name))
    head = f"{code(block.name)}\n\n" if block.name else ""
    heading = "column" if notation is not TOML else "key"
    return head + field_table(record, notation, heading=heading, words=words, skip=block.skip)
