"""A campaign as one file, out of a server and into one: docs/campaign-file.md says what is in it.

`lines` are the file's, `writing` makes them, `placing` makes a campaign of them.
"""
