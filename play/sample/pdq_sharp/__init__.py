"""The sample of PDQ#: The Gilded Compass, an evening of style dice, challenges and a duel on the water stairs."""
