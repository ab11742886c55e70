"""Asking a system: what a system is, how many cases at a time, how long, and what becomes of failures."""

from oncoproof.systems.calling.system import BatchSystem, System, UnansweredError

__all__ = ["BatchSystem", "System", "UnansweredError"]
