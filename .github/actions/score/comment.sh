#!/usr/bin/env bash
# Posts the report of a finished scoring as a comment on its pull request, or renews the comment that is there.
#
# Runs in the repository's own context with a token that may write comments; so nothing of the pull request is checked
# out or run here, and nothing is taken from the artifact but score.md, whose text is checked before it is posted. Which
# pull request it is comes from the event (owner, branch and commit), never from the artifact.
#
# Needs: GH_TOKEN, GITHUB_REPOSITORY, RUN_ID, HEAD_OWNER, HEAD_BRANCH, HEAD_SHA; gh and python3.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
name=${ARTIFACT:-judge-score}
most=50000000
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

stop() {
  printf '%s\n' "$1"
  exit 0
}

[[ $RUN_ID =~ ^[0-9]+$ && $HEAD_SHA =~ ^[0-9a-f]{40,64}$ && $GITHUB_REPOSITORY =~ ^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$ ]] ||
  { printf 'The event is not what it should be.\n' && exit 1; }

number=$(gh api --method GET "repos/$GITHUB_REPOSITORY/pulls" -f state=open -f "head=$HEAD_OWNER:$HEAD_BRANCH" \
  --jq '.[] | select(.head.sha == env.HEAD_SHA) | .number' | sed -n 1p)
[[ $number =~ ^[0-9]+$ ]] || stop 'No open pull request has this commit; nothing to say.'

found=$(gh api --method GET "repos/$GITHUB_REPOSITORY/actions/runs/$RUN_ID/artifacts" -f "name=$name" \
  --jq '.artifacts[] | "\(.id) \(.size_in_bytes)"' | sed -n 1p)
[[ $found =~ ^([0-9]+)\ ([0-9]+)$ ]] || stop 'The run left no report.'
artifact=${BASH_REMATCH[1]}
[ "${#BASH_REMATCH[2]}" -lt 12 ] && [ "${BASH_REMATCH[2]}" -le "$most" ] || stop 'The report is too big.'

gh api "repos/$GITHUB_REPOSITORY/actions/artifacts/$artifact/zip" | head -c "$((most + 1))" >"$work/report.zip"
python3 -I "$here/comment_body.py" "$work/report.zip" >"$work/body.md"

comment=$(gh api --paginate "repos/$GITHUB_REPOSITORY/issues/$number/comments" \
  --jq '.[] | select(.user.login == "github-actions[bot]" and (.body | startswith("<!-- judge-score -->"))) | .id' |
  sed -n 1p)
if [[ $comment =~ ^[0-9]+$ ]]; then
  gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$comment" -F "body=@$work/body.md" --silent
else
  gh api --method POST "repos/$GITHUB_REPOSITORY/issues/$number/comments" -F "body=@$work/body.md" --silent
fi
printf 'Commented on pull request %s.\n' "$number"
