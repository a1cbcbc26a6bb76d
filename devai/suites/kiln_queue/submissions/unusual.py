from asyncio import sleep as z, gather as g
async def fire(p, k):
	if k < 1 or [x for x in p if x < 0]: raise ValueError
	i, b, o = iter(range(len(p))), [0], {}
	async def w():
		while (j := next(i, None)) is not None:
			b[0] += 1; o[j] = b[0]; await z(p[j] / 1e3); b[0] -= 1
	await g(*[w() for _ in p[:k]])
	return [o[j] for j in sorted(o)]
