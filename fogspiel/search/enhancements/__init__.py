"""Enhancements: parts beyond those that every search has. A search may have any number of them; each has its record
under its own name."""
