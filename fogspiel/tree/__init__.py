"""A game unrolled into flat arrays: histories, information sets, sequence form."""
