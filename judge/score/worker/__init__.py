"""What runs inside the sandbox: plain scripts of the standard library, sent to the worker as code, never as files."""
