"""Asks somebody else for a move."""

import socket

socket.create_connection(("127.0.0.1", 80), timeout=1)
