"""What is kept in a database: tournaments and games on the web; SQLite by default, PostgreSQL by URL."""

from metatac.store.base import Base
from metatac.store.database import Database, existing_database, open_database

__all__ = ["Base", "Database", "existing_database", "open_database"]
