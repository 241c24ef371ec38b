"""How much the site costs beside a bare view of the same framework: `make bench`. Never part of the tests."""
