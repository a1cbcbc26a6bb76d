"""The ways to put a text where a judge reads, one family of places a file."""
