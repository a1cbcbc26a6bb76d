from heapq import *
def ferry_route(f, s, g):
	if [0 for d in f.values() for c in d.values() if c < 0]: raise ValueError
	q, v = [(0, s, None)], set()
	while q:
		c, i, p = heappop(q)
		if i == g:
			o = []
			w = (i, p)
			while w: o.append(w[0]); w = w[1]
			return tuple(o[::-1])
		if i in v: continue
		v.add(i)
		[heappush(q, (c + k, j, P)) for P in [W((i, p))] for j, k in f.get(i, {}).items() if j not in v]
class W(tuple):
	__lt__ = lambda a, b: False
	__eq__ = lambda a, b: a is b
