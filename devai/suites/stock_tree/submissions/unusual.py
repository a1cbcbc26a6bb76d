def trampoline(f):
	def g(*a):
		s, r = [f(*a)], None
		while s:
			try: n = s[-1].send(r); r = None; s.append(f(n))
			except StopIteration as e: r = e.value; s.pop()
		return r
	return g
@trampoline
def heaviest_path(b):
	m = None
	for c in b[1]:
		x = yield c
		m = x if m is None or x > m else m
	return b[0] + (m or 0)
