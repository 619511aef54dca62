"""Runs the console command ``ttrt`` as ``python -m ttrt``."""

from ttrt import main

if __name__ == "__main__":
    main()
