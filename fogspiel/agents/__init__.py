"""What sits in a seat: searches, stored strategies, people, random movers, and any object with the small agent
protocol."""
