"""Data that code makes up at random where a data set should be loaded."""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.modules.graph.facts import Call
from judge.rules.live import LiveFile

_RANDOM = re.compile(
    r"^(?:numpy\.random\.|random\.|torch\.rand|sklearn\.datasets\.make_|tensorflow\.random\.(?!set_seed)|faker\.|jax\.random\.)|"
    r"default_rng\(\)\.|RandomState\(\)\.|^numpy\.random\.default_rng\(\)|Random\(\)\.(?:random|gauss|uniform|randint|choice)"
)
_HARMLESS_RANDOM = re.compile(
    r"seed|shuffle|permutation|default_rng$|RandomState$|random_split|choice$|sample$|(?:^|\.)Random$|get_state|manual_seed|random\.choice|"
    r"integers$|randint$|random\.random$|rand$"
)


def makes_up(call: Call) -> bool:
    """Whether a call draws random values."""
    return _RANDOM.search(call.target) is not None and "seed" not in call.target


def invented_data(files: Sequence[LiveFile]) -> tuple[LiveFile, Call] | None:
    """The first call that makes data up at random, augmentation and shuffling aside."""
    for file in files:
        for call in file.calls:
            bulk = len(call.args) >= 2 or "size" in call.keywords or "n_samples" in call.keywords
            if (
                _RANDOM.search(call.target)
                and (bulk or not _HARMLESS_RANDOM.search(call.target))
                and not re.search(r"seed|shuffle|perm|random_split", call.target)
            ):
                return file, call
    return None
