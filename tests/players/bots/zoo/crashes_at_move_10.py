"""Divides by how many of its first ten moves are left."""

for left in range(9, -1, -1):
    move = input().split()[0]
    share = 1 / left
    print(move, flush=True)
