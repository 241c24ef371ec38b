"""The page of who keeps the server: people, campaigns by size, disk, jobs; no contents and no secrets of anybody."""
