"""A table that a visitor tries without an account: in a database of its own, which is deleted whole after a day."""
