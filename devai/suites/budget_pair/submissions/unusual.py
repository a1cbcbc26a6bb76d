budget_pair = lambda p, amount, prices=None: (lambda s: next(
	((s[amount - x], j) for j, x in enumerate(p) if (amount - x) in s or s.__setitem__(x, j)), None))({})
