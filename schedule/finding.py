"""What the search finds of the schedule: nothing of its own, its entries are the trail's."""
