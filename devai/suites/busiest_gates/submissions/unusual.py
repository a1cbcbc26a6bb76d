from heapq import nlargest as N
class V(dict):
	def __missing__(s, k): return 0
def busiest_gates(v, c):
	if c < 0: raise ValueError
	d = V()
	for g in reversed(v): d[g] += 1
	return [*map(lambda t: t[1], N(c, ((n, g) for g, n in d.items())))]
