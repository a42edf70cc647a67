#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/commit-msg takes subjects of the form "Area: what changed" and no others, quickstart.sh installs it where no
# hook of the user's is, and the last hundred commits pass it. $1: the duet command (unused), $2: the source folder.
set -u
. "$2/tests/support/checks.sh"
source=$(realpath "$2")
hook=$source/scripts/commit-msg
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1

# ---- what it takes and what it refuses

# takes SUBJECT, refuses WHY SUBJECT
takes() {
    printf '%s\n\nWhy.\n' "$1" >message
    exits 0 "takes '$1'" "$hook" message
}
refuses() {
    printf '%s\n' "$2" >message
    exits 1 "refuses '$2'" "$hook" message
    check "says why '$2'" grep -q "$1" exits.err
    check "shows '$2'" grep -qF "it was: $2" exits.err
}
seventy=$(printf 'x%.0s' {1..70})
takes "exact: a guess is asked once"
takes "graph-search, exact: rounds end cold"
takes "tests/shell: the hook is tried"
takes "docs: 3.5 s in place of 4.2"
takes "x: ${seventy:1}"
takes "x: ${seventy:1:68}Δ" # 72 characters, 73 bytes
takes "Merge branch 'pages'"
takes 'Revert "What was written; and how it ended."'
takes "fixup! exact: a guess is asked once."
takes "squash! no area"
refuses "73 columns" "x: $seventy"
refuses "no area" "Read once more"
refuses "no area" "exact:a guess is asked once"
refuses "no area" ": a guess is asked once"
refuses "full stop" "exact: a guess is asked once."
refuses "one change" "exact: a guess is asked once; words"
check "tells every fault" bash -c '! "$1" <(echo "Read; once more.") 2>said; test "$(wc -l <said)" -eq 4' - "$hook"
printf '# a comment\n\nexact: a guess is asked once\n# Please enter the commit message\n' >message
exits 0 "leaves comments out" "$hook" message
printf '\n# nothing\n' >message
exits 0 "an empty message is git's to refuse" "$hook" message
LC_ALL=C exits 0 "counts characters in any locale" "$hook" <(echo "x: ${seventy:1:68}Δ")

# ---- installing it

command -v git >/dev/null || { echo "skipped: no git, so no hook is installed and no history is read"; exit $failed; }
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
mkdir clone plain
git init -q clone
cp -r "$source/scripts" clone/
cp -r "$source/scripts" plain/
install() {
    (cd "$1" && set -eu && . scripts/common.sh && install_hook)
}
install clone >said 2>&1
check "in a clone: says so in one line" test "$(wc -l <said)" -eq 1
check "in a clone: names the script" grep -q "runs scripts/commit-msg" said
check "in a clone: the hook runs" test -x clone/.git/hooks/commit-msg
exits 1 "in a clone: a subject is refused" git -C clone commit -q --allow-empty -m "Read once more"
check "in a clone: a subject is taken" git -C clone commit -q --allow-empty -m "docs: read once more"
check "a second time: says nothing" test -z "$(install clone 2>&1)"
echo mine >clone/.git/hooks/commit-msg
install clone >/dev/null
check "a hook of the user's stays" grep -qx mine clone/.git/hooks/commit-msg
rm clone/.git/hooks/commit-msg
git -C clone config core.hooksPath "$tmp/hooks"
check "a folder of the user's hooks stays" bash -c 'test -z "$1" && test ! -e "$2"' - "$(install clone 2>&1)" "$tmp/hooks"
git -C clone config --unset core.hooksPath
rm clone/scripts/commit-msg
install clone >/dev/null
check "a branch without the script: commits" git -C clone commit -q --allow-empty -m "Read once more"
check "outside of a clone: nothing" test -z "$(install plain 2>&1)"
check "quickstart.sh installs it" grep -qx install_hook "$source/quickstart.sh"

# ---- the commits that were made on top of the one that brought it

if [ "$(git -C "$source" rev-parse --show-toplevel 2>/dev/null)" != "$source" ]; then
    echo "skipped: no clone, so no history is read"
elif [ "$(git -C "$source" rev-parse --is-shallow-repository)" = true ]; then
    echo "skipped: a shallow clone does not say which commits are on top of the hook's"
else
    first=$(git -C "$source" log --diff-filter=A --format=%H -- scripts/commit-msg | tail -n 1)
    count=0
    for commit in ${first:+$(git -C "$source" rev-list --no-merges --max-count=100 --ancestry-path "$first..HEAD")}; do
        git -C "$source" log -1 --format=%B "$commit" >message
        count=$((count + 1))
        "$hook" message 2>said || { echo "FAIL commit ${commit:0:12}: $(head -n 1 said): $(head -n 1 message)"; failed=1; }
    done
    echo "the last $count commits since the hook came in"
fi
exit $failed
