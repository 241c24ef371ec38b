"""What needs several machines, tried on one: `python -m tests.clusters.failover`. `make torture` runs it."""
