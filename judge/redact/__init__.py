"""Takes secrets out of text that leaves the machine.

Only text on its way to a model or into a message goes through here; facts about the workspace that are used locally
are never touched. The patterns are data in ``redact_patterns.toml``. There is no guessing by entropy: hashes, commit
ids, UUIDs and base64 data are evidence and stay.
"""

from judge.redact.mask import Finding, Redacted, Redactor, redact

__all__ = ["Finding", "Redacted", "Redactor", "redact"]
