"""What every figure of the knowledge base must satisfy, and the interval that computed shares carry."""

import math
import re

from oncoproof.knowledge.sources import load_sources
from oncoproof.knowledge.tables import Basis, Figure

UNITS = re.compile(
    r"1|%|a|d|wk|mo|mm|cm|cm2|/d|/wk|/a|g/dL|1/1000000\{Base\}|\{(?:lesions|points|score|lines|studies)\}"
)

_Z = 1.959963984540054


def wilson(share: float, n: int) -> tuple[float, float]:
    """The Wilson 95 % interval of a share among n."""
    scale = 1 + _Z**2 / n
    centre = (share + _Z**2 / (2 * n)) / scale
    half = _Z * math.sqrt(share * (1 - share) / n + _Z**2 / (4 * n * n)) / scale
    return max(0.0, centre - half), min(1.0, centre + half)


def require_sound(figure: Figure) -> None:
    """Bounds in order around the value, a known unit, a source of the bibliography."""
    assert UNITS.fullmatch(figure.unit), figure
    assert figure.source in load_sources(), figure
    assert figure.low is None or figure.low <= figure.value, figure
    assert figure.high is None or figure.value <= figure.high, figure
    assert math.isfinite(figure.value), figure


def require_share(figure: Figure) -> None:
    """A sound figure between 0 and 1."""
    require_sound(figure)
    assert figure.unit == "1", figure
    assert 0 <= (figure.low or 0) <= figure.value <= (figure.high or 1) <= 1, figure


def require_wilson(figure: Figure, n: int | None) -> None:
    """A computed share whose n is known carries its Wilson interval."""
    if figure.basis is not Basis.COMPUTED or n is None:
        return
    assert figure.low is not None, figure
    assert figure.high is not None, figure
    low, high = wilson(figure.value, n)
    assert math.isclose(figure.low, low, abs_tol=6e-5), (figure, low)
    assert math.isclose(figure.high, high, abs_tol=6e-5), (figure, high)


def require_stated_range(figure: Figure) -> None:
    """A recalled or read range of two ends carries its middle, unless the ends are a real interval."""
    if figure.low is not None and figure.high is not None:
        assert math.isclose(figure.value, (figure.low + figure.high) / 2, abs_tol=1e-6), figure
