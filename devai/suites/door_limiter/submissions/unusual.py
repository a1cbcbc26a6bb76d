class DoorLimiter:
	__slots__ = 'f',
	def __init__(s, l, w):
		if l < 1 or w < 1: raise ValueError
		h, t = {}, {}
		def f(b, n, p):
			if n < t.setdefault(b, n): raise ValueError
			t[b] = n
			x = h[b] = [y for y in h.get(b, ()) if y > n - w]
			r = x[-l] + w - n if len(x) >= l else 0
			(p and not r) and x.append(n)
			return r
		s.f = f
	allow = lambda s, b, n: not s.f(b, n, True)
	wait = lambda s, b, n: s.f(b, n, False)
