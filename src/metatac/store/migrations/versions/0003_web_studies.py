"""Analyses of whole games, which any worker can tell about."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "web_studies",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("visitor", sa.String(32), nullable=False),
        sa.Column("record", sa.Text(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("plies", sa.Text(), nullable=False),
        sa.Column("accuracy", sa.Text(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("worker", sa.String(32), nullable=False),
        sa.Column("changed", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_web_studies"),
    )
    op.create_index("ix_web_studies_changed", "web_studies", ["changed"])


def downgrade() -> None:
    op.drop_table("web_studies")
