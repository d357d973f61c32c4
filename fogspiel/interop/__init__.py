"""What other programs read and write: their files."""
