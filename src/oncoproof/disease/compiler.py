"""How the compiler of the model is set up, once in a process, before anything is compiled.

Rules this module guarantees:

- What was compiled is kept in the user's cache folder, so that the next process starts warm: the folder that
  `ONCOPROOF_CACHE` names (empty = keep nothing), else `oncoproof` in `XDG_CACHE_HOME`, else in `~/.cache`.
  A folder that cannot be written is not used, and nothing fails for it. A cache that was chosen for JAX
  itself (`JAX_COMPILATION_CACHE_DIR`) is left as it is.
- Processes may share the folder: entries are named by what they hold and never changed, and one that another
  process is still writing fails its checksum and is compiled anew.

    >>> cache_folder({"ONCOPROOF_CACHE": "/var/cache/oncoproof"})
    PosixPath('/var/cache/oncoproof')
    >>> cache_folder({"ONCOPROOF_CACHE": ""}) is None
    True
"""

import os
from collections.abc import Mapping
from pathlib import Path

import jax


def set_up_compiler(environment: Mapping[str, str] = os.environ) -> None:
    """Keep what is compiled; without effect on what was compiled before.

    Args:
        environment: Variables of the process.
    """
    folder = cache_folder(environment)
    if jax.config.values["jax_compilation_cache_dir"] is None and folder is not None and _is_writable(folder):
        jax.config.update("jax_compilation_cache_dir", str(folder / "compiled"))
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)


def cache_folder(environment: Mapping[str, str]) -> Path | None:
    """The user's cache folder; None = nothing is to be kept, or there is no home to keep it in."""
    chosen = environment.get("ONCOPROOF_CACHE")
    if chosen is not None:
        return Path(chosen) if chosen else None
    # The rules of XDG_CACHE_HOME: a path that is not absolute does not count.
    caches = Path(environment.get("XDG_CACHE_HOME", ""))
    if caches.is_absolute():
        return caches / "oncoproof"
    home = environment.get("HOME")
    return Path(home) / ".cache" / "oncoproof" if home else None


def _is_writable(folder: Path) -> bool:
    """Whether files can be made there, once the folder is."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)
