"""Says why it cannot play, and leaves."""

import sys

print("no opening book", file=sys.stderr)
sys.exit(3)
