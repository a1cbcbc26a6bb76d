#!/usr/bin/env bash
# The action "judge score": scores submissions, fills the job summary and the outputs. Also runs on any machine:
#
#   SCORE_SUITE=suite.yaml SCORE_SUBMISSIONS=submissions SCORE_OUT=out .github/actions/score/run.sh
#
# It takes the judge on the path, else the one of this checkout, which installs itself from locked versions.
# Ends like judge score: 0 ok, 1 below SCORE_FAIL_UNDER, 2 bad input, 5 something could not be scored.
#
# Nothing that a submission says reaches the runner: its text is printed with workflow commands switched off, the
# outputs are numbers and paths of our own, and the summary is Markdown that the judge has escaped.
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../../.." && pwd)
python=${JUDGE_PYTHON:-python3}
one_line='^[^[:cntrl:]]+$'

fail() {
  printf '::error title=judge score::%s\n' "$1"
  exit 2
}

suite=${SCORE_SUITE:-}
sandbox=${SCORE_SANDBOX:-best}
fail_under=${SCORE_FAIL_UNDER:-}
out=${SCORE_OUT:-}
[[ $suite =~ $one_line ]] || fail 'The input "suite" must be one path.'
[[ $sandbox =~ ^(required|best|none)$ ]] || fail 'The input "sandbox" must be required, best or none.'
[[ -z $fail_under || $fail_under =~ ^[0-9]{1,3}(\.[0-9]{1,6})?$ ]] || fail 'The input "fail-under" must be a number from 0 to 100.'
[ -n "$out" ] || out=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/judge-score.XXXXXX")
[[ $out =~ $one_line ]] || fail 'The input "out" must be one path.'

submissions=()
while IFS= read -r line || [ -n "$line" ]; do
  line=${line%$'\r'}
  if [[ $line =~ [^[:space:]] ]]; then submissions+=("$line"); fi
done <<<"${SCORE_SUBMISSIONS:-}"
[ "${#submissions[@]}" -gt 0 ] || fail 'The input "submissions" names nothing.'

# Results that lie there already could have been handed in with the submissions.
if [ -L "$out" ] || { [ -e "$out" ] && [ -n "$(ls -A -- "$out" 2>/dev/null || echo unreadable)" ]; }; then
  fail 'The folder "out" must be new or empty.'
fi
mkdir -p -- "$out"
out=$(cd -- "$out" && pwd -P)
[[ $out =~ $one_line ]] || fail 'The folder "out" has a name of several lines.'

if program=$(command -v judge); then command=("$program"); else command=("$root/scripts/judge"); fi
arguments=(score submissions --out "$out" --sandbox "$sandbox" --fresh)
if [ -n "$fail_under" ]; then arguments+=(--fail-under "$fail_under"); fi

# What is printed now may hold "::set-output" and the like; only this random word switches commands on again.
token=$("$python" -I -c 'import secrets; print(secrets.token_hex(32))')
printf '::stop-commands::%s\n' "$token"
trap 'printf "\n::%s::\n" "$token"' EXIT
code=0
# The files of the runner are not for the judge, and so in no case for what it runs.
env -u GITHUB_OUTPUT -u GITHUB_ENV -u GITHUB_PATH -u GITHUB_STATE -u GITHUB_STEP_SUMMARY -u GITHUB_TOKEN \
  -u ACTIONS_RUNTIME_TOKEN -u ACTIONS_ID_TOKEN_REQUEST_TOKEN \
  "${command[@]}" "${arguments[@]}" -- "$suite" "${submissions[@]}" </dev/null 2>&1 || code=$?
printf '\n::%s::\n' "$token"
trap - EXIT

is_file() { [ -f "$1" ] && [ ! -L "$1" ]; }

if is_file "$out/score.md" && [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  head -c 500000 -- "$out/score.md" >>"$GITHUB_STEP_SUMMARY"
fi

score=
if is_file "$out/score.json"; then
  score=$("$python" -I - "$out/score.json" <<'PYTHON' || true
import json, sys

with open(sys.argv[1], encoding="utf-8") as file:
    found = json.load(file)["submissions"]
if found and not any(item["error"] for item in found):
    print(f"{int(min(float(item['total']) for item in found) * 10) / 10:.1f}")
PYTHON
  )
fi
if [[ ! $score =~ ^[0-9]{1,3}\.[0-9]$ ]]; then score=; fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  {
    printf 'score=%s\n' "$score"
    printf 'report=%s\n' "$out"
    if is_file "$out/badge.svg"; then printf 'badge=%s/badge.svg\n' "$out"; fi
  } >>"$GITHUB_OUTPUT"
fi

case $code in
  0) printf 'Lowest total: %s\n' "${score:-none}" ;;
  1) printf '::error title=judge score::The lowest total, %s, is below %s.\n' "${score:-none}" "$fail_under" ;;
  5) printf '::error title=judge score::Not every submission could be scored.\n' ;;
  *) printf '::error title=judge score::judge score ended with %s; the log says why.\n' "$code" ;;
esac
exit "$code"
