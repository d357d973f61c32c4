"""`fogspiel bench`: speed and memory, side by side with other libraries on the same games."""
