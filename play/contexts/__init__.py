"""What pages may see, page by page: frozen, built for one viewer."""
