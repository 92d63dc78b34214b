"""The commands of the command line, one idea a file."""
