# Sourced by the other scripts: makes .venv once from the locked versions, and again only when these change.
# Usage: bootstrap runtime|all|dev   (sets nothing but the environment on disk)
# "all" adds the heavy extras (media, OCR, data formats, archives, embeddings); asked for once, it stays.
#
# The current directory may be a workspace under judgment. So Python runs isolated (-I: neither that directory nor
# PYTHONPATH is on the import path), and everything that reads settings from where it stands runs in the checkout.

say() { printf 'judge: %s\n' "$*" >&2; }

find_python() {
  local candidate found
  for candidate in "${JUDGE_PYTHON:-}" python3.13 python3.12 python3.11 python3.14 python3 python; do
    if [ -n "$candidate" ] && found=$(command -v "$candidate" 2>/dev/null) &&
      "$found" -I -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
      case $found in
        /*) printf '%s\n' "$found" ;;
        *) printf '%s/%s\n' "$PWD" "$found" ;;
      esac
      return 0
    fi
  done
  return 1
}

# An environment that was there before is moved away, not deleted: when the new one fails, it comes back.
set_aside() {
  local root=$1 number=1
  aside=
  if [ -e "$root/.venv" ] || [ -L "$root/.venv" ]; then
    while [ -e "$root/.venv.old-$number" ] || [ -L "$root/.venv.old-$number" ]; do number=$((number + 1)); done
    aside="$root/.venv.old-$number"
    mv -- "$root/.venv" "$aside"
  fi
}

bring_back() {
  local root=$1
  if [ -n "$aside" ]; then
    rm -rf -- "$root/.venv"
    mv -- "$aside" "$root/.venv"
  fi
}

# Only one that these scripts made is thrown away.
drop_aside() {
  if [ -z "$aside" ]; then return 0; fi
  if ls "$aside"/.judge-* >/dev/null 2>&1; then
    rm -rf -- "$aside"
  else
    say "the .venv that was there before is now $aside"
  fi
}

make_venv() {
  local root=$1 python=$2
  if [ -n "$python" ]; then
    if [ -n "$(command -v uv || true)" ] && uv venv --quiet --python "$python" "$root/.venv"; then return 0; fi
    rm -rf -- "$root/.venv"
    if "$python" -I -m venv "$root/.venv" >/dev/null 2>&1; then return 0; fi
    say "$python cannot make a virtual environment: install its venv module (Debian and Ubuntu: apt install python3-venv) or uv, then run this again"
    return 1
  fi
  if [ -n "$(command -v uv || true)" ] && uv venv --quiet --python '>=3.11' "$root/.venv"; then return 0; fi
  say "needs Python 3.11 or newer; none was found (set JUDGE_PYTHON to one, or install uv)"
  return 1
}

install() {
  local root=$1 lock=$2
  if [ -n "$(command -v uv || true)" ]; then
    uv pip install --quiet --compile-bytecode --python "$root/.venv/bin/python" --require-hashes -r "$lock" &&
      uv pip install --quiet --compile-bytecode --python "$root/.venv/bin/python" --no-deps --no-build-isolation -e "$root"
    return
  fi
  "$root/.venv/bin/python" -I -m pip install --quiet --disable-pip-version-check --require-hashes -r "$lock" &&
    "$root/.venv/bin/python" -I -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e "$root"
}

bootstrap() {
  local root=$1 kind=$2 lock stamp wanted
  if [ "$kind" = runtime ] && [ -f "$root/.venv/.judge-all" ]; then kind=all; fi
  case $kind in
    runtime) lock="$root/scripts/requirements.lock" ;;
    *) lock="$root/scripts/requirements-$kind.lock" ;;
  esac
  stamp="$root/.venv/.judge-$kind"
  wanted=$(cat "$lock" "$root/pyproject.toml" | cksum)" $root"
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && return 0
  (
    aside=
    python=$(find_python) || python=
    cd "$root"
    # Two first runs at once must not write one environment.
    if command -v flock >/dev/null 2>&1; then exec 9>"$root/.venv.lock" && flock 9; fi
    [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && exit 0
    say "setting up $root/.venv from $(basename "$lock"), once; this takes about a minute"
    if ! { [ -x "$root/.venv/bin/python" ] && "$root/.venv/bin/python" -I -c '' 2>/dev/null && grep -q " $root\$" "$root"/.venv/.judge-* 2>/dev/null; }; then
      set_aside "$root"
      if ! make_venv "$root" "$python"; then
        bring_back "$root"
        exit 2
      fi
    fi
    if ! install "$root" "$lock"; then
      bring_back "$root"
      say "the locked packages could not be installed (see above); check the network or your package index settings, then run this again"
      exit 2
    fi
    printf '%s' "$wanted" >"$stamp"
    drop_aside
  ) || exit $?
}

# An environment of its own: nothing of it is needed to judge.
bootstrap_local_model() {
  local root=$1 env="$1/.venv-local-model" lock="$1/scripts/requirements-local-model.lock" wanted python
  wanted=$(cksum <"$lock")
  [ -f "$env/.judge-local-model" ] && [ "$(cat "$env/.judge-local-model")" = "$wanted" ] && return 0
  (
    python=$(find_python) || { say "needs Python 3.11 or newer"; exit 2; }
    cd "$root"
    if command -v flock >/dev/null 2>&1; then exec 9>"$root/.venv.lock" && flock 9; fi
    say "setting up $env, once; this downloads about 130 MB"
    rm -rf -- "$env"
    if command -v uv >/dev/null 2>&1; then
      uv venv --quiet --python "$python" "$env" &&
        uv pip install --quiet --python "$env/bin/python" --no-deps --require-hashes -r "$lock"
    else
      "$python" -I -m venv "$env" &&
        "$env/bin/python" -I -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r "$lock"
    fi || { rm -rf -- "$env"; say "the local model could not be installed (see above)"; exit 2; }
    printf '%s' "$wanted" >"$env/.judge-local-model"
  ) || exit $?
}
