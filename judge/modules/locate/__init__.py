"""Which files a requirement is about."""

from judge.modules.locate.match import Hit, Matcher, Resolution
from judge.modules.locate.mentions import Mention, Named, mentions
from judge.modules.locate.module import Locate

__all__ = ["Hit", "Locate", "Matcher", "Mention", "Named", "Resolution", "mentions"]
