"""Files that appear whole or not at all.

Rules this module guarantees:

- What is written goes to a file beside the target, is flushed to the disk, and takes the target's
  name in one step. Where anything fails, the target stays as it was and no other file is left.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replace_file(Path(folder) / "note.txt") as file:
    ...         _ = file.write(b"whole")
    ...     (Path(folder) / "note.txt").read_bytes()
    b'whole'
"""

import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from oncoproof.errors import InputError

_ORDINARY_MODE = 0o666


@contextmanager
def replace_file(path: Path) -> Generator[BinaryIO]:
    """A file to write to, which takes the place of `path` when the block ends well.

    Raises:
        InputError: The folder is missing or cannot be written to, or the disk is full.
    """
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as error:
        raise _unwritable(path, error) from error
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield cast("BinaryIO", file)
            file.flush()
            os.fsync(file.fileno())
        _give_ordinary_mode(part)
        part.replace(path)
        _flush_folder(path.parent)
    except OSError as error:
        raise _unwritable(path, error) from error
    finally:
        part.unlink(missing_ok=True)


def make_folder(folder: Path) -> None:
    """A folder to write to, with those above it, made where it is not there.

    Raises:
        InputError: It cannot be made, or something else has its name.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            where=str(folder),
            came=error.strerror or str(error),
            expected="a folder that can be written to",
            remedy="name another folder",
        ) from error


def _give_ordinary_mode(part: Path) -> None:
    """Undo that temporary files are for their owner's eyes only."""
    mask = os.umask(0)
    os.umask(mask)
    part.chmod(_ORDINARY_MODE & ~mask)


def _flush_folder(folder: Path) -> None:
    """Make the new name survive a power cut; systems without open folders need nothing."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _unwritable(path: Path, error: OSError) -> InputError:
    return InputError(
        where=str(path),
        came=error.strerror or str(error),
        expected="a place that can be written to",
        remedy="check the folder, its permissions and the space left",
    )
