"""Games on the web, their visitors, and the workers that serve them."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "web_visitors",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("name", sa.String(96), nullable=False),
        sa.Column("changed", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_web_visitors"),
    )
    op.create_table(
        "web_games",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("moved", sa.BigInteger(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("updated", sa.Float(), nullable=False),
        sa.Column("phase", sa.String(16), nullable=False),
        sa.Column("opponent", sa.String(16), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("owner", sa.String(32), nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("turn", sa.String(1), nullable=False),
        sa.Column("deadline", sa.Float(), nullable=True),
        sa.Column("result", sa.String(8), nullable=True),
        sa.Column("reason", sa.String(32), nullable=True),
        sa.Column("x_kind", sa.String(8), nullable=False),
        sa.Column("x_visitor", sa.String(32), nullable=True),
        sa.Column("x_name", sa.String(96), nullable=False),
        sa.Column("x_level", sa.String(8), nullable=True),
        sa.Column("o_kind", sa.String(8), nullable=False),
        sa.Column("o_visitor", sa.String(32), nullable=True),
        sa.Column("o_name", sa.String(96), nullable=False),
        sa.Column("o_level", sa.String(8), nullable=True),
        sa.Column("invite", sa.String(64), nullable=True),
        sa.Column("joiner", sa.String(4), nullable=True),
        sa.Column("rematch_offer", sa.String(1), nullable=True),
        sa.Column("rematch_id", sa.String(32), nullable=True),
        sa.Column("engine_by", sa.String(32), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_web_games"),
    )
    op.create_index("ix_web_games_phase_updated", "web_games", ["phase", "updated"])
    op.create_index("ix_web_games_x_visitor_updated", "web_games", ["x_visitor", "updated"])
    op.create_index("ix_web_games_o_visitor_updated", "web_games", ["o_visitor", "updated"])
    op.create_index("ix_web_games_deadline", "web_games", ["deadline"])
    op.create_table(
        "web_workers",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("alive", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_web_workers"),
    )
    op.create_table(
        "web_presence",
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("visitor", sa.String(32), nullable=False),
        sa.Column("worker", sa.String(32), nullable=False),
        sa.Column("online", sa.Boolean(), nullable=False),
        sa.Column("changed", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("game", "visitor", "worker", name="pk_web_presence"),
    )


def downgrade() -> None:
    for table in ("web_presence", "web_workers", "web_games", "web_visitors"):
        op.drop_table(table)
