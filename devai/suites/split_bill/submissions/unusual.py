def split_bill(c, h):
	if not any(h) or [x for x in h if x < 0]: raise ValueError(h)
	if c < 0: return [-x for x in split_bill(-c, h)]
	w = sum(h); p = [*map(lambda x: c * x // w, h)]
	for i in sorted(range(len(h)), key=lambda i: p[i] * w - c * h[i])[:c - sum(p)]: p[i] += 1
	return (*p,)
