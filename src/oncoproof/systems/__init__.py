"""Who decides: the contract with a system under test, ways to ask one, and systems that ship."""

from oncoproof.systems.calling import BatchSystem, System, UnansweredError
from oncoproof.systems.contract import Answer, Request, Status, Task, read_answer

__all__ = [
    "Answer",
    "BatchSystem",
    "Request",
    "Status",
    "System",
    "Task",
    "UnansweredError",
    "read_answer",
]
