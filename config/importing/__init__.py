"""A campaign's file by a page: sent, kept, read and checked by the worker beside the site's database, then copied in.

`services` keep it and say how far it is, `work` is the worker's, `scratch` the database beside.
"""
