import sys as s, re, os
t = {}
for n, l in enumerate(os.fdopen(0, 'rb').read().decode().split('\n'), 1):
	if re.match(r'\s*(#|$)', l): continue
	if not (m := re.fullmatch(r'\s*(\S+)\s+([-+]?[0-9]+)\s*', l)):
		os.write(1, b'error: line %d\n' % n); os._exit(2)
	t[m[1]] = t.get(m[1], 0) + int(m[2])
w = lambda x: os.write(1, (x + '\n').encode())
[w(f'{k} {t[k]}') for k in sorted(t) if t[k] or '--nonzero' not in s.argv]
w('sum %d' % sum(t.values()))
