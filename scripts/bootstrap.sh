# Sourced by the other scripts: makes .venv once from the locked versions, and again only when these change.
# Usage: bootstrap runtime|dev   (sets nothing but the environment on disk)

say() { printf 'judge: %s\n' "$*" >&2; }

find_python() {
  local candidate
  for candidate in "${JUDGE_PYTHON:-}" python3.13 python3.12 python3.11 python3.14 python3 python; do
    if [ -n "$candidate" ] && command -v "$candidate" >/dev/null 2>&1 &&
      "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
      command -v "$candidate"
      return 0
    fi
  done
  return 1
}

make_venv() {
  local root=$1 python
  rm -rf "$root/.venv"
  if python=$(find_python); then
    if [ -n "$(command -v uv || true)" ] && uv venv --quiet --python "$python" "$root/.venv"; then return 0; fi
    if "$python" -m venv "$root/.venv" >/dev/null 2>&1; then return 0; fi
    say "$python cannot make a virtual environment: install its venv module (Debian and Ubuntu: apt install python3-venv) or uv, then run this again"
    exit 2
  fi
  if [ -n "$(command -v uv || true)" ] && uv venv --quiet --python '>=3.11' "$root/.venv"; then return 0; fi
  say "needs Python 3.11 or newer; none was found (set JUDGE_PYTHON to one, or install uv)"
  exit 2
}

install() {
  local root=$1 lock=$2
  if [ -n "$(command -v uv || true)" ]; then
    uv pip install --quiet --compile-bytecode --python "$root/.venv/bin/python" --require-hashes -r "$lock" &&
      uv pip install --quiet --compile-bytecode --python "$root/.venv/bin/python" --no-deps --no-build-isolation -e "$root"
    return
  fi
  "$root/.venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes -r "$lock" &&
    "$root/.venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e "$root"
}

bootstrap() {
  local root=$1 kind=$2 lock stamp wanted
  lock="$root/scripts/requirements.lock"
  [ "$kind" = dev ] && lock="$root/scripts/requirements-dev.lock"
  stamp="$root/.venv/.judge-$kind"
  wanted=$(cat "$lock" "$root/pyproject.toml" | cksum)" $root"
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && return 0
  (
    # Two first runs at once must not write one environment.
    if command -v flock >/dev/null 2>&1; then exec 9>"$root/.venv.lock" && flock 9; fi
    [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && exit 0
    say "setting up $root/.venv from $(basename "$lock"), once; this takes about a minute"
    if ! { [ -x "$root/.venv/bin/python" ] && "$root/.venv/bin/python" -c '' 2>/dev/null && grep -q " $root\$" "$root"/.venv/.judge-* 2>/dev/null; }; then
      make_venv "$root"
    fi
    if ! install "$root" "$lock"; then
      say "the locked packages could not be installed (see above); check the network or your package index settings, then run this again"
      exit 2
    fi
    printf '%s' "$wanted" >"$stamp"
  ) || exit $?
}
