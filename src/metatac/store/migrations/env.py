"""How Alembic runs a migration here: on the connection that ``migrate.upgrade`` passes in."""

from alembic import context

from metatac.store import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    transactional_ddl=True,
)
context.run_migrations()
