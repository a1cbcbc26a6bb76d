import functools


class M:
	def __call__(self, b):
		def f(a, x):
			if x[1] < x[0]: raise ValueError
			return a[:-1] + [(a[-1][0], max(a[-1][1], x[1]))] if a and x[0] <= a[-1][1] else (a.append((x[0], x[1])) or a)
		return functools.reduce(f, sorted(map(tuple, b)), [])


merge_bookings = M()
