def read_rows(t):
	r, w, f, s = [], [], '', 0
	for c in t:
		if s == 0 and c == "'": s = 2
		elif s == 2: s, f = (3, f) if c == "'" else (2, f + c)
		elif s == 3 and c == "'": s, f = 2, f + c
		elif c in ';\n':
			w.append(f); f, s = '', 0
			if c == '\n': r.append(w); w = []
		elif s == 3: raise ValueError(c)
		else: s, f = 1, f + c
	if s == 2: raise ValueError('open')
	if s or f or w: r.append([*w, f])
	if r and (len({*r[0]}) < len(r[0]) or any(len(x) - len(r[0]) for x in r)): raise ValueError
	return [dict(zip(r[0], x)) for x in r[1:]]
