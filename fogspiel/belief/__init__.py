"""What a player can believe: states drawn from what it has seen."""
