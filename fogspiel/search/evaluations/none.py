"""Games are played out to the end."""

NOTHING = True
