"""Games with hidden information (Lisý 2014, sec. 3.2 and 4.3): items in the order of print."""

from fogspiel.reproduce.item import Item, Missing
from fogspiel.reproduce.lisy_2014 import generic_poker, hidden_goofspiel, nonlocality, phantom, summary

ITEMS: dict[str, Item | Missing] = {
    "E-13": hidden_goofspiel.FIG_4_11,
    "E-14": hidden_goofspiel.TABLE_4_8,
    "E-15": hidden_goofspiel.TABLE_4_9,
    "E-16": generic_poker.FIG_4_13,
    "E-17": generic_poker.FIG_4_14,
    "E-18": generic_poker.TABLE_4_10,
    "E-19": generic_poker.TABLE_4_11,
    "E-20": phantom.FIG_4_15,
    "E-21": phantom.TABLE_4_12,
    "E-22": summary.DISCUSSION,
    "nonlocality": nonlocality.NONLOCALITY,
}
