"""What a person meets: the command line."""
