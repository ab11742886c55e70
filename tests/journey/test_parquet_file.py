"""Parquet: lossless, streamed in row groups, whole or not at all, and typed errors for what is not it."""

from collections.abc import Iterator
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oncoproof.errors import FormatError, InputError
from oncoproof.journey.contents import Lab
from oncoproof.journey.events import Event, Source
from oncoproof.journey.graph import Journey
from oncoproof.journey.parquet_file import (
    PARQUET_FORMAT,
    from_parquet,
    read_parquet,
    to_parquet,
    write_parquet,
)
from oncoproof.journey.patient import Patient
from oncoproof.journey.units import Quantity
from strategies import journeys

pa: Any = import_module("pyarrow")
pq: Any = import_module("pyarrow.parquet")


def lab_journeys(count: int, *, note: str = "") -> Iterator[Journey]:
    for number in range(count):
        journey = Journey(Patient(id=f"p{number}", birth=date(1960, 1, 2)), date(2026, 3, 1))
        content = Lab(value=Quantity(number / 7, "mg/dL"))
        journey.add(Event(id="e", day=number, recorded=None, source=Source.LAB, content=content, note=note))
        yield journey


@settings(max_examples=25)
@given(many=st.lists(journeys(), max_size=4), rows_per_group=st.integers(1, 3))
def test_journeys_come_back(
    tmp_path_factory: pytest.TempPathFactory, many: list[Journey], rows_per_group: int
) -> None:
    path = tmp_path_factory.mktemp("parquet") / "many.parquet"
    assert write_parquet(path, many, rows_per_group=rows_per_group) == len(many)
    assert list(read_parquet(path)) == many
    assert list(from_parquet(to_parquet(many))) == many


def test_row_groups_are_streamed(tmp_path: Path) -> None:
    path = tmp_path / "many.parquet"
    assert write_parquet(path, lab_journeys(25), rows_per_group=10) == 25
    assert pq.ParquetFile(path).num_row_groups == 3
    assert next(iter(read_parquet(path))) == next(lab_journeys(1))


def test_columns_are_typed_for_other_tools(tmp_path: Path) -> None:
    path = tmp_path / "many.parquet"
    write_parquet(path, lab_journeys(3))
    table = pq.read_table(path)
    assert table.schema.field("index").type == pa.date32()
    event = table.schema.field("events").type.value_type
    assert event.field("day").type == pa.int64()
    quantity = event.field("content").type.field("lab").type.field("value").type.field("quantity").type
    assert quantity.field("value").type == pa.float64()
    assert [events[0]["day"] for events in table.column("events").to_pylist()] == [0, 1, 2]


def _written(folder: Path) -> Path:
    path = folder / "sound.parquet"
    write_parquet(path, lab_journeys(50))
    return path


def _refused(path: Path) -> FormatError:
    with pytest.raises(FormatError) as caught:
        list(read_parquet(path))
    assert str(path) in caught.value.where
    return caught.value


def test_a_missing_file(tmp_path: Path) -> None:
    _refused(tmp_path / "none.parquet")


@pytest.mark.parametrize("data", [b"", b"PAR1", b"a,b,c\n1,2,3\n" * 100])
def test_what_is_no_parquet(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.parquet"
    path.write_bytes(data)
    assert _refused(path).expected == "a whole, unchanged Parquet file"
    with pytest.raises(FormatError, match=r"x[.]parquet: came"):
        list(from_parquet(data, where="x.parquet"))


def test_a_truncated_file(tmp_path: Path) -> None:
    path = _written(tmp_path)
    data = path.read_bytes()
    for size in (len(data) // 2, len(data) - 1):
        path.write_bytes(data[:size])
        _refused(path)


def test_a_changed_page(tmp_path: Path) -> None:
    path = _written(tmp_path)
    data = bytearray(path.read_bytes())
    column = pq.ParquetFile(path).metadata.row_group(0).column(0)
    middle = column.data_page_offset + column.total_compressed_size - 2
    data[middle] ^= 0xFF
    path.write_bytes(data)
    _refused(path)


def _rewritten(path: Path, table: Any) -> Path:
    pq.write_table(table, path)
    return path


def test_another_format_or_version(tmp_path: Path) -> None:
    path = _written(tmp_path)
    table = pq.read_table(path)
    for metadata in ({}, {"oncoproof.format": "oncoproof.journeys/2"}):
        error = _refused(_rewritten(path, table.replace_schema_metadata(metadata)))
        assert error.expected == repr(PARQUET_FORMAT)


def test_other_columns(tmp_path: Path) -> None:
    path = _written(tmp_path)
    table = pq.read_table(path)
    assert _refused(_rewritten(path, table.drop_columns(["links"]))).came == "other columns"


def test_values_that_break_the_rules_name_their_row(tmp_path: Path) -> None:
    path = _written(tmp_path)
    table = pq.read_table(path)
    rows = table.to_pylist()
    rows[7]["events"][0]["source"] = "hearsay"
    error = _refused(_rewritten(path, pa.Table.from_pylist(rows, schema=table.schema)))
    assert error.where == f"{path}: row 7: events[0].source"
    assert error.came == "'hearsay'"


def test_a_union_with_nothing_filled(tmp_path: Path) -> None:
    path = _written(tmp_path)
    table = pq.read_table(path)
    rows = table.to_pylist()
    rows[0]["events"][0]["content"]["lab"] = None
    error = _refused(_rewritten(path, pa.Table.from_pylist(rows, schema=table.schema)))
    assert error.where.endswith("row 0: events[0].content")


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "many.parquet"
    path.write_bytes(b"old")
    with pytest.raises(FormatError):
        write_parquet(path, lab_journeys(3, note=chr(0xD800)))
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(InputError):
        write_parquet(tmp_path / "none" / "x.parquet", [])
