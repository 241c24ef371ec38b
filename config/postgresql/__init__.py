"""PostgreSQL for a server that stays out while a backup is put back."""
