"""What a model costs: from a file of one's own, else from the data inside the ``genai-prices`` package, never fetched.

Unknown is None, never 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from judge.models.endpoint import is_local
from judge.models.pricebook import Rates
from judge.schemas import Usage

# Without better knowledge: small enough to be true of every model in use.
_CONTEXT = 32_768
# Both providers with a batch API publish half the price for it.
_BATCH = 0.5


@dataclass(frozen=True, slots=True)
class Price:
    """The price of one model on one server.

    Attributes:
        model: The model's name at its server.
        base_url: The server: the same name elsewhere has another price, or none.
        rates: Prices of one's own; they outrank what is known.
    """

    model: str
    base_url: str
    rates: Rates | None = None

    def of(self, usage: Usage) -> float | None:
        """US dollars for a usage; None when the price is unknown."""
        if self.rates is not None:
            return self.rates.of(usage)
        if is_local(self.base_url):
            return None  # nobody publishes a price for this machine, and the list takes a while to load
        try:
            import genai_prices

            counted = genai_prices.Usage(
                # There the input is the sum of all its kinds.
                input_tokens=usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens,
                cache_read_tokens=usage.cache_read_tokens,
                cache_write_tokens=usage.cache_write_tokens,
                output_tokens=usage.output_tokens,
            )
            price = genai_prices.calc_price(counted, self.model, provider_api_url=self.base_url)
        except (LookupError, ValueError, TypeError):
            return None
        return float(price.total_price)

    def of_batch(self, usage: Usage) -> float | None:
        """US dollars for a usage in a batch; None when the price is unknown."""
        full = self.of(usage)
        return None if full is None else full * (self.rates.batch if self.rates is not None else _BATCH)

    def context_tokens(self) -> int:
        """The model's context window, tokens; a cautious guess when it is not known."""
        model: Any = None
        if is_local(self.base_url):
            return _CONTEXT
        try:
            from genai_prices.data_snapshot import get_snapshot

            model = get_snapshot().find_provider_model(self.model, None, None, self.base_url)[1]
        except (LookupError, ValueError, TypeError):
            return _CONTEXT
        return int(model.context_window or _CONTEXT)
