"""Search and evaluation over the kernel; results as plain values."""
