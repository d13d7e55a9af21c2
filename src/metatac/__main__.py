"""`python -m metatac` is the `metatac` command."""

from metatac.cli import main

if __name__ == "__main__":
    main()
