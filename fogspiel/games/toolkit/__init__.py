"""What several games need: sets of bits, boards, cards, dice, graphs, and pictures of them. Rules of one game stay in
its file."""
