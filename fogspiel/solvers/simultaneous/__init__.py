"""Alpha-beta search of games in which nothing is hidden but moves made at the same time, and its double oracle."""
