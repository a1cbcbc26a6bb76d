"""Python source: syntax trees to facts, followed through imports, calls and values."""
