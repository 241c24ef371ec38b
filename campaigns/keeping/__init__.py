"""For whoever keeps the server: backups, putting one back, moving to another database. Commands call it, and jobs.

What is done to a copy is done by `manage.py` in a process of its own, with the copy as its database: what is checked is
then what a server would open.
"""
