"""Migrations: each step in ``migrations/versions``, run by Alembic under a lock of the database."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from metatac.errors import StoreError
from metatac.store.database import Database, wait_for

LOCK = 0x6D657461
"""PostgreSQL's advisory lock that keeps two processes from upgrading at once."""


def upgrade(database: Database) -> None:
    with database.engine.connect() as connection:
        if _is_current(connection):
            return
    options = {"metatac_write": True} if database.is_sqlite else {}
    with database.engine.connect().execution_options(**options) as connection, connection.begin():
        if not database.is_sqlite:
            wait_for(connection, LOCK)
        if not _is_current(connection):
            configuration = _configuration()
            configuration.attributes["connection"] = connection
            command.upgrade(configuration, "head")


def _configuration() -> Config:
    configuration = Config()
    configuration.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return configuration


def _is_current(connection: Connection) -> bool:
    scripts = ScriptDirectory.from_config(_configuration())
    revision = MigrationContext.configure(connection).get_current_revision()
    if revision is not None and revision not in {script.revision for script in scripts.walk_revisions()}:
        raise StoreError(f"the database is of a later metatac (its tables are of revision {revision}): update metatac")
    return revision == scripts.get_current_head()
