"""Which names, attributes and events point at which attack, as plain tables."""

from __future__ import annotations

from judge.score.integrity.signal import Attack, Strength

WEAK, STRONG = Strength.WEAK, Strength.STRONG

NAMES: dict[str, tuple[Attack, Strength]] = {
    "sys._getframe": (Attack.SNOOPING, STRONG),
    "sys._current_frames": (Attack.SNOOPING, STRONG),
    "inspect.stack": (Attack.SNOOPING, STRONG),
    "inspect.currentframe": (Attack.SNOOPING, STRONG),
    "inspect.getouterframes": (Attack.SNOOPING, STRONG),
    "inspect.trace": (Attack.SNOOPING, STRONG),
    "inspect.getsource": (Attack.SNOOPING, WEAK),
    "gc.get_objects": (Attack.SNOOPING, STRONG),
    "gc.get_referrers": (Attack.SNOOPING, STRONG),
    "gc.get_referents": (Attack.SNOOPING, STRONG),
    "sys.modules": (Attack.SNOOPING, WEAK),
    "os.listdir": (Attack.FILES, STRONG),
    "os.scandir": (Attack.FILES, STRONG),
    "os.walk": (Attack.FILES, STRONG),
    "os.open": (Attack.FILES, STRONG),
    "os.environ": (Attack.FILES, WEAK),
    "os.environb": (Attack.FILES, WEAK),
    "os.getenv": (Attack.FILES, WEAK),
    "os.getcwd": (Attack.FILES, WEAK),
    "os.readlink": (Attack.FILES, STRONG),
    "glob.glob": (Attack.FILES, STRONG),
    "glob.iglob": (Attack.FILES, STRONG),
    "open": (Attack.FILES, WEAK),
    "io.open": (Attack.FILES, WEAK),
    "io.FileIO": (Attack.FILES, STRONG),
    "linecache.getlines": (Attack.FILES, STRONG),
    "shutil.copy": (Attack.FILES, STRONG),
    "pathlib.Path": (Attack.FILES, WEAK),
    "sys.path": (Attack.FILES, WEAK),
    "sys.argv": (Attack.FILES, WEAK),
    "__file__": (Attack.FILES, WEAK),
    "sys.settrace": (Attack.TAMPERING, STRONG),
    "sys.setprofile": (Attack.TAMPERING, STRONG),
    "threading.settrace": (Attack.TAMPERING, STRONG),
    "threading.setprofile": (Attack.TAMPERING, STRONG),
    "sys.addaudithook": (Attack.TAMPERING, STRONG),
    "sys.meta_path": (Attack.TAMPERING, STRONG),
    "sys.path_hooks": (Attack.TAMPERING, STRONG),
    "sys.monitoring": (Attack.TAMPERING, STRONG),
    "gc.callbacks": (Attack.TAMPERING, STRONG),
    **{
        f"ctypes.{name}": (Attack.PROCESSES, STRONG)
        for name in (
            "CDLL PyDLL cdll pydll pythonapi memmove memset string_at cast py_object addressof POINTER"
            " CFUNCTYPE PYFUNCTYPE".split()
        )
    },
    "_ctypes": (Attack.PROCESSES, STRONG),
    "cffi": (Attack.PROCESSES, STRONG),
    "mmap.mmap": (Attack.PROCESSES, STRONG),
    **{
        f"subprocess.{name}": (Attack.PROCESSES, STRONG)
        for name in "Popen run call check_call check_output getoutput getstatusoutput".split()
    },
    "_posixsubprocess": (Attack.PROCESSES, STRONG),
    "multiprocessing": (Attack.BACKGROUND, WEAK),
    "os.fork": (Attack.PROCESSES, STRONG),
    "os.forkpty": (Attack.PROCESSES, STRONG),
    "os.system": (Attack.PROCESSES, STRONG),
    "os.popen": (Attack.PROCESSES, STRONG),
    "os.kill": (Attack.PROCESSES, STRONG),
    "os.killpg": (Attack.PROCESSES, STRONG),
    "os.setsid": (Attack.PROCESSES, STRONG),
    "os.ptrace": (Attack.PROCESSES, STRONG),
    "pty": (Attack.PROCESSES, STRONG),
    "socket.socket": (Attack.NETWORK, STRONG),
    "socket.create_connection": (Attack.NETWORK, STRONG),
    "socket": (Attack.NETWORK, WEAK),
    "urllib.request": (Attack.NETWORK, STRONG),
    "http.client": (Attack.NETWORK, STRONG),
    "http.server": (Attack.NETWORK, STRONG),
    "requests": (Attack.NETWORK, STRONG),
    "ssl": (Attack.NETWORK, STRONG),
    "ftplib": (Attack.NETWORK, STRONG),
    "smtplib": (Attack.NETWORK, STRONG),
    "os._exit": (Attack.EXIT, STRONG),
    "os.abort": (Attack.EXIT, STRONG),
    "atexit.register": (Attack.EXIT, STRONG),
    "signal.setitimer": (Attack.SIGNALS, WEAK),
    "signal.alarm": (Attack.SIGNALS, WEAK),
    "signal.pthread_sigmask": (Attack.SIGNALS, STRONG),
    "signal.siginterrupt": (Attack.SIGNALS, STRONG),
    "faulthandler": (Attack.SIGNALS, WEAK),
    "os.pwrite": (Attack.DESCRIPTORS, STRONG),
    "os.writev": (Attack.DESCRIPTORS, STRONG),
    "os.sendfile": (Attack.DESCRIPTORS, STRONG),
    "os.dup": (Attack.DESCRIPTORS, STRONG),
    "os.dup2": (Attack.DESCRIPTORS, STRONG),
    "os.close": (Attack.DESCRIPTORS, STRONG),
    "os.closerange": (Attack.DESCRIPTORS, STRONG),
    "fcntl": (Attack.DESCRIPTORS, STRONG),
    "threading.Thread": (Attack.BACKGROUND, WEAK),
    "threading.Timer": (Attack.BACKGROUND, STRONG),
    "_thread": (Attack.BACKGROUND, STRONG),
    "concurrent.futures": (Attack.BACKGROUND, WEAK),
    "eval": (Attack.HIDDEN, WEAK),
    "exec": (Attack.HIDDEN, WEAK),
    "compile": (Attack.HIDDEN, WEAK),
    "__import__": (Attack.HIDDEN, WEAK),
    "importlib.import_module": (Attack.HIDDEN, WEAK),
    "importlib.reload": (Attack.HIDDEN, STRONG),
    "builtins": (Attack.HIDDEN, WEAK),
    "__builtins__": (Attack.HIDDEN, STRONG),
    "marshal.loads": (Attack.HIDDEN, STRONG),
    "pickle.loads": (Attack.HIDDEN, STRONG),
    "types.CodeType": (Attack.HIDDEN, STRONG),
    "types.FunctionType": (Attack.HIDDEN, WEAK),
    "base64.b64decode": (Attack.HIDDEN, WEAK),
    "base64.b85decode": (Attack.HIDDEN, WEAK),
    "zlib.decompress": (Attack.HIDDEN, WEAK),
    "codecs.decode": (Attack.HIDDEN, WEAK),
}
"""A dotted name, or the module whose names all count, as it reads after imports are resolved."""

ATTRIBUTES: dict[str, tuple[Attack, Strength]] = {
    "f_back": (Attack.SNOOPING, STRONG),
    "f_locals": (Attack.SNOOPING, STRONG),
    "f_globals": (Attack.SNOOPING, STRONG),
    "f_builtins": (Attack.SNOOPING, STRONG),
    "tb_frame": (Attack.SNOOPING, STRONG),
    "gi_frame": (Attack.SNOOPING, STRONG),
    "cr_frame": (Attack.SNOOPING, STRONG),
    "__subclasses__": (Attack.SNOOPING, STRONG),
    "__globals__": (Attack.SNOOPING, STRONG),
    "__closure__": (Attack.SNOOPING, WEAK),
    "__code__": (Attack.TAMPERING, WEAK),
    "__loader__": (Attack.SNOOPING, WEAK),
    "co_consts": (Attack.SNOOPING, STRONG),
    "read_text": (Attack.FILES, WEAK),
    "read_bytes": (Attack.FILES, WEAK),
    "iterdir": (Attack.FILES, STRONG),
    "rglob": (Attack.FILES, STRONG),
}
"""Attributes of whatever object."""

PATHS: tuple[tuple[str, Attack, Strength], ...] = (
    ("/proc/", Attack.FILES, STRONG),
    ("/etc/passwd", Attack.FILES, STRONG),
    ("/sys/", Attack.FILES, WEAK),
    ("../", Attack.FILES, WEAK),
)
"""Starts of string literals that are paths."""

FOREIGN = frozenset(
    "time builtins json pickle sys os gc signal inspect copy operator types math random datetime unittest pytest"
    " importlib io resource threading codecs marshal struct select asyncio warnings".split()
)
"""Modules into which an assignment is tampering."""

ALLOWED_TARGETS = frozenset({"sys.stdin", "sys.stdout", "sys.stderr", "sys.tracebacklimit", "sys.dont_write_bytecode"})
"""Assignments that honest programs make."""

STOPPING = frozenset({"SIGTERM", "SIGINT", "SIGHUP", "SIGXCPU", "SIGQUIT", "SIGSEGV", "SIGABRT", "SIGSYS"})
"""Signals whose handling keeps a process alive; SIGALRM may be a solver's own limit."""

COMPARISONS = frozenset(
    {"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__instancecheck__", "__subclasscheck__", "__hash__"}
)

EVENTS: tuple[tuple[str, Attack, bool], ...] = (
    ("forged", Attack.DESCRIPTORS, True),
    ("threads", Attack.BACKGROUND, False),
    ("os.fork", Attack.PROCESSES, True),
    ("os.exec", Attack.PROCESSES, True),
    ("os.posix_spawn", Attack.PROCESSES, True),
    ("os.spawn", Attack.PROCESSES, True),
    ("os.system", Attack.PROCESSES, True),
    ("os.kill", Attack.PROCESSES, True),
    ("pty.spawn", Attack.PROCESSES, True),
    ("subprocess.", Attack.PROCESSES, True),
    ("ctypes.", Attack.PROCESSES, False),
    ("mmap.", Attack.PROCESSES, False),
    ("socket.", Attack.NETWORK, False),
    ("socket.connect", Attack.NETWORK, True),
    ("socket.bind", Attack.NETWORK, True),
    ("socket.sendto", Attack.NETWORK, True),
    ("socket.getaddrinfo", Attack.NETWORK, True),
    ("socket.gethostby", Attack.NETWORK, True),
    ("gc.get_", Attack.SNOOPING, True),
    ("sys._current_", Attack.SNOOPING, True),
    ("sys._getframe", Attack.SNOOPING, False),
    ("sys.settrace", Attack.TAMPERING, True),
    ("sys.setprofile", Attack.TAMPERING, True),
    ("sys.addaudithook", Attack.TAMPERING, True),
    ("signal.", Attack.SIGNALS, False),
    ("resource.", Attack.SIGNALS, False),
    ("fcntl.", Attack.DESCRIPTORS, False),
    ("open", Attack.FILES, False),
    ("os.listdir", Attack.FILES, False),
    ("os.scandir", Attack.FILES, False),
    ("os.chdir", Attack.FILES, False),
    ("sqlite3.connect", Attack.FILES, False),
    ("code.__new__", Attack.HIDDEN, False),
    ("function.__new__", Attack.HIDDEN, False),
)
"""Start of an event that a worker noted, what it points at, and whether it is enough by itself.

The longest start that fits counts. What is not enough by itself is what honest libraries do too, such as loading
native code: it counts only where the source has a sign of the same attack.
"""
