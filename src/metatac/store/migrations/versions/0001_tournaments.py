"""Tournaments and their games."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("plan", sa.Text, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
        sa.UniqueConstraint("name", name="uq_tournaments_name"),
    )
    op.create_table(
        "tournament_games",
        sa.Column("tournament", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("x", sa.Integer, nullable=False),
        sa.Column("o", sa.Integer, nullable=False),
        sa.Column("result", sa.String(8), nullable=False),
        sa.Column("points_x", sa.Float, nullable=False),
        sa.Column("points_o", sa.Float, nullable=False),
        sa.Column("score", sa.Float, nullable=False),
        sa.Column("reason", sa.String(40), nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("moves_x", sa.Integer, nullable=False),
        sa.Column("moves_o", sa.Integer, nullable=False),
        sa.Column("seconds_x", sa.Float, nullable=False),
        sa.Column("seconds_o", sa.Float, nullable=False),
        sa.Column("longest_x", sa.Float, nullable=False),
        sa.Column("longest_o", sa.Float, nullable=False),
        sa.Column("stderr_x", sa.Text, nullable=False),
        sa.Column("stderr_o", sa.Text, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("ended", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("tournament", "number", name="pk_tournament_games"),
        sa.ForeignKeyConstraint(
            ["tournament"],
            ["tournaments.id"],
            name="fk_tournament_games_tournament_tournaments",
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_tournament_games_players", "tournament_games", ["tournament", "x", "o"])


def downgrade() -> None:
    op.drop_table("tournament_games")
    op.drop_table("tournaments")
