def t(g): return [list(c) for c in zip(*g)]
def s(l, r):
	p = [0]
	for v in l: p += [p[-1] + v]
	n = len(l)
	return [p[b if (b := i + r + 1) < n else n] - p[a if (a := i - r) > 0 else 0] for i in range(n)]
def window_sums(g, r):
	if r < 0 or g and {*map(len, g)} != {len(g[0])}: raise ValueError()
	return g and g[0] and t([s(c, r) for c in t([s(l, r) for l in g])]) or [l[:] for l in g]
