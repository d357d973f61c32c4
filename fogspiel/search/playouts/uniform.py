"""Every move as likely. The game's own random play does that."""
