"""Learn an evaluation from self-play: one hidden layer over whole small boards (``metatac/engine/network.py``).

    python training/fit.py games.npz more.npz --out src/metatac/engine/networks/ultimate.npz

Every state of a small board gets a vector of PARTS numbers, the same wherever the board lies; each of the nine boards,
and the one sent to, has a matrix of its own that turns it into hidden values. Positions are turned and mirrored at
random, and seen by the side to move. Needs PyTorch, with or without a GPU.
"""

import argparse
from itertools import product
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from metatac.engine import network as net
from metatac.engine.learned import save

PARTS = 32
DECISIVE = 0.97
"""A search value this great was a game seen to its end."""
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
        self.boards = torch.nn.Parameter(torch.randn(10, PARTS, net.HIDDEN) * 0.1)
        self.sends = torch.nn.Parameter(torch.full((10, net.HIDDEN), 0.3) + 0.02 * torch.randn(10, net.HIDDEN))
        self.out = torch.nn.Parameter(torch.randn(net.HIDDEN) * 0.3)
        self.draws = torch.nn.Parameter(torch.full((net.HIDDEN,), 0.02))
        torch.nn.init.normal_(self.parts.weight, std=0.3)

    def forward(
        self, boards: torch.Tensor, target: torch.Tensor, send: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Expected utility in the mover's view and the chance of a draw, from the states of boards and target."""
        states = self.parts(torch.cat([boards, target[:, None]], 1))
        hidden = torch.einsum("nbp,bph->nh", states, self.boards) + self.sends[send]
        squares = hidden.clamp(0, 1) ** 2
        z = squares @ self.out.clamp(-MOST, MOST)
        return z / (1 + z.abs()), squares @ self.draws.clamp(-MOST, MOST)


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
        decided = np.abs(columns["value"]) >= DECISIVE
        wanted[decided] = value[decided]
        self.boards = torch.tensor(boards, device=device)
        self.send = torch.tensor(columns["send"].astype(np.int64), device=device)
        self.wanted = torch.tensor(wanted.astype(np.float32), device=device)
        self.drawn = torch.tensor(((result == 0) & ~decided).astype(np.float32), device=device)
        self.moved = torch.tensor(moved, device=device)
        self.cells = torch.tensor(SYMMETRIES, device=device)
        self.back = torch.argsort(self.cells, 1)
        self.tested = len(boards) // 20

    def batch(self, rows: torch.Tensor, symmetry: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Boards, target and send of some positions, turned."""
        boards = self.moved[symmetry][self.boards[rows][:, self.cells[symmetry]]]
        send = self.send[rows]
        free = send == 9
        send = torch.where(free, send, self.back[symmetry][send.clamp(max=8)])
        target = torch.where(free, net.NONE, boards.gather(1, send.clamp(max=8)[:, None])[:, 0])
        return boards, target, send


def fit(data: Positions, epochs: int, size: int, draws: float, device: str) -> Network:
    """Train a network; a line for each few epochs says how well it does on positions that it was not shown."""
    torch.manual_seed(0)
    model, error = Network().to(device), torch.nn.functional.mse_loss
    trained = torch.arange(data.tested, len(data.boards), device=device)
    steps = epochs * (len(trained) // size)
    adam = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(adam, max_lr=4e-3, total_steps=steps, pct_start=0.1)
    for epoch in range(epochs):
        order = trained[torch.randperm(len(trained), device=device)]
        for first in range(0, len(order) - size + 1, size):
            rows = order[first : first + size]
            value, drawn = model(*data.batch(rows, int(torch.randint(8, ()).item())))
            loss = error(value, data.wanted[rows]) + draws * error(drawn, data.drawn[rows])
            adam.zero_grad(set_to_none=True)
            loss.backward()
            adam.step()
            schedule.step()
        if epoch % 5 == 4 or epoch == epochs - 1:
            rows = torch.arange(data.tested, device=device)
            with torch.no_grad():
                value, drawn = model(*data.batch(rows, 0))
            unseen = f"{float(error(value, data.wanted[rows])):.4f}, draws {float(error(drawn, data.drawn[rows])):.4f}"
            print(f"epoch {epoch + 1:3}: {float(loss.detach()):.4f}; on unseen positions {unseen}", flush=True)
    model.cpu()
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--batch", type=int, default=16384)
    parser.add_argument("--share", type=float, default=0.1, help="of the game's result in what is learned")
    parser.add_argument("--draws", type=float, default=0.1, help="how much errors in the chance of a draw count")
    wanted = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    data = Positions(wanted.games, wanted.share, device)
    print(f"{len(data.boards):,} positions on {device}", flush=True)
    model = fit(data, wanted.epochs, wanted.batch, wanted.draws, device)
    wanted.out.parent.mkdir(parents=True, exist_ok=True)
    with torch.no_grad():
        save(
            wanted.out,
            parts=model.parts.weight.numpy(),
            boards=model.boards.numpy(),
            sends=model.sends.numpy(),
            out=model.out.clamp(-MOST, MOST).numpy(),
            draws=model.draws.clamp(-MOST, MOST).numpy(),
        )


if __name__ == "__main__":
    main()
