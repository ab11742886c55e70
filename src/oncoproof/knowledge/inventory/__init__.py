"""What the knowledge base holds, and everything that is wrong in it."""

from oncoproof.knowledge.inventory.holdings import HOLDINGS, Holding
from oncoproof.knowledge.inventory.inventory import Held, Inventory, take_inventory

__all__ = ["HOLDINGS", "Held", "Holding", "Inventory", "take_inventory"]
