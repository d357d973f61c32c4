"""Machine code from plain functions, random numbers, hashing and raw memory. Knows nothing of games."""
