"""`python -m oncoproof` is the `oncoproof` program."""

from oncoproof.app.command import main

if __name__ == "__main__":
    main()
