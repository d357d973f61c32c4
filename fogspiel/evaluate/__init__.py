"""Who is better, and by how much: matches, statistics, ratings, the exploitability of online players."""
