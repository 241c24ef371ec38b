"""Work outside requests: asked for in the transaction that it follows from, done by a worker."""
