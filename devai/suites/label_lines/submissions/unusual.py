from re import findall as f
def label_lines(t, w, /):
	if w < 1: raise ValueError(w)
	o = []
	for x in t.split():
		(o and (n := len(o[-1])) + len(x) < w) and (o.append(o.pop() + ' ' + x), 1) or o.extend(f('.{1,%d}' % w, x))
	return o
