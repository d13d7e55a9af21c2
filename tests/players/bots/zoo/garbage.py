"""Says something else."""

input()
print("%$&! I win", flush=True)
input()
