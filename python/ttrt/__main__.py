"""``python -m ttrt`` is the console command ``ttrt``."""

from ttrt import main

if __name__ == "__main__":
    main()
