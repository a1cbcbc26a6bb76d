def RecentCache(capacity):
	if capacity < 1: raise ValueError
	l = []
	find = lambda k: next((p for p in l if p[0] == k), None)
	class C:
		def put(s, key, value):
			(p := find(key)) and l.remove(p)
			l.insert(0, (key, value)); del l[capacity:]
		def get(s, key):
			if p := find(key): l.remove(p); l.insert(0, p); return p[1]
		size = lambda s: len(l)
		keys = lambda s: [k for k, _ in l]
	return C()
