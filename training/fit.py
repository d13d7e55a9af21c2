"""Learn an evaluation from self-play: one hidden layer over whole small boards (``metatac/engine/network.py``).

    python training/fit.py games.npz more.npz --out src/metatac/engine/networks/ultimate.npz

Every state of a small board gets a vector of PARTS numbers, the same wherever the board lies; each of the nine boards,
and the one sent to, has a matrix for each role that turns it into hidden values. Positions are turned and mirrored at
random, and seen by the side to move. Needs PyTorch, with or without a GPU.
"""

import argparse
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from metatac.engine import network as net
from metatac.engine.learned import LINES, completing, live, save

PARTS = 32
DECISIVE = 0.97
"""A search value this great was a game seen to its end."""
UNKNOWN = 2
"""In place of a result: the game was not played."""
MOST = 7.9
"""No weight of the last layer is greater."""


def turned(flip: bool, quarter: int) -> list[int]:
    """Where each cell of a 3 x 3 board goes in one of the eight symmetries: the old cell of each new one."""
    grid = np.rot90(np.arange(9).reshape(3, 3), quarter)
    return [int(cell) for cell in (np.fliplr(grid) if flip else grid).ravel()]


SYMMETRIES = [turned(flip, quarter) for flip, quarter in product((False, True), range(4))]


def permuted_states() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What each state becomes under each symmetry, and with the players changed."""
    states = np.arange(net.STATES)
    digits = states[:, None] // 3 ** np.arange(9) % 3
    marked = states < net.OWN
    moved = np.array(
        [np.where(marked, (digits[:, symmetry] * 3 ** np.arange(9)).sum(1), states) for symmetry in SYMMETRIES]
    )
    other = np.where(marked, ((3 - digits) % 3 * 3 ** np.arange(9)).sum(1), states)
    other[[net.OWN, net.OTHER]] = net.OTHER, net.OWN
    return moved, other


class Network(torch.nn.Module):
    """In floats what ``engine/network.py`` is in whole numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.parts = torch.nn.Embedding(net.STATES, PARTS)
        matrices = torch.randn(net.SIZE + 1, PARTS, net.HIDDEN) * 0.1
        self.boards = torch.nn.Parameter(matrices.repeat(net.ROLES, 1, 1, 1))
        self.sends = torch.nn.Parameter(torch.full((10, net.HIDDEN), 0.3) + 0.02 * torch.randn(10, net.HIDDEN))
        self.lines = torch.nn.Parameter(torch.zeros(net.LINES, net.LINE_STATES, net.HIDDEN))
        self.counts = torch.nn.Parameter(torch.zeros(net.SIZE + 1, net.SIZE + 1, net.HIDDEN))
        self.out = torch.nn.Parameter((torch.randn(net.HIDDEN) * 0.3).repeat(net.SIZE + 1, 1))
        self.draws = torch.nn.Parameter(torch.full((net.SIZE + 1, net.HIDDEN), 0.02))
        torch.nn.init.normal_(self.parts.weight, std=0.3)

    def learn_from(self, file: Path) -> None:
        """Begin with what another network knows, be it one that knows no roles."""
        with np.load(file) as saved, torch.no_grad():
            for name, own in self.named_parameters():
                if name == "parts.weight":
                    own.copy_(torch.tensor(saved["parts"].astype(np.float32) * saved["scale"]))
                elif name in saved:
                    known = torch.tensor(saved[name].astype(np.float32))
                    own[..., : known.shape[-1]] = known  # what knows no roles is repeated
                    if name in ("out", "draws"):
                        own[..., known.shape[-1] :] = 0

    def forward(self, seen: "Seen") -> tuple[torch.Tensor, torch.Tensor]:
        """Expected utility in the mover's view and the chance of a draw."""
        states = self.parts(seen.states)  # positions x boards x parts
        apart = states.new_zeros(*states.shape[:2], net.ROLES, PARTS)
        apart = apart.scatter(2, seen.roles[:, :, None, None].expand(-1, -1, 1, PARTS), states[:, :, None])
        hidden = apart.flatten(1) @ self.boards.transpose(0, 1).reshape(-1, net.HIDDEN)
        hidden = hidden + self.sends[seen.send] + self.counts[seen.owned, seen.lost]
        hidden = hidden + torch.nn.functional.embedding_bag(seen.lines, self.lines.flatten(0, 1), mode="sum")
        squares = hidden.clamp(0, 1) ** 2
        z = (squares * self.out.clamp(-MOST, MOST)[seen.decided]).sum(1)
        return z / (1 + z.abs()), (squares * self.draws.clamp(-MOST, MOST)[seen.decided]).sum(1)


class Seen(NamedTuple):
    """Positions as the network sees them."""

    states: torch.Tensor
    roles: torch.Tensor
    """Of the nine boards, and of the board sent to."""
    send: torch.Tensor
    lines: torch.Tensor
    owned: torch.Tensor
    lost: torch.Tensor
    decided: torch.Tensor


class Positions:
    """Self-play positions on the device, given out in shuffled batches."""

    def __init__(self, files: list[Path], share: float, device: str) -> None:
        loaded = [np.load(file) for file in files]
        columns = {name: np.concatenate([one[name] for one in loaded]) for name in loaded[0].files}
        moved, other = permuted_states()
        o_moves = columns["turn"][:, None] == 1
        boards = columns["boards"].astype(np.int64)
        boards = np.where(o_moves, other[boards], boards)
        result = np.where(o_moves[:, 0], -columns["result"], columns["result"]).astype(np.float32)
        columns["value"] = columns["value"].astype(np.float32)
        value = np.where(np.abs(columns["value"]) >= DECISIVE, np.sign(columns["value"]), columns["value"])
        wanted = share * result + (1 - share) * value
        decided, unknown = np.abs(columns["value"]) >= DECISIVE, columns["result"] == UNKNOWN
        wanted[decided | unknown] = value[decided | unknown]
        self.boards = torch.tensor(boards, device=device)
        self.send = torch.tensor(columns["send"].astype(np.int64), device=device)
        self.wanted = torch.tensor(wanted.astype(np.float32), device=device)
        self.drawn = torch.tensor(((result == 0) & ~decided & ~unknown).astype(np.float32), device=device)
        self.known = torch.tensor((~unknown).astype(np.float32), device=device)
        self.moved = torch.tensor(moved, device=device)
        self.cells = torch.tensor(SYMMETRIES, device=device)
        self.back = torch.argsort(self.cells, 1)
        self.tested = len(boards) // 20
        self.lines, self.powers = torch.tensor(LINES, device=device), torch.tensor([1, 2, 4], device=device)
        self.bits = 1 << torch.arange(net.SIZE, device=device)
        self.completing = torch.tensor([completing(mask) for mask in range(512)], device=device)
        self.live = torch.tensor([live(mask) for mask in range(512)], device=device)

    def batch(self, rows: torch.Tensor, symmetry: int) -> Seen:
        """Some positions, turned."""
        boards = self.moved[symmetry][self.boards[rows][:, self.cells[symmetry]]]
        send = self.send[rows]
        free = send == net.SIZE
        send = torch.where(free, send, self.back[symmetry][send.clamp(max=8)])
        own, other, nobody = (boards == state for state in (net.OWN, net.OTHER, net.NOBODY))
        decided = own | other | nobody
        completes, completes_other = (self.among(self.completing, masks) for masks in (own, other))
        lives = self.among(self.live, other | nobody) | self.among(self.live, own | nobody)
        role = torch.where(decided, 0, lives.long() + completes.long() + 2 * completes_other.long())
        target = send.clamp(max=8)[:, None]
        target_state = torch.where(free[:, None], net.NONE, boards.gather(1, target))
        target_role = torch.where(free[:, None], 0, role.gather(1, target))
        digits = (own | nobody).long() + 8 * (other | nobody).long()
        lines = (digits[:, self.lines] * self.powers).sum(2) + 64 * torch.arange(len(LINES), device=rows.device)
        states, roles = torch.cat([boards, target_state], 1), torch.cat([role, target_role], 1)
        return Seen(states, roles, send, lines, own.sum(1), other.sum(1), decided.sum(1))

    def among(self, table: torch.Tensor, boards: torch.Tensor) -> torch.Tensor:
        """Which boards are in what a table has for the mask of some."""
        return table[(boards * self.bits).sum(1)][:, None] & self.bits != 0


def fit(data: Positions, model: Network, epochs: int, size: int, speed: float, draws: float, device: str) -> None:
    """Train a network; a line for each few epochs says how well it does on positions that it was not shown."""
    error = torch.nn.functional.mse_loss
    trained = torch.arange(data.tested, len(data.boards), device=device)
    steps = epochs * (len(trained) // size)
    adam = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(adam, max_lr=speed, total_steps=steps, pct_start=0.1)
    for epoch in range(epochs):
        order = trained[torch.randperm(len(trained), device=device)]
        for first in range(0, len(order) - size + 1, size):
            rows = order[first : first + size]
            value, drawn = model(data.batch(rows, int(torch.randint(8, ()).item())))
            loss = error(value, data.wanted[rows]) + draws * error(drawn * data.known[rows], data.drawn[rows])
            adam.zero_grad(set_to_none=True)
            loss.backward()
            adam.step()
            schedule.step()
        if epoch % 5 == 4 or epoch == epochs - 1:
            rows = torch.arange(data.tested, device=device)
            with torch.no_grad():
                value, drawn = model(data.batch(rows, 0))
            errors = float(error(value, data.wanted[rows])), float(error(drawn * data.known[rows], data.drawn[rows]))
            unseen = f"{errors[0]:.4f}, draws {errors[1]:.4f}"
            print(f"epoch {epoch + 1:3}: {float(loss.detach()):.4f}; on unseen positions {unseen}", flush=True)
    model.cpu()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--batch", type=int, default=16384)
    parser.add_argument("--start", type=Path, help="a network to begin with")
    parser.add_argument("--speed", type=float, default=4e-3, help="the greatest rate of learning")
    parser.add_argument("--share", type=float, default=0.1, help="of the game's result in what is learned")
    parser.add_argument(
        "--draws", type=float, default=0.1, help="how much errors in the chance of a draw count; 0: it is not learned"
    )
    wanted = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = True
    device = "cuda" if torch.cuda.is_available() else "cpu"
    data = Positions(wanted.games, wanted.share, device)
    print(f"{len(data.boards):,} positions on {device}", flush=True)
    torch.manual_seed(0)
    model = Network()
    if wanted.start is not None:
        model.learn_from(wanted.start)
    fit(data, model.to(device), wanted.epochs, wanted.batch, wanted.speed, wanted.draws, device)
    wanted.out.parent.mkdir(parents=True, exist_ok=True)
    with torch.no_grad():
        model.out.clamp_(-MOST, MOST)
        model.draws.clamp_(-MOST, MOST)
        learned = {name.removesuffix(".weight"): own.numpy() for name, own in model.named_parameters()}
    if not wanted.draws:
        del learned["draws"]
    save(wanted.out, **learned)


if __name__ == "__main__":
    main()
