"""What a system is to this side: something that can be asked, one case or many at a time.

Rules this module guarantees:

- A system sends back what it sent: nothing here reads it. Whoever asks reads it, and keeps the time.
- What stands in the way of an answer is an `UnansweredError`; it says whether asking again may help.

    >>> error = UnansweredError(Status.UNREACHABLE, "connection refused", is_passing=True)
    >>> error.status.value, error.is_passing
    ('unreachable', True)
"""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from oncoproof.systems.contract import PatientFormat, Request, Sent, Status


class UnansweredError(Exception):
    """No answer came."""

    def __init__(
        self, status: Status, came: str, *, is_passing: bool = False, retry_after_s: float | None = None
    ) -> None:
        """Keep what is told of it.

        Args:
            status: What the question ends with if nobody asks again.
            came: What happened instead, in words.
            is_passing: Whether asking again may help.
            retry_after_s: How long the other side wants to be left alone; None = it did not say.
        """
        super().__init__(came)
        self.status = status
        self.came = came
        self.is_passing = is_passing
        self.retry_after_s = retry_after_s


class System(Protocol):
    """A system under test."""

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    @property
    def version(self) -> str:
        """What tells versions apart; answers are kept by it."""
        ...

    @property
    def wants(self) -> PatientFormat:
        """How patients are to be written for it."""
        ...

    async def answer(self, request: Request) -> Sent:
        """What the system sends for one case.

        Args:
            request: The case.

        Raises:
            UnansweredError: Nothing came.
        """
        ...

    async def close(self) -> None:
        """Let go of connections and processes."""
        ...


@runtime_checkable
class BatchSystem(System, Protocol):
    """A system that takes many cases at once."""

    async def answer_all(self, requests: Sequence[Request]) -> Sequence[Sent | UnansweredError]:
        """What the system sends for each case, in their order.

        Args:
            requests: The cases.
        """
        ...
