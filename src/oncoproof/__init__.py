"""A proving ground for precision-oncology AI: generated patients, closed-loop care, signed evidence.

Research software on simulated patients; not a medical device. Import what you need from the
packages (`from oncoproof.journey import Journey`): this module holds the version only, so that
starting the command line stays quick.

    >>> import oncoproof
    >>> oncoproof.__version__
    '0.1.0'
"""

__version__ = "0.1.0"
