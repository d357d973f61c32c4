"""Who is better, and by how much: matches, statistics, ratings, how exploitable online players are."""
