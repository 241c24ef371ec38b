"""Exit status 0 when a PostgreSQL server answers at this address: `python -m tests.answers URL`."""
import sys

import psycopg

if __name__ == "__main__":
    try:
        psycopg.connect(sys.argv[1], connect_timeout=3).close()
    except psycopg.Error:
        sys.exit(1)
