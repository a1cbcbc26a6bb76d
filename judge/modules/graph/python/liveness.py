"""Which statements can never run, and which ones only set things up."""

from __future__ import annotations

import ast
from collections.abc import Sequence

_EXITS = frozenset({"exit", "quit", "sys.exit", "os._exit", "os.abort"})
_SETUP_NAMES = frozenset(
    """use filterwarnings simplefilter basicConfig seed manual_seed manual_seed_all set_seed set_random_seed set_option
    set_style set_theme set_context set load_dotenv setLevel addHandler setFormatter disable set_verbosity
    set_verbosity_error set_default_dtype set_printoptions setdefault freeze_support install
    register_matplotlib_converters enable_eager_execution setlocale reconfigure set_start_method set_palette
    captureWarnings getLogger add_middleware include_router mount register_blueprint add_typer init_app add_command
    set_page_config""".split()
)


def truth(node: ast.expr, flags: Flags) -> bool | None:
    """The truth value of a test when it is the same in every run, else None."""
    if isinstance(node, ast.Constant):
        return bool(node.value)
    if isinstance(node, ast.Name):
        return False if node.id == "TYPE_CHECKING" else flags.get(node.id)
    if isinstance(node, ast.Attribute):
        return False if node.attr == "TYPE_CHECKING" else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = truth(node.operand, flags)
        return None if inner is None else not inner
    if isinstance(node, ast.BoolOp):
        values = [truth(item, flags) for item in node.values]
        decisive = isinstance(node.op, ast.Or)
        if decisive in values:
            return decisive
        return not decisive if all(item is not None for item in values) else None
    if isinstance(node, ast.Tuple | ast.List | ast.Dict):
        empty = not (node.keys if isinstance(node, ast.Dict) else node.elts)
        return False if empty else None
    return _constant_comparison(node)


def _constant_comparison(node: ast.expr) -> bool | None:
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return None
    left, right = node.left, node.comparators[0]
    if not (isinstance(left, ast.Constant) and isinstance(right, ast.Constant)):
        return None
    if isinstance(node.ops[0], ast.Eq | ast.Is):
        return bool(left.value == right.value)
    if isinstance(node.ops[0], ast.NotEq | ast.IsNot):
        return bool(left.value != right.value)
    return None


class Flags:
    """Module-level names bound exactly once in the module, to True, False, None, 0 or 1."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree: ast.Module | None = tree
        self._values: dict[str, bool] = {}
        for node in tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
                value = node.value.value
                for target in node.targets:
                    if isinstance(target, ast.Name) and (value is None or isinstance(value, bool) or value in (0, 1)):
                        self._values[target.id] = bool(value)

    def get(self, name: str) -> bool | None:
        """Its truth value, or None for every other name."""
        if name not in self._values:
            return None
        if self._tree is not None:  # most modules never ask
            self._count(self._tree)
            self._tree = None
        return self._values.get(name)

    def _count(self, tree: ast.Module) -> None:
        """Leave out the names that are bound elsewhere, too."""
        values = self._values
        seen: dict[str, int] = {}
        for item in ast.walk(tree):
            if isinstance(item, ast.Name) and not isinstance(item.ctx, ast.Load) and item.id in values:
                seen[item.id] = seen.get(item.id, 0) + 1
            elif isinstance(item, ast.Global | ast.Nonlocal):
                seen.update(dict.fromkeys(item.names, 2))
            elif isinstance(item, ast.arg) and item.arg in values:
                seen[item.arg] = 2
        self._values = {name: value for name, value in values.items() if seen.get(name, 0) == 1}


def is_main_guard(node: ast.expr) -> bool:
    """Whether a test is ``__name__ == "__main__"`` (in either order, possibly with more conditions)."""
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        return any(is_main_guard(item) for item in node.values)
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.ops[0], ast.Eq | ast.In):
        return False
    sides = (node.left, node.comparators[0])
    named = any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides)
    return named and any(
        isinstance(item, ast.Constant) and item.value == "__main__" for side in sides for item in ast.walk(side)
    )


def ends_program(node: ast.expr) -> bool:
    """Whether an expression statement leaves the program."""
    return isinstance(node, ast.Call) and dotted(node.func) in _EXITS


def is_setup(node: ast.expr) -> bool:
    """Whether an expression statement only prepares the process (seeds, styles, paths, logging)."""
    if isinstance(node, ast.Await):
        return False
    if not isinstance(node, ast.Call):
        return True
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name in {"append", "insert", "extend", "update", "add"} and dotted(node.func).startswith(
        ("sys.path.", "os.environ.")
    ):
        return True
    return name in _SETUP_NAMES


def dotted(node: ast.expr) -> str:
    """A name or attribute chain as text, or an empty string."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(parts)])


def has_break(body: Sequence[ast.stmt]) -> bool:
    """Whether a loop body leaves its own loop."""
    for node in body:
        if isinstance(node, ast.Break):
            return True
        if isinstance(node, ast.For | ast.AsyncFor | ast.While):
            if has_break(node.orelse):
                return True
            continue
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner = getattr(node, field, None)
            if isinstance(inner, list) and _inner_break(inner):
                return True
    return False


def _inner_break(items: list[ast.AST]) -> bool:
    statements = [item for item in items if isinstance(item, ast.stmt)]
    nested = [item.body for item in items if isinstance(item, ast.ExceptHandler | ast.match_case)]
    return has_break(statements) or any(has_break(body) for body in nested)


def may_suppress(node: ast.With | ast.AsyncWith) -> bool:
    """Whether a with statement may swallow the exception that ended its body."""
    return any("suppress" in dotted(getattr(item.context_expr, "func", item.context_expr)) for item in node.items)
