"""The sample campaign: a story, two evenings of it played through the site’s own services, and dice really rolled.

`story` holds who is in it, `words` what they say in the conflict, `table` the few actions that they are made of,
`fight` plays the conflict by intentions, `recap` tells what came of it, `evenings` is the script.
"""
