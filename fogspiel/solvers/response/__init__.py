"""How good a strategy is: expected values and best responses, on a tree or by walking the rules."""
