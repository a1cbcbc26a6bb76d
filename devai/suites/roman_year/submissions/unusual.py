def checked(f):
	def g(y):
		if type(y) is not int: raise TypeError(y)
		if not (0 < y < 4000): raise ValueError(y)
		return f(y)
	return g

@checked
def to_roman(y):
	r = 'I' * y
	for a, b in zip("IVXLCD", "VXLCDM"):
		r = r.replace(a * (5 if a in "IXC" else 2), b)
	for a, b in (("DCCCC", "CM"), ("CCCC", "CD"), ("LXXXX", "XC"), ("XXXX", "XL"), ("VIIII", "IX"), ("IIII", "IV")):
		r = r.replace(a, b)
	return r

from_roman = lambda t: next(n for n in range(1, 4000) if to_roman(n) == t)
