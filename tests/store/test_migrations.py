"""The tables that the migrations make are the tables that the code speaks of."""

from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

import metatac.store.games
import metatac.store.studies
import metatac.store.tournaments  # noqa: F401  -- their tables
from metatac.store import Base, open_database


def test_migrations_make_the_tables_of_the_models(database_url: str) -> None:
    database = open_database(database_url)
    with database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    database.close()


def test_opening_again_changes_nothing(database_url: str) -> None:
    for _ in range(2):
        open_database(database_url).close()
